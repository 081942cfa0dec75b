"""deploy/default installs Ingot: in whatever order its parts come up, webhooks answer, hosts are looked after, and no right is
missing or left over."""
import random

import case
import manifests
import rights
from case import LoggedTest, within
from failure import Failure
from health import healthy
from installation import ACCOUNT, NAMESPACE, Installation

SECONDS = 60
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
OLD = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/default/metal3datas"
NEW = OLD.replace("v1beta1", "v1beta2")
DAMAGED = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "ingot-webhook-certificates", "namespace": NAMESPACE},
           "type": "kubernetes.io/tls", "stringData": {"tls.crt": "of another time", "tls.key": "of another time"}}
CERTIFICATES = "ClusterRole ingot-coordinator-webhook-certificates", "Role ingot-coordinator"


class Install(LoggedTest):
    def setUp(self):
        super().setUp()
        self.site = Installation(self.folder, case.programs)
        self.addCleanup(self.site.stop)
        self.site.start()

    def test_all_parts_may_come_in_any_order(self):
        site = self.site
        site.create(site.rights())
        site.create([DAMAGED])
        replicas = [site.start_replica(name, "--provisioner=fixture") for name in ("one", "two")]
        rest = site.rest()
        random.Random(7).shuffle(rest)
        site.create(rest)
        for url in replicas:
            within(SECONDS, f"{url} is ready", lambda url=url: healthy(url))
        self.see_webhooks_answer()
        self.see_hosts_are_looked_after()
        self.see_the_label_moves()
        requests = site.api.requests(ACCOUNT)
        self.assertEqual([], [each for each in requests if each.code == 403])
        self.assertEqual([], [each for each in rights.unused(requests) if each[0] in CERTIFICATES])

        self.see_check_tells()

    def see_check_tells(self):
        """All is well; and then a right, and Ironic, are missing."""
        code, lines = self.site.check("--provisioner=fixture")
        self.assertEqual(0, code, lines)
        self.assertTrue(any(line.startswith("ok    rights    all ") for line in lines), lines)
        self.site.take_away("clusterrolebinding", "ingot-coordinator-secrets")
        code, lines = self.site.check()
        self.assertEqual(1, code, lines)
        self.assertIn("FAIL  rights    may not list secrets", lines)
        self.assertTrue(any(line.startswith("FAIL  Ironic    ") for line in lines), lines)

    def see_webhooks_answer(self):
        wrong = manifests.plain_host("wrong", "nonsense://10.0.0.1")
        within(SECONDS, "an address that is none is refused",
               lambda: "Unknown BMC type 'nonsense'" in self.refusal(f"{HOSTS}?dryRun=All", wrong))
        old = {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": "Metal3Data",
               "metadata": {"name": "edge-0", "namespace": "default"},
               "spec": {"index": 0, "template": {"name": "edge"}, "claim": {"name": "claim"}}}
        within(SECONDS, "an object of the old version is stored", lambda: not self.refusal(OLD, old))
        self.assertEqual(self.site.kube.get(f"{NEW}/edge-0")["apiVersion"], "infrastructure.cluster.x-k8s.io/v1beta2")

    def see_hosts_are_looked_after(self):
        kube = self.site.kube
        kube.call("POST", "/api/v1/namespaces/default/secrets", manifests.secret("m0", "admin", "secret"))
        kube.call("POST", HOSTS, manifests.plain_host("m0", "redfish://10.0.0.1/redfish/v1/Systems/1"))
        within(SECONDS, "a host is available", lambda: self.state("m0") == "available")
        self.assertIn("caBundle", str(kube.get("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations")))
        self.assertIsNotNone(kube.get(f"/api/v1/namespaces/{NAMESPACE}/secrets/ingot-webhook-certificates"))

    def see_the_label_moves(self):
        """With the lead, from a leader that was killed and cannot take it off its pod."""
        within(SECONDS, "the pod that leads is labelled", lambda: len(self.labelled()) == 1)
        leader = self.labelled()[0]
        self.site.kill(leader)
        others = [name for name in self.site.replicas if name != leader]
        within(SECONDS, "the next leader's pod is labelled, and no other", lambda: self.labelled() == others)

    def labelled(self):
        pods = self.site.kube.items(f"/api/v1/namespaces/{NAMESPACE}/pods?labelSelector=ingot.dev%2Fleader%3Dtrue")
        return [pod["metadata"]["name"] for pod in pods]

    def state(self, name):
        return self.site.kube.get(f"{HOSTS}/{name}").get("status", {}).get("provisioning", {}).get("state")

    def refusal(self, path, document):
        """What the API says against it; "" when it takes it."""
        try:
            self.site.kube.call("POST", path, document)
        except Failure as failure:
            return str(failure)
        return ""
