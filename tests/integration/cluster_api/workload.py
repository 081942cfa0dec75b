"""A workload cluster without machines: the API server and the controllers that judge Nodes, Pods and certificate requests.

Its objects are in the etcd of the management cluster, under a prefix. Nodes are what a test makes of them (kubeadm.py)."""
import pathlib

from authority import Authority, encoded
from health import healthy
from kube import Kube
from objects import create
from ports import free_port
from processes import run

BIN = pathlib.Path(__file__).resolve().parents[3] / ".cache/peers/bin"
START_SECONDS = 180
GRACE = "10s"   # until a Node that says nothing is Unknown
CONTROLLERS = ("node-lifecycle-controller", "pod-garbage-collector-controller",
               "certificatesigningrequest-approving-controller", "certificatesigningrequest-signing-controller")
BOOTSTRAPPERS = "system:bootstrappers:kubeadm:default-node-token"
RBAC = "rbac.authorization.k8s.io"


class WorkloadCluster:
    """`name`: of its Cluster; `endpoint`: where its API will be, known before it runs; `etcd`: URL of the server it shares."""

    def __init__(self, name, folder, processes, etcd):
        self.name, self.processes, self.etcd = name, processes, etcd
        self.endpoint = {"host": "127.0.0.1", "port": free_port()}
        self.url = "https://{host}:{port}".format(**self.endpoint)
        self.folder = folder / name
        self.authority = Authority.new(self.folder / "pki", "kubernetes")
        self.etcd_authority = Authority.new(self.folder / "etcd-pki", "etcd-ca")
        self.kube = None

    def start(self):
        self._start_api()
        admin = self.authority.client("admin", "admin", "system:masters")
        self.kube = Kube(self.authority.kubeconfig(self.folder / "admin.kubeconfig", self.url, admin))
        for each in rights_of_bootstrappers():
            create(self.kube, each)
        self._start_controllers()

    def secrets(self, namespace):
        """What an operator gives to Cluster API before the cluster exists: its authority, and the way into an external etcd."""
        client = self.etcd_authority.client("apiserver-etcd-client", "kube-apiserver-etcd-client", "system:masters")
        return [pair_secret(f"{self.name}-{purpose}", self.name, namespace, pair) for purpose, pair in (
            ("ca", self.authority.own), ("etcd", self.etcd_authority.own), ("apiserver-etcd-client", client))]

    def _start_api(self):
        serving = self.authority.server("apiserver")
        tokens = self.folder / "sa.key"
        run(["openssl", "genrsa", "-out", tokens, "2048"], "the key of service accounts")
        api = self.processes.start(f"{self.name}-kube-apiserver", [
            BIN / "kube-apiserver", f"--etcd-servers={self.etcd}", f"--etcd-prefix=/{self.name}", "--bind-address=127.0.0.1",
            f"--secure-port={self.endpoint['port']}", f"--tls-cert-file={serving.certificate}",
            f"--tls-private-key-file={serving.key}", f"--client-ca-file={self.authority.own.certificate}",
            "--service-account-issuer=https://test", f"--service-account-key-file={tokens}",
            f"--service-account-signing-key-file={tokens}", "--authorization-mode=Node,RBAC", "--enable-bootstrap-token-auth",
            "--enable-admission-plugins=NodeRestriction", "--disable-admission-plugins=ServiceAccount",
            "--service-cluster-ip-range=10.0.0.0/24", "--endpoint-reconciler-type=none"])
        api.wait_until(lambda: healthy(f"{self.url}/readyz", self.authority.own.certificate), START_SECONDS, "being ready")

    def _start_controllers(self):
        identity = self.authority.client("controller-manager", "system:kube-controller-manager", "system:masters")
        serving = self.authority.server("controllers")
        port = free_port()
        controllers = self.processes.start(f"{self.name}-kube-controller-manager", [
            BIN / "kube-controller-manager", f"--controllers={','.join(CONTROLLERS)}", "--leader-elect=false",
            f"--kubeconfig={self.authority.kubeconfig(self.folder / 'controllers.kubeconfig', self.url, identity)}",
            f"--cluster-signing-cert-file={self.authority.own.certificate}",
            f"--cluster-signing-key-file={self.authority.own.key}", f"--node-monitor-grace-period={GRACE}",
            "--node-monitor-period=2s", "--bind-address=127.0.0.1", f"--secure-port={port}",
            f"--tls-cert-file={serving.certificate}", f"--tls-private-key-file={serving.key}"])
        url = f"https://127.0.0.1:{port}/healthz"
        controllers.wait_until(lambda: healthy(url, self.authority.own.certificate), START_SECONDS, "being well")


def pair_secret(name, cluster, namespace, pair):
    return {"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
            "metadata": {"name": name, "namespace": namespace, "labels": {"cluster.x-k8s.io/cluster-name": cluster}},
            "data": {"tls.crt": encoded(pair.certificate.read_bytes()), "tls.key": encoded(pair.key.read_bytes())}}


def rights_of_bootstrappers():
    """What `kubeadm init` allows those who come with a bootstrap token: to read Nodes, to ask for a certificate, to get it."""
    return [
        {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": {"name": "kubeadm:get-nodes"},
         "rules": [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get"]}]},
        binding("kubeadm:get-nodes", "kubeadm:get-nodes", BOOTSTRAPPERS),
        binding("kubeadm:kubelet-bootstrap", "system:node-bootstrapper", BOOTSTRAPPERS),
        binding("kubeadm:node-autoapprove-bootstrap", "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
                BOOTSTRAPPERS),
        binding("kubeadm:node-autoapprove-certificate-rotation",
                "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient", "system:nodes")]


def binding(name, role, group):
    return {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRoleBinding", "metadata": {"name": name},
            "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": role},
            "subjects": [{"apiGroup": RBAC, "kind": "Group", "name": group}]}
