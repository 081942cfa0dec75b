"""The manifests of docs/examples with this run's addresses, passwords, MACs, image and checksum filled in."""
import base64

import yaml

from failure import Failure

KINDS = ("Namespace", "Secret", "BareMetalHost")


class Manifests:
    """`hosts` by name and `secrets` by name, as a user wrote them."""

    kinds = KINDS   # that are applied, in this order

    def __init__(self, folder):
        self.folder = folder
        found = [document for path in sorted(folder.glob("*.yaml")) for document in yaml.safe_load_all(path.read_text())]
        self.documents = sorted((each for each in found if each and each["kind"] in self.kinds), key=lambda each: self.kinds.index(each["kind"]))
        self.hosts = self._named("BareMetalHost")
        self.secrets = self._named("Secret")
        if not self.hosts:
            raise Failure(f"{folder} holds no BareMetalHost")
        self.namespace = next(iter(self.hosts.values()))["metadata"]["namespace"]

    def _named(self, kind):
        return {each["metadata"]["name"]: each for each in self.documents if each["kind"] == kind}

    def keep_only(self, names):
        """Leaves the other hosts out, and the Secrets that only they name."""
        self.hosts = {name: host for name, host in self.hosts.items() if name in names}
        wanted = {secret for host in self.hosts.values() for secret in secrets_of(host)}
        self.secrets = {name: secret for name, secret in self.secrets.items() if name in wanted}
        keep = [*self.hosts.values(), *self.secrets.values()]
        self.documents = [each for each in self.documents if each["kind"] == "Namespace" or each in keep]

    def protocols(self):
        return {name: "ipmi" if self.scheme(name) == "ipmi" else "redfish" for name in self.hosts}

    def scheme(self, name):
        return self.hosts[name]["spec"]["bmc"]["address"].split("://")[0]

    def fill_in(self, machines, image):
        for name, host in self.hosts.items():
            machine, spec = machines[name], host["spec"]
            network = self.secrets[spec["networkData"]["name"]]["stringData"]
            network["networkData"] = network["networkData"].replace(spec["bootMACAddress"], machine.mac)
            spec["image"].update(as_manifest(image))
            self.fill_in_host(name, machine)

    def fill_in_host(self, name, machine):
        spec = self.hosts[name]["spec"]
        spec["bmc"]["address"] = machine.bmc_address(self.scheme(name))
        spec["bootMACAddress"] = machine.mac
        credentials = self.secrets[spec["bmc"]["credentialsName"]]
        credentials.pop("data", None)
        credentials["stringData"] = {"username": machine.username, "password": machine.password}

    def write(self, path):
        path.touch(mode=0o600)  # passwords
        path.write_text(yaml.safe_dump_all(self.documents, sort_keys=False))
        return path

    def config_text(self, host, field):
        """What the Secret that the host names in `field` (userData, metaData, networkData) holds."""
        secret = self.secrets[self.hosts[host]["spec"][field]["name"]]
        for key in (field, "value"):
            if key in secret.get("stringData", {}):
                return secret["stringData"][key]
            if key in secret.get("data", {}):
                return base64.b64decode(secret["data"][key]).decode()
        raise Failure(f"Secret {secret['metadata']['name']} has no {field}")


def as_manifest(image):
    return {"url": image.url, "checksum": image.sha256, "checksumType": "sha256", "format": "raw"}


def secrets_of(host):
    spec = host["spec"]
    return [spec["bmc"]["credentialsName"],
            *(spec[field]["name"] for field in ("userData", "metaData", "networkData") if field in spec)]
