"""Objects of all kinds, right and wrong ones, as requests to an API server: the tables of tests/data/manifests and the vectors."""
import dataclasses
import json
import re

import yaml

from api_server import ROOT

DATA = ROOT / "tests/data"
VALIDATION = "bmh_validation", "capm3_validation", "ipam_validation"
STEP = re.compile(r"[^.\[\]]+")
REPEATED = re.compile(r'^(.*["\]])\*(\d+)$', re.DOTALL)
HERE = "@here@"   # stands for the text of a new value
OF_CLUSTER_API = "cluster", "machine"   # Cluster API's own kinds: its managers convert them


@dataclasses.dataclass
class Request:
    """`text`: the object, in the version that `kind` and `version` say; `before`: what is stored when it is an update."""

    what: str
    version: str
    kind: str
    text: str
    before: dict | None = None


def manifests():
    """Each document whole, and with each change of its table that is not below the status."""
    for path in sorted((DATA / "manifests").glob("*.yaml")):
        document = yaml.load(path.read_text(), Loader=Text)
        document["metadata"].pop("namespace", None)
        kind, version = document["kind"], document["apiVersion"]
        yield Request(path.stem, version, kind, json.dumps(document))
        for line in path.with_suffix(".tsv").read_text().split("\n"):
            if not line or line.startswith("#"):
                continue
            breaks, where, value, _ = line.split("\t")
            if where.split(".")[0] not in ("status", "metadata", "apiVersion", "kind"):
                yield Request(f"{path.stem}: {breaks} {where} {value[:60]}", version, kind, changed(document, where, value))


def vectors(groups):
    """What upstream's webhooks were asked. `groups`: apiVersion by kind."""
    for name in VALIDATION:
        for case in cases(name):
            asked = case["in"]
            kind = asked["kind"]
            version = asked["object"].get("apiVersion") or groups[kind]
            if asked["op"] in ("create", "update"):
                yield Request(f"{name}: {case['name']}", version, kind, json.dumps(complete(asked["object"], version, kind)),
                              complete(asked["oldObject"], version, kind) if "oldObject" in asked else None)


def conversions():
    """Objects of v1beta1, which are stored as v1beta2."""
    for path in sorted((DATA / "vectors").glob("convert_metal3*.jsonl")):
        for case in cases(path.stem):
            each = case["in"]["object"] if "object" in case["in"] else case["in"]
            if each.get("apiVersion"):
                yield Request(f"{path.stem}: {case['name']}", each["apiVersion"], each["kind"],
                              json.dumps(complete(each, each["apiVersion"], each["kind"])))


def cases(name):
    return [json.loads(line) for line in (DATA / f"vectors/{name}.jsonl").read_text().split("\n") if line]


def complete(each, version, kind):
    """Without what says where it is, and what keeps it or has it collected."""
    gone = "namespace", "resourceVersion", "uid", "ownerReferences", "finalizers"
    metadata = {key: value for key, value in each["metadata"].items() if key not in gone}
    return {**each, "apiVersion": version, "kind": kind, "metadata": metadata}


def changed(document, where, value):
    """The document as text, for values that are no JSON of Python's."""
    copy = json.loads(json.dumps(document))
    *way, last = [int(step) if step.isdigit() else step for step in STEP.findall(where)]
    parent = copy
    for step in way:
        parent = parent[step]
    if value == "-":
        del parent[last]
        return json.dumps(copy)
    if value == "twice":
        parent[last].append(parent[last][0])
        return json.dumps(copy)
    parent[last] = HERE
    return json.dumps(copy).replace(f'"{HERE}"', spelled(value))


def spelled(value):
    """TEXT*N and ["n#"]*N, as the README of the tables says."""
    found = REPEATED.match(value)
    if not found:
        return value
    one, times = found[1], int(found[2])
    inner = one[1:-1]
    if one[0] == '"':
        return f'"{inner * times}"'
    return "[" + ",".join(inner.replace("#.#", f"{i // 256}.{i % 256}").replace("#", str(i)) for i in range(times)) + "]"


class Text(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Times stay the text that they are."""


Text.yaml_implicit_resolvers = {first: [(tag, pattern) for tag, pattern in rows if tag != "tag:yaml.org,2002:timestamp"]
                                for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()}
