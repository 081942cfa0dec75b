"""The life of one pod on its node: a thread that makes it so, and tells the API how it is."""
import http.client
import threading
import time

from failure import Failure
from nodes.container import Container, now
from nodes.volumes import Missing, Volumes

TICK = 0.1   # seconds


class Pod:
    """`node`: its kubelet. `object` is what the API wants of it, and may be replaced at any time."""

    def __init__(self, node, each):
        self.node, self.object, self.spec = node, each, each["spec"]
        self.namespace, self.name, self.uid = (each["metadata"][field] for field in ("namespace", "name", "uid"))
        self.folder = node.folder / f"{self.name}-{self.uid[:8]}"
        self.volumes = Volumes(node, self.folder, each)
        self.sandbox, self.waits_for = None, "the sandbox"
        self.containers = [Container(self, spec) for spec in self.spec["containers"]]
        self.began, self.since, self.said = now(), {}, None
        self.is_gone = threading.Event()   # the API has it no more
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._live, daemon=True)
        self.thread.start()

    def grace(self):
        """Seconds that its containers have to end."""
        if self.is_gone.is_set():
            return 0
        asked = self.object["metadata"].get("deletionGracePeriodSeconds")
        return asked if asked is not None else self.spec.get("terminationGracePeriodSeconds", 30)

    def as_it_is(self):
        """With what its node knows of it."""
        return {**self.object, "status": {**self.object.get("status", {}), **self._addresses()}}

    def _live(self):
        while not self.node.closing.wait(TICK):
            if self.is_gone.is_set() or is_leaving(self.object):
                self._end()
                break
            self._look_after()
            self._tell()
        self.is_over.set()

    def _look_after(self):
        try:
            if self.sandbox is None:
                self.folder.mkdir(parents=True, exist_ok=True)
                self.sandbox = self.node.sandbox()
            self.volumes.refresh()
            self.waits_for = ""
        except (Missing, Failure, OSError, http.client.HTTPException) as problem:
            if self.waits_for:   # what runs goes on with what it has
                self.waits_for = str(problem)
                return
        for container in self.containers:
            container.tick()

    def _end(self):
        """Its containers, all at once; then the API is told, and may forget it."""
        enders = [threading.Thread(target=each.stop, args=(self.grace(),), daemon=True) for each in self.containers]
        for each in enders:
            each.start()
        while any(each.is_alive() for each in enders):
            self._tell()
            time.sleep(TICK)
        while not self.is_gone.is_set() and not self.node.closing.is_set():
            self._tell()
            if self.node.delete(self):
                break
            time.sleep(TICK)
        if self.sandbox:
            self.sandbox.close()
        self.volumes.remove()

    # What the API is told

    def _tell(self):
        status = self._status()
        if status != self.said and self.node.tell(self, status):
            self.said = status

    def _addresses(self):
        addresses = {"hostIP": self.node.address, "hostIPs": [{"ip": self.node.address}]}
        if self.sandbox:
            addresses |= {"podIP": self.sandbox.address, "podIPs": [{"ip": self.sandbox.address}]}
        return addresses

    def _status(self):
        statuses = [each.status() for each in self.containers]
        running = any("running" in each["state"] or each["restartCount"] for each in statuses)
        ended = all("terminated" in each["state"] for each in statuses)
        failed = any(each["state"].get("terminated", {}).get("exitCode") for each in statuses)
        ready = all(each["ready"] for each in statuses)
        why = {"reason": None, "message": None} if ready else {"reason": "ContainersNotReady", "message": self.waits_for or "containers with unready status"}
        return {"phase": ("Failed" if failed else "Succeeded") if ended else "Running" if running else "Pending", "startTime": self.began,
                "containerStatuses": statuses, **self._addresses(), "conditions": [
                    self._condition("PodReadyToStartContainers", self.sandbox is not None), self._condition("Initialized", True),
                    {**self._condition("ContainersReady", ready), **why}, {**self._condition("Ready", ready), **why}]}

    def _condition(self, kind, holds):
        before, when = self.since.get(kind, (None, None))
        if before != holds:
            when = now()
            self.since[kind] = holds, when
        return {"type": kind, "status": "True" if holds else "False", "lastTransitionTime": when}


def is_leaving(pod):
    """Somebody has deleted it, and it has time to end."""
    return "deletionTimestamp" in pod["metadata"]
