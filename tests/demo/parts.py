"""Where the demo's modules are, and doubles of its parties: what they were told is there to be read."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEMO = ROOT / "tools/demo"
sys.path.insert(0, str(DEMO))


def find(*folders):
    """Makes the modules of further folders importable."""
    sys.path.extend(str(ROOT / folder) for folder in folders)


def request(sender, detail, status=204, second=0, action="reset", machine="a"):
    return {"sequence": 1, "time": f"2026-01-01T00:00:{second:02}.000000Z", "machine": machine, "kind": "request",
            "sender": sender, "action": action, "detail": detail, "status": status}


def power(detail, action="power", machine="a"):
    return {"sequence": 1, "time": "2026-01-01T00:00:00.000000Z", "machine": machine, "kind": "event", "sender": "machine",
            "action": action, "detail": detail, "status": 0}


class Processes:
    """All of them run, unless `ended` is set to a Failure."""

    def __init__(self):
        self.ended, self.list = None, []

    def check(self):
        if self.ended:
            raise self.ended

    def log_of(self, name):
        return f"{name}.log"

    def stop(self):
        self.list.clear()


class Fleet:
    """A journal that a test fills, and machines that are on or off."""

    def __init__(self, on=False):
        self.entries, self.on, self.faults, self.machines = [], on, [], {}
        self.process = Logged("ingot-sim.log")

    def mark(self):
        return len(self.entries)

    def journal(self, name="", since=0):
        return [entry for entry in self.entries[since:] if name in ("", entry["machine"])]

    def is_on(self, _):
        return self.on

    def set_fault(self, name, fault, on):
        self.faults.append((name, fault, on))


class Logged:
    def __init__(self, log):
        self.log = log
