"""An object of each kind of the provider that has an older version, as it is stored after an upgrade of Metal3."""
GROUP, VERSION = "infrastructure.cluster.x-k8s.io", "v1beta2"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
IMAGE = {"image": {"url": "http://192.0.2.1/node.img", "checksum": "0" * 64, "checksumType": "sha256", "diskFormat": "raw"}}
ENDPOINT = {"controlPlaneEndpoint": {"host": "192.0.2.2", "port": 6443}}
REBOOT = {"strategy": {"type": "Reboot", "retryLimit": 1, "timeoutSeconds": 600}}
TEMPLATE = {"template": {"name": "edge"}}
SPECS = {"Metal3Cluster": ENDPOINT, "Metal3ClusterTemplate": {"template": {"spec": ENDPOINT}}, "Metal3DataClaim": TEMPLATE,
         "Metal3Data": {"index": 0, "claim": {"name": "edge"}, **TEMPLATE}, "Metal3DataTemplate": {"clusterName": "edge"},
         "Metal3Machine": IMAGE, "Metal3MachineTemplate": {"template": {"spec": IMAGE}},
         "Metal3Remediation": REBOOT, "Metal3RemediationTemplate": {"template": {"spec": REBOOT}}}


def definition(kind):
    return f"{CRDS}/{kind.lower()}s.{GROUP}"


def create(kube, namespace):
    """One of each, and the definitions say that there may be older ones."""
    for kind, spec in SPECS.items():
        path = f"/apis/{GROUP}/{VERSION}/namespaces/{namespace}/{kind.lower()}s"
        kube.call("POST", path, {"apiVersion": f"{GROUP}/{VERSION}", "kind": kind, "metadata": {"name": "edge-0"}, "spec": spec})
        kube.merge(f"{definition(kind)}/status", {"status": {"storedVersions": ["v1beta1", VERSION]}})


def are_migrated(kube):
    return all(kube.get(definition(kind))["status"]["storedVersions"] == [VERSION] for kind in SPECS)
