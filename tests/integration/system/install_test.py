"""deploy/default installs Ingot: in whatever order its parts come up, webhooks answer, hosts are looked after, and no right is
missing or left over."""
import random

import manifests
import stored_objects
import used_rights
from case import within
from failure import Failure
from health import asked, healthy
from installation import ACCOUNT, FIXTURE, NAMESPACE, PODS
from installed_case import InstalledTest
from patience import Stopwatch

SECONDS = 60
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
OLD = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/default/metal3datas"
NEW = OLD.replace("v1beta1", "v1beta2")
OLD_VERSION = "infrastructure.cluster.x-k8s.io/v1beta1"
DAMAGED = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "ingot-webhook-certificates", "namespace": NAMESPACE},
           "type": "kubernetes.io/tls", "stringData": {"tls.crt": "of another time", "tls.key": "of another time"}}
DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/metal3datas.infrastructure.cluster.x-k8s.io"
HOLDER = "ingot.dev/ingot-system_ingot-coordinator"
METAL3 = "Deployment baremetal-operator-system/baremetal-operator-controller-manager has 1 ready replica"


class Install(InstalledTest):
    def test_all_parts_may_come_in_any_order(self):
        site = self.site
        site.create(site.rights())
        site.create([DAMAGED])
        site.metal3(ready=1)
        rest = site.rest()
        random.Random(7).shuffle(rest)
        rest.sort(key=lambda each: each["kind"] != "Deployment")
        site.create(rest)
        site.wait_until_ready()
        self.assertEqual(["node-1", "node-2"], sorted(each["spec"]["nodeName"] for each in site.kube.items(PODS)))
        self.see_webhooks_answer()
        stored_objects.create(site.kube, "default")
        self.see_it_stands_by()
        self.see_hosts_are_looked_after()
        within(SECONDS, "nothing is stored in the old version", lambda: stored_objects.are_migrated(site.kube))
        self.see_metrics_are_for_whom_may_see_them()
        self.see_it_stops_gently()
        self.see_it_makes_way()
        self.see_the_label_moves()
        self.see_a_version_is_forgotten()
        self.assertEqual({(1, False)}, {(each.process.child.returncode, each.was_ill) for each in site.ends()}, "others ended than who made way")
        self.assertEqual([], site.api.denials(ACCOUNT))
        used_rights.all_are_used(self, "install", site.api.requests(ACCOUNT), NAMESPACE)
        self.see_check_tells()

    def see_it_stands_by(self):
        """As long as a manager of Metal3 is ready: webhooks answer, hosts are left alone, and it is said why."""
        site = self.site
        site.kube.call("POST", "/api/v1/namespaces/default/secrets", manifests.secret("m0", "admin", "secret"))
        site.kube.call("POST", HOSTS, manifests.plain_host("m0", "redfish://10.0.0.1/redfish/v1/Systems/1"))
        within(SECONDS, "it is told", lambda: self.told(METAL3) == 1)
        site.metal3(ready=2)
        within(SECONDS, "what has changed is told", lambda: self.told(METAL3.replace("1 ready replica", "2 ready replicas")) == 1)
        site.metal3(ready=1)
        within(SECONDS, "it is told again", lambda: self.told(METAL3) == 2)
        self.assertEqual(1, sum(METAL3 in asked(site.url(name)) for name in site.replicas()))
        code, lines = site.check(FIXTURE)
        self.assertEqual((1, True), (code, f"FAIL  Metal3    {METAL3}, it acts on the same objects: scale it to 0" in lines), lines)
        self.assertEqual([], [each for each in site.api.writes(ACCOUNT) if each.what == "baremetalhosts"])
        site.metal3(ready=0)

    def told(self, ending):
        """How often the Event has been that we stand by."""
        events = self.site.kube.items(f"/api/v1/namespaces/{NAMESPACE}/events")
        return sum(each["count"] for each in events if each["reason"] == "StandsBy" and each["message"].endswith(ending))

    def see_metrics_are_for_whom_may_see_them(self):
        """An administrator has no token here; the account has one, and no right."""
        site = self.site
        site.let_read_metrics("prometheus")
        for name in site.replicas():
            self.assertEqual(403, site.metrics(name)[0])
            self.assertIn(b"ingot_leading", site.metrics(name, "prometheus")[1])
        self.assertIn(b"ingot_leading 1", site.forwarded(site.leader(), 8085, "/metrics"))

    def see_it_stops_gently(self):
        """Told to stop, the leader gives up the Lease at once, and answers webhooks until everybody knows."""
        site = self.site
        self.assertEqual(HOLDER, site.lease(name="baremetal-operator"))
        leader, address = site.leader(), site.address(site.leader())
        watch = Stopwatch()
        process = site.delete(leader)
        within(SECONDS, "the Lease is given up", lambda: not site.lease().startswith(f"{leader}_"))
        print(f"given up after {watch.seconds():.1f} s", flush=True)
        self.assertLess(watch.seconds() - watch.stalled(), 2)
        self.assertTrue(site.answers(address))
        self.assertFalse(healthy(site.url(leader)))
        within(SECONDS, "it is no endpoint", lambda: leader not in site.ready())
        self.assertIsNone(process.child.poll(), "it ended before everybody knew")
        within(SECONDS, "another one leads", lambda: site.leader() not in (None, leader))
        self.assertEqual(0, process.child.wait(SECONDS), process.last_words())
        self.assertGreater(watch.seconds(), 10)
        self.assertFalse(site.answers(address))
        within(SECONDS, "the next leader holds Metal3's Leases as the last one did", lambda: site.lease(name="baremetal-operator") == HOLDER)

    def see_it_makes_way(self):
        """For a manager of Metal3 that is back."""
        site = self.site
        process = site.process(site.leader())
        site.metal3(ready=1)
        self.assertEqual(1, process.child.wait(SECONDS))
        self.assertIn(METAL3.split(" has ")[0], process.said("stops acting"), process.last_words())
        site.metal3(ready=0)
        site.wait_until_ready()

    def see_a_version_is_forgotten(self):
        """That is served no more, and that managed fields of an object name still: whoever leads next looks."""
        self.assertIn(OLD_VERSION, self.versions_named())
        versions = self.site.kube.get(DEFINITION)["spec"]["versions"]
        self.site.kube.merge(DEFINITION, {"spec": {"versions": [{**each, "served": each["name"] != "v1beta1"} for each in versions]}})
        within(SECONDS, "the old version is served no more", lambda: self.site.kube.get(f"{OLD}/edge-1") is None)
        self.assertIn(OLD_VERSION, self.versions_named(), "the API server forgets it by itself")
        for name in self.site.replicas():
            self.site.kill(name)
        within(SECONDS, "nothing names the version", lambda: OLD_VERSION not in self.versions_named())
        self.assertTrue(self.versions_named(), "without managed fields the API server begins with some of its own")
        self.assertEqual(1, self.site.kube.get(f"{NEW}/edge-1")["spec"]["index"])

    def versions_named(self):
        return [entry["apiVersion"] for entry in self.site.kube.get(f"{NEW}/edge-1")["metadata"]["managedFields"]]

    def see_check_tells(self):
        """All is well; and then a right, and Ironic, are missing."""
        code, lines = self.site.check(FIXTURE)
        self.assertEqual(0, code, lines)
        self.assertTrue(any(line.startswith("ok    rights    all ") for line in lines), lines)
        self.see_it_names_what_is_left()
        self.site.kubectl("delete", "clusterrolebinding", "ingot-coordinator-secrets")
        code, lines = self.site.check()
        self.assertEqual(1, code, lines)
        self.assertIn("FAIL  rights    may not list secrets", lines)
        self.assertTrue(any(line.startswith("FAIL  Ironic    ") for line in lines), lines)

    def see_it_names_what_is_left(self):
        """Of Metal3: a hook that asks its Service, and a kind that it converts."""
        kube = self.site.kube
        self.assertFalse(any(" Service " in line for line in self.site.check(FIXTURE)[1] if line.startswith("note  Metal3")))
        from_elsewhere = self.site.check(FIXTURE, kubeconfig=self.site.api.kubeconfig, space="")[1]
        self.assertIn(f"ok    place     the coordinator is in namespace {NAMESPACE}", from_elsewhere)
        self.assertFalse(any(f"{NAMESPACE}/ingot-webhook-service" in line for line in from_elsewhere), from_elsewhere)
        self.assertTrue(any(line.startswith("ok    agents ") and line.endswith("; they come by Service ingot-agents (ClusterIP)")
                            for line in from_elsewhere), from_elsewhere)
        path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/capm3-validating-webhook-configuration"
        hooks = kube.get(path)["webhooks"]
        older = {**hooks[0], "name": "older.metal3.io", "clientConfig": {"service": {"namespace": "capm3-system", "name": "capm3-webhook-service"}}}
        kube.merge(path, {"webhooks": [*hooks, older]})
        conversion = kube.get(DEFINITION)["spec"]["conversion"]
        conversion["webhook"]["clientConfig"]["service"]["namespace"] = "capm3-system"
        kube.merge(DEFINITION, {"spec": {"conversion": conversion}})
        lines = self.site.check(FIXTURE)[1]
        self.assertIn("note  Metal3    older.metal3.io of ValidatingWebhookConfiguration capm3-validating-webhook-configuration asks Service "
                      "capm3-system/capm3-webhook-service", lines)
        self.assertIn("note  Metal3    metal3datas.infrastructure.cluster.x-k8s.io are converted by Service capm3-system/ingot-webhook-service", lines)
        self.assertIn("note  Metal3    ClusterRole baremetal-operator-manager-role gives rights to nobody of ours",
                      self.site.check(FIXTURE, kubeconfig=self.site.api.kubeconfig)[1])

    def see_webhooks_answer(self):
        wrong = manifests.plain_host("wrong", "nonsense://10.0.0.1")
        within(SECONDS, "an address that is none is refused",
               lambda: "Unknown BMC type 'nonsense'" in self.refusal(f"{HOSTS}?dryRun=All", wrong))
        old = {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": "Metal3Data",
               "metadata": {"name": "edge-1", "namespace": "default"},
               "spec": {"index": 1, "template": {"name": "edge"}, "claim": {"name": "claim"}}}
        within(SECONDS, "an object of the old version is stored", lambda: not self.refusal(OLD, old))
        self.assertEqual(self.site.kube.get(f"{NEW}/edge-1")["apiVersion"], "infrastructure.cluster.x-k8s.io/v1beta2")

    def see_hosts_are_looked_after(self):
        kube = self.site.kube
        within(SECONDS, "a host is available", lambda: self.state("m0") == "available")
        self.assertIn("caBundle", str(kube.get("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations")))
        self.assertIsNotNone(kube.get(f"/api/v1/namespaces/{NAMESPACE}/secrets/ingot-webhook-certificates"))

    def see_the_label_moves(self):
        """With the lead, from a leader that was killed and cannot take it off its pod."""
        within(SECONDS, "the pod that leads is labelled", lambda: len(self.labelled()) == 1)
        leader, term = self.labelled()[0], self.term()
        self.site.kill(leader)
        within(SECONDS, "the next leader's pod is labelled, and no other", lambda: self.term() > term and self.labelled() == [self.site.leader()])

    def term(self):
        return self.site.kube.get(f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/ingot-coordinator")["spec"]["leaseTransitions"]

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
