"""Waits until as many objects as expected have come to where they should."""
import json
import threading

MOST_SECONDS = 600


class Arrivals(threading.Thread):
    """Tells when so many objects have come to where `there` says they are; `then` is called with each. A kube-apiserver that is
    short of CPU ends a watch whose reader is slow: it goes on from there."""

    def __init__(self, api, collection: str, there, wanted: int, then=None):
        super().__init__(daemon=True)
        self.what, self.there, self.then, self.wanted = collection.rsplit("/", 1)[-1], there, then, wanted
        self.names, self.done, self.failure = set(), threading.Event(), None
        self.api, self.collection = api, collection
        self.version = api.call("GET", f"{collection}?limit=1")["metadata"]["resourceVersion"]
        self.stream = self._watch()
        self.start()

    def _watch(self):
        connection = self.api.connect()
        connection.request("GET", f"{self.collection}?watch=true&resourceVersion={self.version}")
        return connection.getresponse()

    def run(self):
        try:
            while not self._have_all_come():
                self.stream = self._watch()
        except Exception as error:   # told by who waits
            self.failure = error
        self.done.set()

    def _have_all_come(self):
        """False: the watch ended before that."""
        for line in self.stream:
            event = json.loads(line)
            if event["type"] == "ERROR":
                raise RuntimeError(f"watching {self.what}: {event['object'].get('message')}")
            self._take(event["object"])
            if len(self.names) == self.wanted:
                return True
        return False

    def _take(self, each):
        self.version = each["metadata"]["resourceVersion"]
        name = each["metadata"]["name"]
        if name in self.names or not self.there(each):
            return
        if self.then:
            self.then(each)
        self.names.add(name)

    def wait(self):
        self.done.wait(MOST_SECONDS)
        if self.failure:
            raise self.failure
        if len(self.names) < self.wanted:
            raise RuntimeError(f"only {len(self.names)} of {self.wanted} {self.what} after {MOST_SECONDS} s")


def is_in(state: str):
    return lambda each: each.get("status", {}).get("provisioning", {}).get("state") == state
