"""All objects of a list, as a watch tells of them."""
import http.client
import threading

from failure import Failure

WATCH_SECONDS = 300
AGAIN = 0.2   # seconds after a watch that failed


def key_of(each):
    return each["metadata"].get("namespace", ""), each["metadata"]["name"]


class Informer:
    """`told(object)` is called of each that is new or has changed, `gone(object)` of each that is there no more. Through every
    trouble of the API it goes on, until `closing` is set."""

    def __init__(self, kube, path, closing, told=lambda each: None, gone=lambda each: None):
        self.kube, self.path, self.closing, self.told, self.gone = kube, path, closing, told, gone
        self.now = {}
        self.synced = threading.Event()

    def start(self):
        threading.Thread(target=self._go_on, daemon=True).start()
        return self

    def get(self, namespace, name):
        return self.now.get((namespace, name))

    def _go_on(self):
        while not self.closing.is_set():
            try:
                for version, kind, what in self.kube.watch(self.path, WATCH_SECONDS):
                    if self.closing.is_set():
                        return
                    if version:
                        self._replace(what)
                    elif kind == "DELETED":
                        self._lose(what)
                    else:
                        self._take(what)
            except (Failure, OSError, http.client.HTTPException, ValueError):
                self.closing.wait(AGAIN)

    def _replace(self, listed):
        for key in set(self.now) - {key_of(each) for each in listed}:
            self._lose(self.now[key])
        for each in listed:
            self._take(each)
        self.synced.set()

    def _take(self, each):
        before = self.now.get(key_of(each))
        if before is None or before["metadata"]["resourceVersion"] != each["metadata"]["resourceVersion"]:
            self.now[key_of(each)] = each
            self.told(each)

    def _lose(self, each):
        self.now.pop(key_of(each), None)
        self.gone(each)
