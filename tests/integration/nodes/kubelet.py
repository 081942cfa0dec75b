"""A kubelet: its Node, and the pods that are bound to it."""
import http.client
import threading

from failure import Failure
from kube import Kube
from nodes.container import Backoff, now
from nodes.pod import Pod

HEARTBEAT_SECONDS = 5
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
HEALTH = (("Ready", "True", "KubeletReady"), ("MemoryPressure", "False", "KubeletHasSufficientMemory"),
          ("DiskPressure", "False", "KubeletHasNoDiskPressure"), ("PIDPressure", "False", "KubeletHasSufficientPID"))


class Kubelet:
    """Node `name`, the `number`-th of a cluster (cluster.py), whose informers it shares with its neighbours."""

    look_seconds = 1   # after which what could not be started is tried again

    def __init__(self, cluster, name, number):
        self.cluster, self.name, self.number = cluster, name, number
        self.kube = Kube(cluster.api.kubeconfig)
        self.secrets, self.config_maps, self.closing = cluster.secrets, cluster.config_maps, cluster.closing
        self.address = cluster.network.node_address(number)
        self.folder = cluster.folder / name
        self.pods = {}   # by UID
        self.lock = threading.Lock()
        host, port = cluster.api_of_pods
        self.environment = {**cluster.environment, "KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": str(port)}

    def start(self):
        """Registers, says that it is well and goes on saying so."""
        self.folder.mkdir()
        self.kube.call("POST", "/api/v1/nodes", {"metadata": {"name": self.name, "labels": {
            "kubernetes.io/hostname": self.name, "kubernetes.io/os": "linux"}}})
        self._beat()
        self.kube.call("POST", LEASES, {"metadata": {"name": self.name}, "spec": self._lease()})
        threading.Thread(target=self._live, daemon=True).start()
        return self

    def take(self, each):
        """A pod of this node is new, or has changed."""
        with self.lock:
            pod = self.pods.get(each["metadata"]["uid"])
            if pod:
                pod.object = each
            elif each.get("status", {}).get("phase") not in ("Failed", "Succeeded"):
                self.pods[each["metadata"]["uid"]] = Pod(self, each)

    def lose(self, each):
        with self.lock:
            pod = self.pods.pop(each["metadata"]["uid"], None)
        if pod:
            pod.is_gone.set()

    # What pods ask of it

    def backoff(self):
        return Backoff(*self.cluster.backoff)

    def sandbox(self):
        return self.cluster.network.sandbox(self.number)

    def entry_of(self, image):
        return self.cluster.images.get(image.rpartition("/")[2].partition(":")[0])

    def run(self, name, argv):
        return self.cluster.run(name, argv)

    def forget(self, process):
        self.cluster.forget(process)

    def ended(self, pod, process, was_ill):
        self.cluster.ended(pod.name, process, was_ill)

    def tell(self, pod, status):
        """Whether the API knows now; conditions of others stay."""
        return self._try(lambda: self.kube.call("PATCH", f"{pod_path(pod)}/status", {"metadata": {"uid": pod.uid}, "status": status},
                                                kind="application/strategic-merge-patch+json"))

    def delete(self, pod):
        return self._try(lambda: self.kube.call("DELETE", pod_path(pod), {"gracePeriodSeconds": 0, "preconditions": {"uid": pod.uid}}))

    @staticmethod
    def _try(what):
        try:
            what()
        except (Failure, OSError, http.client.HTTPException, ValueError):
            return False
        return True

    # The Node

    def _live(self):
        while not self.closing.wait(HEARTBEAT_SECONDS):
            self._try(lambda: self.kube.merge(f"{LEASES}/{self.name}", {"spec": self._lease()}))

    def _lease(self):
        return {"holderIdentity": self.name, "leaseDurationSeconds": 40, "renewTime": now().replace("Z", ".000000Z")}

    def _beat(self):
        room = {"cpu": "8", "memory": "16Gi", "pods": "110", "ephemeral-storage": "16Gi"}
        self.kube.merge(f"/api/v1/nodes/{self.name}/status", {"status": {
            "capacity": room, "allocatable": room, "addresses": [{"type": "InternalIP", "address": self.address},
                                                                 {"type": "Hostname", "address": self.name}],
            "conditions": [{"type": kind, "status": status, "reason": reason, "message": "", "lastHeartbeatTime": now(),
                            "lastTransitionTime": now()} for kind, status, reason in HEALTH]}})


def pod_path(pod):
    return f"/api/v1/namespaces/{pod.namespace}/pods/{pod.name}"
