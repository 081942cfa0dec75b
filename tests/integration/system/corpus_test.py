"""Some four thousand objects, right and wrong ones, go through the webhooks of deploy/default on a real kube-apiserver, and to the
embedded API, which asks the same rules in process: both answer the same. So do conversions, in both directions."""
import http.client
import json
import re

import case
import corpus
from case import within
from installed_case import InstalledTest
from kube import Kube
from nodes.cluster import CONTROLLERS, GARBAGE
from ports import free_port

SECONDS = 60
VOLATILE = "uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "namespace", "selfLink"
DENIED = re.compile(r'^admission webhook "[^"]+" denied the request: ')
ESCAPED = re.compile(r"\\u([0-9a-f]{4})")
# Of several faults the embedded API tells those that it finds first: it converts, and validates, before it looks at labels.
FIRST_FAULT = {f"convert_{name}" for name in ("metal3clustertemplate: up-odd-annotation", "metal3machine: up-odd-annotation",
                                             "metal3machine: up-odd-annotation-007")}
VERSIONS = "v1beta1", "v1beta2"


class Server:
    """An API on one connection."""

    def __init__(self, kube, paths):
        self.kube, self.paths, self.connection = kube, paths, kube.connect()

    def ask(self, method, path, text=None):
        """(status, decoded answer)"""
        for attempt in (1, 2):
            try:
                self.connection.request(method, path, text, {"Content-Type": "application/json", **self.kube.headers})
                answer = self.connection.getresponse()
                return answer.status, json.loads(answer.read())
            except (OSError, http.client.HTTPException):
                if attempt == 2:
                    raise
                self.connection.close()
        raise AssertionError("unreachable")

    def path(self, version, kind):
        return self.paths[(version, kind)]

    def verdict(self, request):
        """What it says of the object, written down nowhere."""
        path = self.path(request.version, request.kind)
        options = "dryRun=All&fieldValidation=Strict"
        if request.before is None:
            return told(*self.ask("POST", f"{path}?{options}", request.text))
        status, stored = self.ask("POST", path, json.dumps(request.before))
        if status != 201:
            return told(status, stored)
        own = f"{path}/{stored['metadata']['name']}"
        asked = json.loads(request.text)
        asked["metadata"] = {**asked["metadata"], "resourceVersion": stored["metadata"]["resourceVersion"]}
        answer = told(*self.ask("PUT", f"{own}?{options}", json.dumps(asked)))
        self.ask("DELETE", own)
        return answer

    def conversions(self, request):
        """The object as it is given in each version."""
        status, stored = self.ask("POST", self.path(request.version, request.kind), request.text)
        if status != 201:
            return told(status, stored)
        group, name = request.version.rpartition("/")[0], stored["metadata"]["name"]
        paths = [f"{self.path(f'{group}/{version}', request.kind)}/{name}" for version in VERSIONS]
        answers = [told(*self.ask("GET", path)) for path in paths]
        self.ask("DELETE", paths[-1])
        return answers


def told(status, answer):
    if status < 300:
        metadata = {key: value for key, value in answer["metadata"].items() if key not in VOLATILE}
        return status, {**answer, "metadata": metadata}
    # A kube-apiserver tells causes in any order, and one or the other twice; a text that it quotes is in ASCII.
    causes = sorted({(each.get("reason", ""), each.get("field", ""), ESCAPED.sub(character, each["message"]))
                     for each in answer.get("details", {}).get("causes", [])})
    message = DENIED.sub("", answer["message"])
    return status, answer.get("reason"), causes, message.partition(" is invalid: ")[0] if causes else message


def character(found):
    return chr(int(found[1], 16))


def fails_to_convert(real, embedded):
    """A kube-apiserver has an object converted for a webhook of another version before it looks whether it fits its schema. What
    has no field of the right type cannot be: it says so, of the same field, with another status."""
    if not isinstance(real, tuple) or real[0] != 500 or not isinstance(embedded, tuple) or embedded[0] not in (422, 500):
        return False
    said = real[3] + "".join(message for _, _, message in real[2])
    if embedded[0] == 500:   # which has no object's name to tell
        return " failed: " in embedded[3] and embedded[3].partition(" failed: ")[2] in said
    return "conversion webhook" in said and any(reason == "FieldValueTypeInvalid" and f": {field}: expected " in said
                                                for reason, field, _ in embedded[2])


def paths_of(kube):
    """Where objects of each kind are created, by its apiVersion."""
    out = {}
    for each in kube.items("/apis/apiextensions.k8s.io/v1/customresourcedefinitions"):
        spec = each["spec"]
        space = "namespaces/default/" if spec["scope"] == "Namespaced" else ""
        for version in spec["versions"]:
            name = f"{spec['group']}/{version['name']}"
            out[(name, spec["names"]["kind"])] = f"/apis/{name}/{space}{spec['names']['plural']}"
    return out


class Corpus(InstalledTest):
    settings = {"replicas": 1, "controllers": [each for each in CONTROLLERS if each != GARBAGE]}   # owners that there never were

    def setUp(self):
        super().setUp()
        self.site.metal3(ready=1)   # the coordinator stands by: its webhooks answer, and nobody works on what is stored
        self.site.create(self.site.documents)
        self.site.wait_until_ready()
        within(SECONDS, "webhooks answer", self.site.webhooks_answer)
        embedded = self.start_embedded()
        paths = paths_of(self.site.kube)
        self.kinds = {kind: version for version, kind in paths if not version.endswith("/v1beta1")}
        self.servers = Server(self.site.kube, paths), Server(embedded, paths)

    def start_embedded(self):
        kubeconfig = self.folder / "embedded.kubeconfig"
        process = self.site.processes.start("embedded", [
            case.programs / "ingot-coordinator", "--embedded", "--data-dir", self.folder / "embedded", "--listen", f"127.0.0.1:{free_port()}",
            "--kubeconfig-out", kubeconfig, "--agents-endpoint", "", "--provisioner", "fixture", "--controllers", "metal3labelsync"])
        process.wait_until(kubeconfig.exists, SECONDS, "serving")
        return Kube(kubeconfig)

    def test_both_give_the_same_verdicts_and_conversions(self):
        known = [each for each in corpus.manifests() if (each.version, each.kind) in self.servers[0].paths]
        verdicts = [*known, *corpus.vectors(self.kinds)]
        refused, different = self.agree(verdicts, Server.verdict)
        self.assertEqual(set(), different)
        converted = list(corpus.conversions())
        _, different = self.agree(converted, Server.conversions)
        self.assertEqual(FIRST_FAULT, different)
        print(f"{len(verdicts)} verdicts, {refused} of them refusals; {len(converted)} conversions", flush=True)
        self.assertGreater(len(verdicts), 2600)
        self.assertTrue(len(verdicts) / 4 < refused < len(verdicts), refused)

    def agree(self, requests, answer):
        """Returns how many were refused, and what they do not agree on."""
        different, refused = [], 0
        for request in requests:
            answers = [answer(server, request) for server in self.servers]
            refused += isinstance(answers[0], tuple) and answers[0][0] >= 300
            if answers[0] != answers[1] and not fails_to_convert(*answers):
                different.append((request.what, *answers))
        for what, *answers in different[:20]:
            print(what, *answers, sep="\n   ", flush=True)
        return refused, {what for what, *_ in different}
