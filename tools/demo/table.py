"""The hosts on their way: a table that repaints itself on a terminal, one line per change elsewhere."""
import shutil
import sys
import threading
import time

from ironic import step_of

COLORS = {"provisioned": "32", "available": "36", "deprovisioning": "33", "deleting": "33"}
HEAD = f"{'HOST':<12} {'BMC':<22} {'STATE':<15} {'POWER':<8} {'STEP':<34} AGE"


class Table:
    """Used as a context: shows while something else waits."""

    def __init__(self, hosts, ironic, schemes, out=sys.stdout):
        self.hosts, self.ironic, self.schemes, self.out = hosts, ironic, schemes, out
        self.live = out.isatty()
        self.steps, self.told, self.height = {}, 0, 0
        self.stopping = threading.Event()
        self.thread = None

    def __enter__(self):
        self.stopping.clear()
        self.thread = threading.Thread(target=self._show, daemon=True)
        self.thread.start()
        return self

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
        width = shutil.get_terminal_size().columns
        lines = [HEAD] + [self._line(host, step, age) for host, step, age in self._rows()]
        up = f"\x1b[{self.height}A" if self.height else ""
        text = "".join(f"\x1b[2K{self._colored(line[:width - 1])}\n" for line in lines)
        blank = "".join("\x1b[2K\n" for _ in range(self.height - len(lines)))
        self.out.write(up + text + blank)
        self.out.flush()
        self.height = max(self.height, len(lines))

    def _line(self, host, step, age):
        return f"{host.name:<12} {self.schemes.get(host.name, ''):<22} {host.state:<15} {host.power:<8} {step[:34]:<34} {age} s"

    @staticmethod
    def _colored(line):
        for state, color in COLORS.items():
            if f" {state} " in line:
                return line.replace(f" {state} ", f" \x1b[{color}m{state}\x1b[0m ", 1)
        return line

    def _tell_changes(self):
        """Every change that the watch saw, also those between two looks; then what Ironic is doing, when that changed."""
        with self.hosts.changed:
            news, self.told = self.hosts.changes[self.told:], len(self.hosts.changes)
        for age, host in news:
            self._tell(age, host, host.error)
        for host, step, _ in self._rows():
            if step and self.steps.get(host.name) != step:
                self._tell(time.monotonic() - self.hosts.began, host, step)
            self.steps[host.name] = step
        self.out.flush()

    def _tell(self, age, host, step):
        self.out.write(f"  {age:6.1f} s  {host.name:<10} {host.state or 'new':<15} power {host.power:<8} {step}".rstrip() + "\n")
