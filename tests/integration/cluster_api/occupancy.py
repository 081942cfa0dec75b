"""Who had which host at each moment, and how many served: not only how it ends."""
from hosts import Watched

ANNOTATION = "metal3.io/BareMetalHost"


class HostsOverTime(Watched):
    """`fewest`: how many hosts served a machine when they were fewest, since the last mark(); `handed_over`: hosts that went
    from one machine to another without having been free; `doubled`: machines that had two hosts at one time, with both; `pairs`:
    every machine that had a host, with it. Several hosts may be kept for one Cluster."""

    def __init__(self, kube, path):
        super().__init__(kube, path)
        self.consumers, self.serving, self.fewest, self.handed_over, self.version = {}, set(), 0, [], 0
        self.doubled, self.pairs = [], set()

    def mark(self):
        with self.changed:
            self.fewest = len(self.serving)

    def note(self, item):
        name, status = item["metadata"]["name"], item.get("status", {})
        reference = item["spec"].get("consumerRef", {})
        consumer = reference.get("name")
        before = self.consumers.get(name)
        if before and consumer and consumer != before:
            self.handed_over.append((name, before, consumer))
        self.now[name] = self.consumers[name] = consumer
        self.pairs |= {(consumer, name)} if consumer else set()
        if reference.get("kind") == "Metal3Machine" and consumer != before:
            self.doubled += [(consumer, other, name) for other, its in self.now.items() if its == consumer and other != name]
        serves = consumer and status.get("poweredOn") and status.get("provisioning", {}).get("state") == "provisioned"
        (self.serving.add if serves else self.serving.discard)(name)
        self.fewest = min(self.fewest, len(self.serving))
        self.version = max(self.version, int(item["metadata"]["resourceVersion"]))


class MachinesOverTime(Watched):
    """`shared`: hosts that two machines named at one time, neither of them being deleted; `pairs`: every machine that named a
    host, with it."""

    def __init__(self, kube, path):
        super().__init__(kube, path)
        self.shared, self.pairs = [], set()

    def note(self, item):
        name, metadata = item["metadata"]["name"], item["metadata"]
        host = None if "deletionTimestamp" in metadata else metadata.get("annotations", {}).get(ANNOTATION)
        self.now[name] = host
        self.pairs |= {(name, host.rpartition("/")[2])} if host else set()
        others = [other for other, its in self.now.items() if host and its == host and other != name]
        self.shared += [(host, name, other) for other in others]
