"""The table of hosts: repainted in place on a terminal, told line by line elsewhere."""
import fcntl
import io
import os
import pty
import struct
import termios
import threading
import time
import unittest

import parts  # noqa: F401  (it finds the demo's modules)
from screen import Screen

from hosts import Host
from table import Table


def host(name, state, on=False, error=""):
    return Host({"metadata": {"name": name}, "spec": {"online": True},
                 "status": {"provisioning": {"state": state}, "poweredOn": on, "errorMessage": error}})


class Hosts:
    """What the API says, as a test tells it."""

    def __init__(self):
        self.now, self.since, self.changes, self.began = {}, {}, [], time.monotonic()
        self.changed = threading.Condition()

    def say(self, seen):
        self.now[seen.name] = seen
        self.since.setdefault(seen.name, time.monotonic())
        self.changes.append((3.0, seen))


class Ironic:
    nodes = {"node-2": {"name": "node-2", "provision_state": "wait call-back", "target_provision_state": "active", "target_power_state": None,
                        "reservation": None, "deploy_step": {"step": "write_image"}}}


class Terminal:
    """The near end of a pseudo-terminal, as a file; what was written there appears on `screen()`."""

    def __init__(self, columns):
        self.far, near = pty.openpty()
        fcntl.ioctl(near, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.file = os.fdopen(near, "w")

    def screen(self):
        """A mark behind what was written tells when all of it has come through."""
        self.file.write("\0")
        self.file.flush()
        said = b""
        while not said.endswith(b"\0"):
            said += os.read(self.far, 1 << 16)
        return Screen().write(said[:-1].decode())

    def close(self):
        self.file.close()
        os.close(self.far)


class OnATerminal(unittest.TestCase):
    def table(self, columns=120):
        self.terminal, self.hosts = Terminal(columns), Hosts()
        self.addCleanup(self.terminal.close)
        return Table(self.hosts, Ironic(), {"node-1": "redfish", "node-2": "ipmi"}, self.terminal.file)

    def test_a_row_shows_host_bmc_state_power_step_and_age(self):
        table = self.table()
        self.hosts.say(host("node-2", "provisioning", on=True))
        with table:
            pass
        self.assertEqual([line.split() for line in self.terminal.screen().shown()], [
            ["HOST", "BMC", "STATE", "POWER", "STEP", "AGE"],
            ["node-2", "ipmi", "provisioning", "on", "wait", "call-back:", "write_image", "0", "s"]])

    def test_all_columns_are_there_on_eighty_columns(self):
        table = self.table(columns=80)
        self.hosts.say(host("node-2", "deprovisioning", on=True))
        table._paint_once()
        head, row = self.terminal.screen().shown()
        self.assertEqual(head.split(), ["HOST", "BMC", "STATE", "POWER", "STEP", "AGE"])
        self.assertRegex(row, r"deprovisioning on +wait call-back\S* .* ?0 s$")

    def test_it_repaints_itself_in_place(self):
        table = self.table()
        for state in ("inspecting", "preparing", "provisioned"):
            self.hosts.say(host("node-1", state))
            table._paint_once()
        screen = self.terminal.screen()
        self.assertEqual(len(screen.shown()), 2)
        self.assertIn("provisioned", screen.shown()[1])
        self.assertIn("32", screen.colours)

    def test_hosts_that_appear_and_go_leave_no_trace(self):
        table = self.table()
        for name in ("node-1", "node-2"):
            self.hosts.say(host(name, "available"))
            table._paint_once()
        self.hosts.now.pop("node-1")
        table._paint_once()
        self.assertEqual([line.split()[0] for line in self.terminal.screen().shown()], ["HOST", "node-2"])

    def test_a_row_never_wraps_on_a_narrow_terminal(self):
        table = self.table(columns=50)
        self.hosts.say(host("node-1", "provisioned", error="PowerOn operation failed: " + "x" * 200))
        table._paint_once()
        table._paint_once()
        screen = self.terminal.screen()
        self.assertEqual(len(screen.shown()), 2)
        self.assertLess(max(len(line) for line in screen.lines), 50)

    def test_a_second_table_begins_below_the_first(self):
        table = self.table()
        self.hosts.say(host("node-1", "available"))
        for _ in range(2):
            with table:
                pass
        self.assertEqual([line.split()[0] for line in self.terminal.screen().shown()], ["HOST", "node-1", "HOST", "node-1"])


class WithoutATerminal(unittest.TestCase):
    def test_each_change_is_a_line_and_nothing_is_told_twice(self):
        hosts, out = Hosts(), io.StringIO()
        table = Table(hosts, Ironic(), {}, out)
        hosts.say(host("node-1", "inspecting"))
        hosts.say(host("node-1", "preparing", on=True))
        for _ in range(3):
            table._paint_once()
        self.assertEqual([line.split() for line in out.getvalue().splitlines()],
                         [["3.0", "s", "node-1", "inspecting", "power", "off"], ["3.0", "s", "node-1", "preparing", "power", "on"]])
        self.assertNotIn("\x1b", out.getvalue())

    def test_what_ironic_does_is_told_when_it_changes(self):
        hosts, out = Hosts(), io.StringIO()
        table = Table(hosts, Ironic(), {}, out)
        hosts.say(host("node-2", "provisioning"))
        for _ in range(2):
            table._paint_once()
        self.assertEqual(out.getvalue().count("wait call-back: write_image"), 1)

    def test_an_error_is_told_whole(self):
        hosts, out = Hosts(), io.StringIO()
        hosts.say(host("node-1", "provisioned", error="PowerOn operation failed: " + "x" * 200))
        Table(hosts, Ironic(), {}, out)._paint_once()
        self.assertIn("x" * 200, out.getvalue())


if __name__ == "__main__":
    unittest.main()
