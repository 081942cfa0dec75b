"""What kubeadm does on a machine, as far as the API server can see, from nothing but the machine's bootstrap data.

`init` and `join` return the Node's Kubelet, which has registered and is well."""
import hashlib
import subprocess

import yaml

from authority import Authority, encoded, signing_request, write_kubeconfig
from kube import Kube, decoded
from kubelet import Kubelet
from objects import create, place
from patience import within

PKI = "/etc/kubernetes/pki"
REQUESTS = "certificates.k8s.io/v1"
ROLE = "node-role.kubernetes.io/control-plane"


class BootstrapData:
    """The files that cloud-init would write."""

    def __init__(self, secret):
        document = decoded(secret["data"]["value"])
        self.files = {each["path"]: each["content"] for each in yaml.safe_load(document)["write_files"]}

    @property
    def is_init(self):
        return "/run/kubeadm/kubeadm.yaml" in self.files

    def configuration(self, kind):
        """The kubeadm document of that kind."""
        text = self.files["/run/kubeadm/kubeadm.yaml" if self.is_init else "/run/kubeadm/kubeadm-join-config.yaml"]
        return next(each for each in yaml.safe_load_all(text) if each and each["kind"] == kind)

    def authority(self, folder):
        """The cluster's own, which only control planes get."""
        folder.mkdir(mode=0o700, parents=True)
        for name in ("ca.crt", "ca.key"):
            (folder / name).write_text(self.files[f"{PKI}/{name}"])
        return Authority(folder)


def init(data, folder, name, provider_id=""):
    """`kubeadm init`: the first machine of a control plane."""
    configuration = data.configuration("ClusterConfiguration")
    authority, url = data.authority(folder), f"https://{configuration['controlPlaneEndpoint']}"
    admin_pair = authority.client("admin", "kubernetes-admin", "system:masters")
    admin = Kube(authority.kubeconfig(folder / "admin.conf", url, admin_pair))
    node_pair = authority.client("kubelet", f"system:node:{name}", "system:nodes")
    identity = authority.kubeconfig(folder / "kubelet.conf", url, node_pair)
    taints = [{"key": ROLE, "effect": "NoSchedule"}]
    kubelet = Kubelet(identity, name, provider_id, configuration["kubernetesVersion"], taints)
    kubelet.start()
    kubelet.run_control_plane()
    admin.merge(place("v1", "Node", name=name), {"metadata": {"labels": {ROLE: ""}}})
    create(admin, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "kubeadm-config", "namespace": "kube-system"},
                   "data": {"ClusterConfiguration": yaml.safe_dump(configuration)}})
    return kubelet


def join(data, folder, name, provider_id="", *, version, authority):
    """`kubeadm join` of a worker: its token buys a certificate. `authority`: the file of the certificate that the data must
    have promised, which kubeadm itself finds in ConfigMap cluster-info."""
    configuration = data.configuration("JoinConfiguration")
    discovery = configuration["discovery"]["bootstrapToken"]
    if public_key_hash(authority) not in discovery["caCertHashes"]:
        raise AssertionError(f"{authority} is not what the bootstrap data of {name} promises")
    folder.mkdir(mode=0o700, parents=True)
    url = f"https://{discovery['apiServerEndpoint']}"
    bootstrapper = Kube(write_kubeconfig(folder / "bootstrap-kubelet.conf", url, authority, {"token": discovery["token"]}))
    identity = write_kubeconfig(folder / "kubelet.conf", url, authority, certificate_of(bootstrapper, folder, name))
    kubelet = Kubelet(identity, name, provider_id, version, configuration["nodeRegistration"].get("taints") or [])
    kubelet.start()
    return kubelet


def certificate_of(bootstrapper, folder, name):
    """Asks for a kubelet's certificate and waits until the cluster has signed it. The user of a kubeconfig."""
    request = signing_request(folder, "kubelet", f"/O=system:nodes/CN=system:node:{name}")
    create(bootstrapper, {"apiVersion": REQUESTS, "kind": "CertificateSigningRequest", "metadata": {"name": f"node-{name}"},
                          "spec": {"request": encoded(request.read_bytes()), "usages": ["digital signature", "client auth"],
                                   "signerName": "kubernetes.io/kube-apiserver-client-kubelet"}})
    path = place(REQUESTS, "CertificateSigningRequest", name=f"node-{name}")
    signed, _ = within(120, f"the certificate of {name} is signed",
                       lambda: bootstrapper.get(path).get("status", {}).get("certificate"))
    return {"client-certificate-data": signed, "client-key-data": encoded((folder / "kubelet.key").read_bytes())}


def public_key_hash(certificate):
    key = subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-pubkey"], check=True, stdout=subprocess.PIPE).stdout
    plain = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "DER"], input=key, check=True, stdout=subprocess.PIPE).stdout
    return "sha256:" + hashlib.sha256(plain).hexdigest()
