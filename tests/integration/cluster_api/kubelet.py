"""A kubelet as far as controllers can see: its Node, its heartbeats, its static Pods. It runs nothing."""
import datetime
import threading

from failure import Failure
from kube import Kube
from objects import create, place

HEARTBEAT_SECONDS = 2
LEASES = ("coordination.k8s.io/v1", "Lease", "kube-node-lease")
CONTROL_PLANE = ("kube-apiserver", "kube-controller-manager", "kube-scheduler")   # etcd is external


class Kubelet:
    """Node `name`, by the identity that `kubeconfig` holds. What it may do the server's Node authorizer says."""

    def __init__(self, kubeconfig, name, provider_id, version, taints=()):
        self.kube, self.name = Kube(kubeconfig), name
        self.provider_id, self.version, self.taints = provider_id, version, list(taints)
        self.labels = {"kubernetes.io/hostname": name}
        self.path = place("v1", "Node", name=name)
        self.silent = threading.Event()
        self.node = self.heart = None

    def start(self):
        """Registers, says that it is well and goes on saying so."""
        self.node = create(self.kube, {
            "apiVersion": "v1", "kind": "Node", "metadata": {"name": self.name, "labels": self.labels},
            "spec": {"providerID": self.provider_id, "taints": self.taints}})
        create(self.kube, {"apiVersion": LEASES[0], "kind": LEASES[1], "metadata": {"name": self.name, "namespace": LEASES[2]},
                           "spec": {"holderIdentity": self.name, "leaseDurationSeconds": 40, "renewTime": now()}})
        self.speak()

    def speak(self):
        """Says that it is well, and again every two seconds."""
        self.kube.merge(f"{self.path}/status", {"status": {
            "addresses": [{"type": "Hostname", "address": self.name}], "nodeInfo": node_info(self.version),
            "conditions": [state("Ready", "True", "KubeletReady"), state("MemoryPressure", "False", "KubeletHasSufficientMemory"),
                           state("DiskPressure", "False", "KubeletHasNoDiskPressure"),
                           state("PIDPressure", "False", "KubeletHasSufficientPID")]}})
        self.silent.clear()
        self.heart = threading.Thread(target=self._beat, daemon=True)
        self.heart.start()

    def fall_silent(self):
        self.silent.set()
        if self.heart:
            self.heart.join()

    def run_control_plane(self):
        """The mirrors of the static Pods that kubeadm has written."""
        for component in CONTROL_PLANE:
            created = create(self.kube, mirror_pod(component, self.node))
            path = place("v1", "Pod", "kube-system", created["metadata"]["name"])
            states = [state(kind, "True", "") for kind in ("PodScheduled", "Initialized", "ContainersReady", "Ready")]
            self.kube.merge(f"{path}/status", {"status": {"phase": "Running", "conditions": states}})

    def _beat(self):
        path = place(*LEASES, self.name)
        while not self.silent.wait(HEARTBEAT_SECONDS):
            try:
                self.kube.merge(path, {"spec": {"renewTime": now()}})
            except Failure:   # the server is away: as a kubelet it tries again
                pass


def mirror_pod(component, node):
    name = node["metadata"]["name"]
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": f"{component}-{name}", "namespace": "kube-system",
                         "labels": {"component": component, "tier": "control-plane"},
                         "annotations": {"kubernetes.io/config.mirror": component, "kubernetes.io/config.source": "file"},
                         "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": name, "uid": node["metadata"]["uid"],
                                              "controller": True}]},
            "spec": {"nodeName": name, "hostNetwork": True,
                     "containers": [{"name": component, "image": f"registry.k8s.io/{component}"}],
                     "tolerations": [{"operator": "Exists", "effect": "NoExecute"}]}}


def node_info(version):
    return {"kubeletVersion": version, "architecture": "amd64", "operatingSystem": "linux", "machineID": "", "systemUUID": "",
            "bootID": "", "kernelVersion": "", "osImage": "", "containerRuntimeVersion": "", "kubeProxyVersion": ""}


def state(kind, status, reason):
    moment = now()
    return {"type": kind, "status": status, "reason": reason, "lastHeartbeatTime": moment, "lastTransitionTime": moment}


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
