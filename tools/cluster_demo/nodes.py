"""The Nodes of a workload cluster, as they come, fall silent and go."""
from hosts import Watched

PATH = "/api/v1/nodes"
WORDS = {"True": "ready", "False": "not ready"}
OUT_OF_SERVICE = "node.kubernetes.io/out-of-service"


class Nodes(Watched):
    """`now`: ready, not ready or silent, by the Node's name; `taints` the names of its taints; `were_out` of service once."""

    def __init__(self, kube):
        super().__init__(kube, PATH)
        self.taints, self.were_out = {}, set()
        self.follow()

    def note(self, item):
        name = item["metadata"]["name"]
        ready = next((each["status"] for each in item.get("status", {}).get("conditions", []) if each["type"] == "Ready"), "False")
        self.now[name] = WORDS.get(ready, "silent")
        self.taints[name] = {each["key"] for each in item["spec"].get("taints") or []}
        if OUT_OF_SERVICE in self.taints[name]:
            self.were_out.add(name)
