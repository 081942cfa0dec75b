"""An infrastructure provider that a test plays: kinds that follow the contract, and what a provider would write into them."""
from cluster import GROUP, INFRASTRUCTURE, VERSION, thing
from objects import install_kinds, place

KINDS = ("GenericCluster", "GenericMachine", "GenericMachineTemplate")


class PlayedProvider:
    """Of the objects of one namespace."""

    def __init__(self, kube, namespace):
        self.kube, self.namespace = kube, namespace

    def install(self):
        install_kinds(self.kube, [definition(kind) for kind in KINDS])

    def cluster_is_there(self, name, endpoint):
        self._say("GenericCluster", name, {"controlPlaneEndpoint": endpoint}, {})

    def machine_is_there(self, name, provider_id, address):
        self._say("GenericMachine", name, {"providerID": provider_id},
                  {"addresses": [{"type": "InternalIP", "address": address}]})

    def _say(self, kind, name, spec, status):
        path = place(INFRASTRUCTURE, kind, self.namespace, name)
        self.kube.merge(path, {"spec": spec})
        self.kube.merge(f"{path}/status", {"status": {**status, "initialization": {"provisioned": True}}})


def infrastructure(name, namespace):
    return thing(INFRASTRUCTURE, "GenericCluster", namespace, name, {})


def machine_template(name, namespace):
    return thing(INFRASTRUCTURE, "GenericMachineTemplate", namespace, name, {"template": {"spec": {}}})


def definition(kind):
    """A CustomResourceDefinition as the contract asks for: its name, its labels, a status of its own."""
    plural = kind.lower() + "s"
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.{GROUP}", "labels": {"cluster.x-k8s.io/v1beta2": VERSION}},
            "spec": {"group": GROUP, "scope": "Namespaced",
                     "names": {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()},
                     "versions": [{"name": VERSION, "served": True, "storage": True, "subresources": {"status": {}},
                                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                                       "spec": anything, "status": anything}}}}]}}
