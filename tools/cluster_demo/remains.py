"""What a cluster that is deleted leaves behind. Nobody collects garbage in this management cluster, so what a garbage collector would
take is still there, and does not count."""
from cluster import INFRASTRUCTURE

HOST = "metal3.io/v1alpha1"
IPAM = "ipam.metal3.io/v1alpha1"
OF_MACHINES = (*((kind, INFRASTRUCTURE) for kind in ("Metal3Machine", "Metal3DataClaim", "Metal3Data")), ("IPClaim", IPAM), ("IPAddress", IPAM))
COLLECTED = (("Metal3Remediation", INFRASTRUCTURE), ("Secret", "v1"))   # by nothing but their owner references
DATA = ("userData", "metaData", "networkData")
ON_HOSTS = ("consumerRef", "image", *DATA)
CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name"


def remains(stage):
    """Words for each thing that should not be there."""
    brought = {(each["kind"], each["metadata"]["name"]) for each in stage.manifests.documents}
    found = [(kind, each) for kind, version in OF_MACHINES for each in stage.all(kind, version)]
    found += [(kind, each) for kind, version in COLLECTED for each in stage.all(kind, version)
              if (kind, each["metadata"]["name"]) not in brought and not is_garbage(stage, each)]
    return [*(f"{kind} {each['metadata']['name']}" for kind, each in found), *on_hosts(stage)]


def is_garbage(stage, each):
    """It had owners, and they are gone."""
    metadata = each["metadata"]
    owners = metadata.get("ownerReferences") or []
    return bool(owners) and not metadata.get("finalizers") and not any(exists(stage, owner) for owner in owners)


def exists(stage, owner):
    found = stage.get(owner["apiVersion"], owner["kind"], owner["name"])
    return found is not None and found["metadata"]["uid"] == owner["uid"]


def on_hosts(stage):
    return [f"{what} of host {each['metadata']['name']}" for each in stage.all("BareMetalHost", HOST)
            for what in (*(field for field in ON_HOSTS if field in each["spec"]),
                         *({CLUSTER_LABEL} & set(each["metadata"].get("labels") or {})))]


def data_of_machines(stage):
    """Names of the Secrets that each host was given with its machine, by the host's name."""
    return {each["metadata"]["name"]: [each["spec"][what]["name"] for what in DATA if what in each["spec"]]
            for each in stage.all("BareMetalHost", HOST) if "consumerRef" in each["spec"]}
