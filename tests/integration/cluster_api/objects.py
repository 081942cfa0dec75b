"""Kubernetes objects by what they say of themselves: where they are in the API, creating them, their conditions."""
from authority import encoded
from patience import within
from webhooks import client_configs

CRD = "CustomResourceDefinition"
BAD_WHEN_TRUE = ("Deleting", "Paused", "Remediating", "RollingOut", "ScalingDown", "ScalingUp", "Updating")
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def place(api_version, kind, namespace=None, name=None):
    """The API's path of these objects, or of one."""
    words = ["apis" if "/" in api_version else "api", api_version]
    words += ["namespaces", namespace] if namespace else []
    return "/" + "/".join([*words, kind.lower() + ("es" if kind.endswith("s") else "s"), *([name] if name else [])])


def create(kube, each):
    return kube.call("POST", place(each["apiVersion"], each["kind"], each["metadata"].get("namespace")), each)


def conditions(each):
    return (each or {}).get("status", {}).get("conditions") or []   # null in a new CustomResourceDefinition


def state_of(each, kind):
    """The condition's status, or None."""
    return next((found["status"] for found in conditions(each) if found["type"] == kind), None)


def holds(each, kind):
    return state_of(each, kind) == "True"


def complaints_of(each):
    """What its conditions say against it."""
    return [f"{found['type']} is {found['status']}: {found['reason']} {found.get('message', '')}".strip()
            for found in conditions(each) if found["status"] != ("False" if found["type"] in BAD_WHEN_TRUE else "True")]


def with_webhooks_at(url, authority, each):
    """The object, whose webhooks are asked at `url` instead of through a Service, whose certificate cert-manager would have
    made."""
    for config in client_configs(each):
        config["url"] = url + config.pop("service").get("path", "/")
        config["caBundle"] = encoded(authority.own.certificate.read_bytes())
    return each


def install_kinds(kube, crds):
    """Creates these CustomResourceDefinitions; returns once their kinds are served."""
    for crd in crds:
        create(kube, crd)
    for crd in crds:
        path = f"{CRDS}/{crd['metadata']['name']}"
        within(120, f"{path} is served", lambda path=path: holds(kube.get(path), "Established"))
