"""What the API says about the hosts, as it happens: a watch in a thread, a history of each host, and waiting for things."""
import http.client
import threading
import time

from failure import Failure
from kube import hosts_path
from patience import Stopwatch

WATCH_SECONDS = 3600   # longer than a run: a list after it would not tell what hosts went through meanwhile


class Host:
    """One host at one moment."""

    def __init__(self, item):
        status = item.get("status", {})
        self.name = item["metadata"]["name"]
        self.online = item["spec"].get("online", False)
        self.state = status.get("provisioning", {}).get("state", "")
        self.operational = status.get("operationalStatus", "")
        self.consumer = item["spec"].get("consumerRef", {}).get("name", "")
        self.powered_on = status.get("poweredOn", False)
        self.error_type, self.error = status.get("errorType", ""), status.get("errorMessage", "")
        self.power_known = next((condition["status"] for condition in status.get("conditions", [])
                                 if condition["type"] == "PowerStateKnown"), "True")

    @property
    def power(self):
        if not self.state:
            return "-"
        if self.power_known != "True":
            return "unknown"
        return "on" if self.powered_on else "off"

    def visible(self):
        return self.state, self.power, self.error

    def trouble(self):
        return f", {self.error_type}: {self.error}" if self.error else ""


class Watched:
    """Objects of one path, followed in a thread. `changed` guards what a subclass keeps of them."""

    def __init__(self, kube, path):
        self.kube, self.path, self.now = kube, path, {}
        self.changed, self.stopping = threading.Condition(), False

    def follow(self):
        threading.Thread(target=self._follow, daemon=True).start()

    def close(self):
        self.stopping = True

    def note(self, item):
        """Keeps in `now`, by name, what this object says."""
        raise NotImplementedError

    def _follow(self):
        while not self.stopping:
            try:
                for version, kind, thing in self.kube.watch(self.path, WATCH_SECONDS):
                    with self.changed:
                        self._take(version, kind, thing)
                        self.changed.notify_all()
            except (Failure, OSError, http.client.HTTPException, ValueError):   # the API is starting or ending: list again
                time.sleep(0.3)

    def _take(self, version, kind, thing):
        if version is not None:
            for gone in set(self.now) - {item["metadata"]["name"] for item in thing}:
                self.now.pop(gone)
            for item in thing:
                self.note(item)
        elif kind == "DELETED":
            self.now.pop(thing["metadata"]["name"], None)
        elif kind in ("ADDED", "MODIFIED"):
            self.note(thing)


class Hosts(Watched):
    """`now` holds the present hosts by name; `states` every state each has gone through, `changes` whatever a reader of
    the table would see change, with its time."""

    def __init__(self, kube, namespace, processes):
        super().__init__(kube, hosts_path(namespace))
        self.processes = processes
        self.states, self.since, self.changes = {}, {}, []
        self.began = time.monotonic()
        self.follow()

    def note(self, item):
        host = Host(item)
        walked = self.states.setdefault(host.name, [])
        if host.name not in self.now or self.now[host.name].visible() != host.visible():
            self.changes.append((time.monotonic() - self.began, host))
        if host.state and (not walked or walked[-1] != host.state):
            walked.append(host.state)
            self.since[host.name] = time.monotonic()
        self.now[host.name] = host

    def wait(self, condition, seconds, what):
        """Until `condition(now)` is true. Seconds it took; Failure tells how each host stands."""
        return self._until(lambda: condition(self.now), seconds, what)

    def wait_for_change(self, name, condition, seconds, what, since):
        """Until a change after the first `since` of `changes` shows that host as wanted, perhaps for a moment only."""
        self._until(lambda: any(host.name == name and condition(host) for _, host in self.changes[since:]), seconds, f"{name}: {what}")

    def _until(self, condition, seconds, what):
        watch = Stopwatch()
        with self.changed:
            while not condition():
                self.processes.check()
                if watch.over(seconds):
                    raise Failure(f"{what} did not happen within {seconds} s ({self.standing()})", self.processes.log_of("ingot-coordinator"))
                self.changed.wait(0.5)
        return watch.seconds()

    def wait_for(self, name, condition, seconds, what):
        return self.wait(lambda now: name in now and condition(now[name]), seconds, f"{name}: {what}")

    def standing(self):
        return "; ".join(f"{host.name} is {host.state or 'new'}, power {host.power}{host.trouble()}"
                         for host in self.now.values()) or "there are no hosts"
