"""A Service as kube-proxy and the kubelet make it: each connection goes to one of the endpoints that are ready."""
import itertools
import threading
import time

from relay import Relay

LOOK_SECONDS = 0.5   # a kubelet sees within a second that a container has ended


class Service(Relay):
    """`is_ready(name)`: whether this endpoint may be asked; it is looked at all the time. What is connected stays so until
    one of both ends it, as with kube-proxy."""

    def __init__(self, port, is_ready):
        super().__init__(None, port)
        self.is_ready = is_ready
        self.endpoints, self.ready, self.left = {}, [], []   # port by name; names; (moment, name) of each removal
        self.turn = itertools.count()
        self.closing = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def add(self, name, port):
        self.endpoints[name] = port

    def target(self):
        ready = self.ready
        return ("127.0.0.1", self.endpoints[ready[next(self.turn) % len(ready)]]) if ready else None

    def left_after(self, moment, name):
        """When this endpoint was removed; None while it was not."""
        return next((when for when, which in self.left if which == name and when >= moment), None)

    def close(self):
        self.closing.set()
        super().close()

    def _look(self):
        while not self.closing.wait(LOOK_SECONDS):
            ready = [name for name in list(self.endpoints) if self.is_ready(name)]
            gone = set(self.ready) - set(ready)
            self.ready = ready
            self.left += [(time.monotonic(), name) for name in sorted(gone)]
