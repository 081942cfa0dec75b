"""The hosts on their way: a table that repaints itself on a terminal, one line per change elsewhere."""
import os
import sys
import threading
import time

from ironic import step_of

COLORS = {"provisioned": "32", "available": "36", "deprovisioning": "33", "deleting": "33"}
USUAL_COLUMNS = 80            # of a terminal that does not know its size


def columns_of(out):
    return os.get_terminal_size(out.fileno()).columns or USUAL_COLUMNS


def fitted(rows, columns, head):
    """Lines of a table that is narrower than `columns`, below its `head`: the least width of each column by its name. STEP is
    as wide as that, and gives way on a narrow terminal."""
    rows, step = [tuple(head), *rows], list(head).index("STEP")
    widths = [max(least, *(len(row[index]) for row in rows)) for index, least in enumerate(head.values())]
    widths[step] = head["STEP"]
    too_wide = sum(widths) + len(widths) - columns
    widths[step] = max(4, widths[step] - max(0, too_wide))
    return [" ".join(f"{cell[:width]:<{width}}" for cell, width in zip(row, widths)).rstrip()[:columns - 1] for row in rows]


class Table:
    """Used as a context: shows while something else waits."""

    head = {"HOST": 12, "BMC": 20, "STATE": 14, "POWER": 7, "STEP": 34, "AGE": 5}

    def __init__(self, hosts, ironic, schemes, out=None):
        self.hosts, self.ironic, self.schemes, self.out = hosts, ironic, schemes, out or sys.stdout
        self.live = self.out.isatty()
        self.told_last, self.told, self.height = {}, 0, 0
        self.stopping = threading.Event()
        self.thread = None

    def __enter__(self):
        self.stopping.clear()
        self.thread = threading.Thread(target=self._show, daemon=True)
        self.thread.start()
        return self

    def row(self, host, step, age):
        return host.name, self.schemes.get(host.name, ""), host.state, host.power, step, age

    def news(self, host, step):
        """What else is told of a host, one line after the other, whenever it is not what it was."""
        return [step] if step else []

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()
        self._paint_once()
        self.height = 0

    def _show(self):
        while not self.stopping.wait(0.25):
            self._paint_once()

    def _paint_once(self):
        if self.live:
            self._repaint()
        else:
            self._tell_changes()

    def _rows(self):
        with self.hosts.changed:
            present = sorted(self.hosts.now.values(), key=lambda host: host.name)
            since = dict(self.hosts.since)
        for host in present:
            node = self.ironic.nodes.get(host.name)
            step = host.error if host.error else step_of(node) if node else ""
            yield host, step, int(time.monotonic() - since.get(host.name, time.monotonic()))

    def _repaint(self):
        rows = [self.row(host, step, f"{age} s") for host, step, age in self._rows()]
        lines = fitted(rows, columns_of(self.out), self.head)
        up = f"\x1b[{self.height}A" if self.height else ""
        text = "".join(f"\x1b[2K{self._colored(line)}\n" for line in lines)
        blank = "".join("\x1b[2K\n" for _ in range(self.height - len(lines)))
        self.out.write(up + text + blank)
        self.out.flush()
        self.height = max(self.height, len(lines))

    @staticmethod
    def _colored(line):
        for state, color in COLORS.items():
            if f" {state} " in line:
                return line.replace(f" {state} ", f" \x1b[{color}m{state}\x1b[0m ", 1)
        return line

    def _tell_changes(self):
        """Every change that the watch saw, also those between two looks; then what else there is, when that changed."""
        with self.hosts.changed:
            news, self.told = self.hosts.changes[self.told:], len(self.hosts.changes)
        for age, host in news:
            self._tell(age, host, host.error)
        for host, step, _ in self._rows():
            news = self.news(host, step)
            for each in news:
                if each not in self.told_last.get(host.name, []):
                    self._tell(time.monotonic() - self.hosts.began, host, each)
            self.told_last[host.name] = news
        self.out.flush()

    def _tell(self, age, host, step):
        self.out.write(f"  {age:6.1f} s  {host.name:<10} {host.state or 'new':<15} power {host.power:<8} {step}".rstrip() + "\n")
