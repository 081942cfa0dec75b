"""Objects as Metal3's managers left them (tests/data/takeover), put where an API server has its objects: with the uids, the
managed fields and the generations that they had, as if it had been the server of those managers all along."""
import base64
import json
import pathlib
import re

from processes import run

DATA = pathlib.Path(__file__).resolve().parents[2] / "data/takeover"
NAMESPACE = "stack1795321381"   # all of them are in it
STATES = ("1-provisioned", "2-other-states", "3-paused-for-move")
NO_NODE = "temporary-fake-id"   # the managers' back-end was none that has nodes
CARDS = "ab:cd:12:34:56:78", "12:34:56:78:ab:cd"   # of every host: it had one set of hardware for all
IMAGE = "http://127.0.0.1/x.qcow2"
VERSION = re.compile(r'(credentialsVersion\\?":\\?")(\d+)')   # of a Secret, also in text within text


class Etcd:
    """What kube-apiserver keeps its objects in, by its JSON gateway."""

    def __init__(self, url):
        self.url = url

    def put(self, key, value):
        self._ask("put", {"key": encoded(key), "value": encoded(value)})

    def delete_all(self, prefix):
        self._ask("deleterange", {"key": encoded(prefix), "range_end": encoded(prefix[:-1] + chr(ord(prefix[-1]) + 1))})

    def _ask(self, what, body):
        return json.loads(run(["curl", "-sSf", "--data-binary", "@-", f"{self.url}/v3/kv/{what}"], f"etcd: {what}", stdin=json.dumps(body)))


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def read(state):
    return [json.loads(line) for line in (DATA / f"{state}.jsonl").read_text().splitlines()]


def titled(objects):
    return {f"{each['kind']}/{each['metadata']['name']}": each for each in objects}


def plural(kind):
    return kind.lower() + {"HostFirmwareSettings": "", "HardwareData": "", "IPAddress": "es"}.get(kind, "s")


def path_of(each, version=None):
    """In the API; `version`: another one than its own."""
    api = each["apiVersion"] if version is None else f"{each['apiVersion'].partition('/')[0]}/{version}"
    root = "apis" if "/" in api else "api"
    return f"/{root}/{api}/namespaces/{each['metadata']['namespace']}/{plural(each['kind'])}/{each['metadata']['name']}"


def key_of(each):
    """In etcd."""
    group = each["apiVersion"].rpartition("/")[0]
    return "/".join(filter(None, ("/registry", group, plural(each["kind"]), each["metadata"]["namespace"], each["metadata"]["name"])))


def wipe(etcd, objects):
    for prefix in sorted({key_of(each).rpartition("/")[0] for each in objects}):
        etcd.delete_all(prefix + "/")


def store(etcd, each):
    metadata = {name: value for name, value in each["metadata"].items() if name != "resourceVersion"}   # etcd's own
    etcd.put(key_of(each), json.dumps({**each, "metadata": metadata}))


class Site:
    """What the objects' world did not have, and this one has: BMCs that listen somewhere, nodes of Ironic, cards that are not
    the same in every host, an image that is there. `bmcs`, `nodes`: by host name."""

    def __init__(self, bmcs, nodes, image):
        self.bmcs, self.nodes, self.image = bmcs, nodes, image

    def adapted(self, each, hosts, versions):
        """The object, of this world. `versions`: those of the Secrets there, to those that they have here."""
        text = json.dumps(each, separators=(",", ":"))
        if each["kind"] in ("BareMetalHost", "HardwareData"):
            text = self._of_host(text, hosts[each["metadata"]["name"]])
        text = VERSION.sub(lambda found: found[1] + versions[found[2]], text)
        return json.loads(text.replace(IMAGE, self.image))

    def _of_host(self, text, host):
        name, mac = host["metadata"]["name"], host["spec"].get("bootMACAddress", "")
        for card, own in zip(CARDS, (mac, "1" + mac[1:])):
            text = text.replace(card, own)
        if name in self.bmcs:
            text = text.replace(host["spec"]["bmc"]["address"], self.bmcs[name])
        return text.replace(NO_NODE, self.nodes.get(name, NO_NODE))


def hosts_in(objects):
    return {each["metadata"]["name"]: each for each in objects if each["kind"] == "BareMetalHost"}
