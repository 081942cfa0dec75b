"""The objects of deploy/default, by the provider of clusterctl that brings them, with the variables that Metal3's have."""
import pathlib
import subprocess

import yaml

KUBECTL = pathlib.Path(__file__).resolve().parents[2] / ".cache/peers/bin/kubectl"
# What an operator may set, under the names that Metal3's manifests have for it.
ARGUMENTS = {"--provisioner": "${INGOT_PROVISIONER:=ironic}",
             "--diagnostics-address": "${CAPM3_DIAGNOSTICS_ADDRESS:=:8443}",
             "--insecure-diagnostics": "${CAPM3_INSECURE_DIAGNOSTICS:=false}",
             "--enable-bmh-name-based-preallocation": "${ENABLE_BMH_NAME_BASED_PREALLOCATION:=false}"}
# How agents, which are elsewhere, come to the Service of this name: what is edited there is gone with the next upgrade.
AGENTS, AGENTS_TYPE = "ingot-agents", "${INGOT_AGENTS_SERVICE_TYPE:=ClusterIP}"
ENVIRONMENT = {"CAPM3_FAST_TRACK": "${CAPM3_FAST_TRACK:=false}"}
PROVIDER = "cluster.x-k8s.io/provider"


class NotRendered(Exception):
    pass


def rendered(folder):
    done = subprocess.run([KUBECTL, "kustomize", folder], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotRendered(f"kubectl kustomize {folder}: {done.stderr.strip()}")
    return list(yaml.load_all(done.stdout, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def split(objects, image):
    """By provider. The Namespace is in both: each may be installed first."""
    parts = {"infrastructure": [], "ipam": []}
    for each in objects:
        if each["kind"] == "Namespace":
            parts["ipam"].append(labelled(each, "ipam"))
        name = "ipam" if is_of_ipam(each) else "infrastructure"
        parts[name].append(labelled(with_variables(each, image), name))
    return parts


def is_of_ipam(each):
    """Its kinds alone: clusterctl has a webhook ask a Service of its provider's namespace, and the Service is where the Deployment is."""
    return each["kind"] == "CustomResourceDefinition" and each["spec"]["group"] == "ipam.metal3.io"


def labelled(each, name):
    metadata = each["metadata"]
    return {**each, "metadata": {**metadata, "labels": {**metadata.get("labels", {}), PROVIDER: f"{name}-metal3"}}}


def with_variables(each, image):
    if each["kind"] == "Service" and each["metadata"]["name"] == AGENTS:
        return {**each, "spec": {**each["spec"], "type": AGENTS_TYPE}}
    if each["kind"] != "Deployment":
        return each
    container = each["spec"]["template"]["spec"]["containers"][0]
    kept = [argument for argument in container["args"] if argument.partition("=")[0] not in ARGUMENTS]
    container["args"] = [*kept, *(f"{flag}={value}" for flag, value in ARGUMENTS.items())]
    container["env"] = [*container["env"], *({"name": name, "value": value} for name, value in ENVIRONMENT.items())]
    container["image"] = image
    return each


class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):
    """What has a variable is quoted: what it stands for shall stay a text."""

    def ignore_aliases(self, _):
        return True


def represent(dumper, value):
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"' if "${" in value else None)


Dumper.add_representer(str, represent)


def text(objects):
    return yaml.dump_all(objects, Dumper=Dumper, sort_keys=False, width=120)
