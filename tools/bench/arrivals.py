"""Waits until as many objects as expected have come to where they should."""
import json
import threading

MOST_SECONDS = 600


class Arrivals(threading.Thread):
    """Tells when so many objects have come to where `there` says they are; `then` is called with each."""

    def __init__(self, api, collection: str, there, wanted: int, then=None):
        super().__init__(daemon=True)
        self.what, self.there, self.then, self.wanted = collection.rsplit("/", 1)[-1], there, then, wanted
        self.names, self.done, self.failure = set(), threading.Event(), None
        connection = api.connect()
        version = api.call("GET", f"{collection}?limit=1")["metadata"]["resourceVersion"]
        connection.request("GET", f"{collection}?watch=true&resourceVersion={version}")
        self.stream = connection.getresponse()
        self.start()

    def run(self):
        try:
            for line in self.stream:
                self._take(json.loads(line)["object"])
                if len(self.names) == self.wanted:
                    break
        except Exception as error:   # told by who waits
            self.failure = error
        self.done.set()

    def _take(self, each):
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
