"""What an HTTP watch on the API tells of the hosts, and when; and waiting for it."""
import json
import pathlib
import sys
import threading
import time

from measured import HOSTS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "demo"))
from hosts import Host  # noqa: E402  (the path comes first)


def until(limit: float, what: str, holds):
    """The first true answer."""
    deadline = time.monotonic() + limit
    while not (value := holds()):
        if time.monotonic() > deadline:
            raise RuntimeError(f"not within {limit:.0f} s: {what}")
        time.sleep(0.1)
    return value


class HostWatch(threading.Thread):
    """What an HTTP watch tells of the hosts; one that the API ends is opened again. `power`: by name, on, off or unknown; `seen`: by name and power, when the
    watch said so last (monotonic); `ordered`: by name, when it said last that the host is to be on."""

    def __init__(self, api):
        super().__init__(daemon=True)
        self.api, self.lock, self.failure = api, threading.Lock(), None
        self.power, self.states, self.online = {}, {}, {}
        self.seen, self.ordered = {}, {}
        self.version = ""   # from which the watch goes on; "": what there is comes first
        self.stream = self._open()
        self.start()

    def _open(self):
        connection = self.api.connect()
        since = f"&resourceVersion={self.version}" if self.version else ""
        connection.request("GET", f"{HOSTS}?watch=true{since}")
        return connection.getresponse()

    def run(self):
        try:
            while True:
                for line in self.stream:
                    self._take(json.loads(line), time.monotonic())
                self.stream = self._open()
        except Exception as error:   # told by who waits
            self.failure = error

    def _take(self, event, moment):
        if event["type"] == "ERROR":   # too old
            self.version = ""
        elif event["type"] in ("ADDED", "MODIFIED"):
            self.version = event["object"]["metadata"]["resourceVersion"]
            with self.lock:
                self._note(event["object"], moment)

    def _note(self, item, moment):
        host = Host(item)
        self.states[host.name] = host.state
        if host.online and not self.online.get(host.name):
            self.ordered[host.name] = moment
        self.online[host.name] = host.online
        if self.power.get(host.name) != host.power:
            self.power[host.name] = host.power
            self.seen[host.name, host.power] = moment

    def look(self, holds):
        """What `holds` says while nothing changes."""
        with self.lock:
            value = holds()
        if self.failure:
            raise self.failure
        return value

    def wait_for_power(self, limit: float, power: str, count: int):
        until(limit, f"so many hosts are {power}: {count}", lambda: self.look(lambda: self.count(power) == count))

    def count(self, power: str) -> int:
        return list(self.power.values()).count(power)
