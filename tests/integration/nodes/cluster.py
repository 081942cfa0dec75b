"""A management cluster whose pods run: kube-apiserver, kube-controller-manager, kube-scheduler, and kubelets of the tests."""
import subprocess
import threading
import typing

from api_server import ROOT, ApiServer
from kube import Kube
from nodes.informer import Informer
from nodes.kubelet import Kubelet
from nodes.network import Network
from nodes.service_proxy import ServiceProxy
from patience import within
from processes import Processes

BIN = ROOT / ".cache/peers/bin"
PEERS = ("kubectl", "etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
GARBAGE = "garbage-collector-controller"
CONTROLLERS = ("namespace-controller", GARBAGE, "clusterrole-aggregation-controller", "deployment-controller", "replicaset-controller",
               "serviceaccount-controller", "root-ca-certificate-publisher-controller", "endpointslice-controller", "disruption-controller",
               "node-lifecycle-controller", "taint-eviction-controller")
NODES = ("node-1", "node-2")
SECONDS = 60
# Of a Node that says nothing: an API whose storage stands still for a minute hears nobody.
GRACE = "5m"
BACKOFF = 1, 30, 60   # seconds: first, most, and of a run after which it begins anew; a kubelet's are 10, 300, 600


class Image(typing.NamedTuple):
    """What stands for a container image: the program that it starts, folders of this machine that are in it, its user."""
    command: tuple
    folders: tuple = ()
    user: int = 0


class End(typing.NamedTuple):
    """Of a container that nobody has told to end but, where it was ill, its kubelet."""
    pod: str
    process: object
    was_ill: bool = False   # by its startup or liveness probe


class Cluster:
    """`images` by the last part of their names. `number`: where a test has several clusters. `environment`: what each container
    gets besides its own. `reads_of`: users whose reads the audit log has."""

    def __init__(self, folder, images, nodes=NODES, number=0, controllers=CONTROLLERS, environment=None, reads_of=(), crds=()):
        subprocess.run([ROOT / "tools/peers/kubernetes.sh", *PEERS], check=True, stdout=subprocess.DEVNULL)
        self.folder, self.images, self.names, self.number, self.controllers = folder, images, nodes, number, controllers
        self.environment, self.reads_of, self.crds = environment or {}, reads_of, crds
        self.backoff = BACKOFF
        self.processes, self.containers = Processes(folder), Processes(folder)
        self.logs = []   # of containers
        self.ends = []   # in their order
        self.closing = threading.Event()
        self.kubelets = {}
        self.network = self.api = self.kube = self.services = None

    def start(self):
        self.network = Network(self.number)
        self.api = ApiServer(self.folder, crds=self.crds, reads_of=self.reads_of, at=self.network.api).start()
        self.kube = Kube(self.api.kubeconfig)
        self.api_of_pods = self.network.api, 443
        self._start("kube-controller-manager", f"--controllers={','.join(self.controllers)}", f"--node-monitor-grace-period={GRACE}",
                    f"--root-ca-file={self.api.kubeconfig.with_name('ca.crt')}")
        self._start("kube-scheduler")
        return self

    def start_nodes(self, api_of_pods=None):
        """`api_of_pods`: address and port at which containers find the API, when that is not its own."""
        self.api_of_pods = api_of_pods or self.api_of_pods
        self.secrets = Informer(self.kube, "/api/v1/secrets", self.closing).start()
        self.config_maps = Informer(self.kube, "/api/v1/configmaps", self.closing).start()
        self.services = ServiceProxy(self.kube, self.network, self.closing)
        self.kubelets = {name: Kubelet(self, name, number).start() for number, name in enumerate(self.names, 1)}
        self.pods = Informer(self.kube, "/api/v1/pods", self.closing, self._bound, self._gone).start()
        within(SECONDS, "kubelets know what there is", lambda: all(
            each.synced.is_set() for each in (self.secrets, self.config_maps, self.pods, self.services.services, self.services.slices)))
        return self

    def stop(self):
        self.leave()
        for process in self.containers.list:
            process.child.kill()
        self.containers.stop()
        for pod in self._pods():
            if pod.sandbox:
                pod.sandbox.close()
        self.processes.stop()
        if self.services:
            self.services.close()
        if self.api:
            self.api.stop()
        if self.network:
            self.network.close()

    def leave(self):
        """Kubelets end; containers stay as they are, as they do then. Returns them."""
        self.closing.set()
        for pod in self._pods():
            pod.thread.join(SECONDS)
            for container in pod.containers:
                container.leave()
        return list(self.containers.list)

    def container(self, pod):
        """The first one of the pod of that name; None: no node has it."""
        return next((each.containers[0] for each in self._pods() if each.name == pod), None)

    def _pods(self):
        return [pod for kubelet in self.kubelets.values() for pod in list(kubelet.pods.values())]

    # What kubelets ask of it

    def run(self, name, argv):
        process = self.containers.start(name, argv)
        self.logs.append(process.log)
        return process

    def forget(self, process):
        self.containers.list.remove(process)

    def ended(self, pod, process, was_ill):
        self.ends.append(End(pod, process, was_ill))

    def _bound(self, pod):
        kubelet = self.kubelets.get(pod["spec"].get("nodeName"))
        if kubelet:
            kubelet.take(pod)

    def _gone(self, pod):
        kubelet = self.kubelets.get(pod["spec"].get("nodeName"))
        if kubelet:
            kubelet.lose(pod)

    def _start(self, program, *words):
        self.processes.start(program, [BIN / program, f"--kubeconfig={self.api.kubeconfig}", "--leader-elect=false", "--secure-port=0", *words])
