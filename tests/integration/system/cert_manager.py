"""What cert-manager does with the Issuers and Certificates of an installation: it writes Secrets, and their authority into what asks
for it."""
import itertools

from cluster_api.authority import Authority, encoded
from webhooks import WITH_WEBHOOKS, client_configs

GROUP = "cert-manager.io"
INJECTED = f"{GROUP}/inject-ca-from"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
KINDS = ("issuers", "Issuer"), ("certificates", "Certificate")


class CertManager:
    """Of one namespace."""

    numbers = itertools.count()

    def __init__(self, kube, folder, namespace):
        self.kube, self.folder, self.namespace = kube, folder, namespace
        self.authorities = {}   # by the Secret that holds it

    def issue_all(self):
        """Those that sign come first; then whoever asks is told whom to believe."""
        listed = self.kube.items(f"/apis/{GROUP}/v1/namespaces/{self.namespace}/certificates")
        for each in sorted(listed, key=lambda each: not each["spec"].get("isCA")):
            self.issue(each)
        self._inject()

    def renew(self, name):
        """With another key."""
        self.issue(self.kube.get(f"/apis/{GROUP}/v1/namespaces/{self.namespace}/certificates/{name}"))
        self._inject()

    def issue(self, certificate):
        spec, folder = certificate["spec"], self.folder / f"issued-{next(self.numbers)}"
        issuer = self.kube.get(f"/apis/{GROUP}/v1/namespaces/{self.namespace}/issuers/{spec['issuerRef']['name']}")["spec"]
        extensions = "subjectAltName=" + ",".join(f"DNS:{name}" for name in spec.get("dnsNames", [spec.get("commonName")]))
        if "selfSigned" in issuer:
            authority = Authority.new(folder, spec.get("commonName", certificate["metadata"]["name"]), extensions)
            pair = authority.own
            self.authorities[spec["secretName"]] = authority
        else:
            authority = self.authorities[issuer["ca"]["secretName"]]
            pair = authority.issue(folder.name, "/", extensions)
        self._write(spec["secretName"], {"tls.crt": encoded(pair.certificate.read_bytes()), "tls.key": encoded(pair.key.read_bytes()),
                                         "ca.crt": encoded(authority.own.certificate.read_bytes())})

    def _write(self, name, data):
        path = f"/api/v1/namespaces/{self.namespace}/secrets"
        if self.kube.get(f"{path}/{name}"):
            self.kube.merge(f"{path}/{name}", {"data": data})
        else:
            self.kube.call("POST", path, {"metadata": {"name": name}, "type": "kubernetes.io/tls", "data": data})

    def _inject(self):
        for path in WITH_WEBHOOKS:
            for each in self.kube.items(path):
                source = each["metadata"].get("annotations", {}).get(INJECTED, "")
                configs = client_configs(each)
                if not source.startswith(f"{self.namespace}/") or not configs:
                    continue
                certificate = self.kube.get(f"/apis/{GROUP}/v1/namespaces/{self.namespace}/certificates/{source.partition('/')[2]}")
                bundle = self.kube.get(f"/api/v1/namespaces/{self.namespace}/secrets/{certificate['spec']['secretName']}")["data"]["ca.crt"]
                if any(config.get("caBundle") != bundle for config in configs):
                    for config in configs:
                        config["caBundle"] = bundle
                    self.kube.merge(f"{path}/{each['metadata']['name']}", {key: each[key] for key in ("spec", "webhooks") if key in each})


def definitions():
    """Of its kinds, which take whatever they are given."""
    return [permissive(plural, kind) for plural, kind in KINDS]


def permissive(plural, kind):
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": f"{plural}.{GROUP}"},
            "spec": {"group": GROUP, "scope": "Namespaced", "names": {"kind": kind, "plural": plural},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}]}}
