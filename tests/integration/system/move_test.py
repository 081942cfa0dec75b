"""`clusterctl move` of a namespace to another management cluster and back, with a coordinator of Ingot at both ends: its hosts are
known again there, and nobody inspects, cleans, deploys or switches them anew; the agent of one of them obeys who has it now."""
import http.client
import threading

import case
import manifests
import records
from case import LoggedTest, within
from coordinator_keys import keys_of
from failure import Failure
from installation import NAMESPACE, Installation
from management import ManagementCluster
from moved_agent import PASSWORD, USERNAME, MovedAgent

SECONDS = 60
IMAGE = {"INGOT_COORDINATOR_IMAGE": "registry.example.org/metal/ingot-coordinator:v2.0.0", "INGOT_PROVISIONER": "fixture"}
AGENTS_PORT = 7460
CORE, INFRASTRUCTURE = "cluster.x-k8s.io/v1beta2", "infrastructure.cluster.x-k8s.io/v1beta2"
SPACE = "metal"
HOSTS = f"/apis/metal3.io/v1alpha1/namespaces/{SPACE}/baremetalhosts"
CLUSTER = f"/apis/{CORE}/namespaces/{SPACE}/clusters/edge"
MACHINE = f"/apis/{CORE}/namespaces/{SPACE}/machines/m"
SECRETS = f"/api/v1/namespaces/{SPACE}/secrets"
BLOCK, PAUSED = "clusterctl.cluster.x-k8s.io/block-move", "baremetalhost.metal3.io/paused"
LATER_TERM, OTHER_KEYS = "another leader begins above it", "has other keys now"
HARMLESS = {"", "available", "provisioned"}
POWER = {"PowerOn", "PowerOff"}
DONE = {"InspectionComplete", "PreparingComplete", "ProvisioningComplete", "DeprovisioningComplete", *POWER}
WITH_AGENT = "m3"


class End:
    """A management cluster with Ingot, the `number`-th."""

    def __init__(self, test, name, number):
        folder = test.folder / name
        folder.mkdir()
        self.cluster = ManagementCluster(folder, case.programs, number)
        test.addCleanup(self.cluster.stop)
        self.kube = self.cluster.start().kube
        self.cluster.release("v2.0.0")
        self.cluster.clusterctl("init", "--core", "cluster-api", "--bootstrap", "kubeadm", "--control-plane", "kubeadm", "--infrastructure",
                                "metal3", "--ipam", "metal3", variables=IMAGE)
        self.site = Installation(folder, case.programs, cluster=self.cluster.nodes)
        self.site.without_webhooks_of("capi-")
        self.site.wait_until_ready()
        within(SECONDS, f"webhooks of {name} are believed", self.site.webhooks_answer)

    def agents(self):
        """The address of the Service that agents come by, and its port."""
        return self.kube.get(f"/api/v1/namespaces/{NAMESPACE}/services/ingot-agents")["spec"]["clusterIP"], AGENTS_PORT

    def term(self):
        return self.kube.get(f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/ingot-coordinator")["spec"]["leaseTransitions"]

    def host(self, name):
        return self.kube.get(f"{HOSTS}/{name}")

    def state(self, name):
        return (self.host(name) or {}).get("status", {}).get("provisioning", {}).get("state")

    def annotations(self, name):
        return (self.host(name) or {"metadata": {}})["metadata"].get("annotations", {})

    def done(self):
        """How often each of these things was done to a host, as Events tell. Of the power of a host with an agent its BMC's journal
        tells; as long as the agent is not there, the fixture is asked, which takes what it does not know for off."""
        events = [(each["involvedObject"]["name"], each["reason"], each["count"]) for each in self.kube.items(f"/api/v1/namespaces/{SPACE}/events")]
        return {(name, what): count for name, what, count in events if what in DONE and (name != WITH_AGENT or what not in POWER)}


class States:
    """All that the hosts at one end have been in, from now on."""

    def __init__(self, end):
        self.seen, self.over, self.rounds = set(), threading.Event(), 0
        self.thread = threading.Thread(target=self._follow, args=(end,), daemon=True)
        self.thread.start()

    def _follow(self, end):
        while not self.over.is_set():
            try:
                for _, _, what in end.kube.watch(HOSTS, 1):
                    self.rounds += 1
                    for each in what if isinstance(what, list) else [what]:
                        self.seen.add(each.get("status", {}).get("provisioning", {}).get("state", ""))
            except (Failure, OSError, http.client.HTTPException):
                continue

    def is_following(self):
        return self.rounds > 0

    def end(self):
        self.over.set()
        self.thread.join(SECONDS)
        return self.seen


class Move(LoggedTest):
    def test_hosts_are_moved_there_and_back_and_nothing_is_done_to_them(self):
        here, there = End(self, "here", 0), End(self, "there", 1)
        here.kube.call("POST", "/api/v1/namespaces", {"metadata": {"name": SPACE}})
        self.agent = MovedAgent(self.folder / "agent", case.programs, here, WITH_AGENT)
        self.addCleanup(self.agent.stop)
        self.make_all(here)
        before = {name: here.host(name) for name in ("m0", "m1", "m2", WITH_AGENT)}
        self.assertEqual({"m", None}, {consumer(host) for host in before.values()})
        self.moves(here, there, before)
        self.moves(there, here, before)
        self.ended(here, LATER_TERM)
        self.ended(there, LATER_TERM, OTHER_KEYS)

    def ended(self, end, *reasons):
        """Leaders made room for one whom the agents obey, once for each reason, and for no other one."""
        within(SECONDS, "who has made room has ended", end.site.ends)   # webhooks are answered for a while yet
        self.assertFalse(any(each.was_ill for each in end.site.ends()))
        ends = [each.process.last_words() for each in end.site.ends()]
        self.assertTrue(1 <= len(ends) <= len(reasons), ends)
        for words in ends:
            self.assertTrue(any(reason in words for reason in reasons), words)

    def make_all(self, end):
        """A machine on its host, a host that is free, and one that somebody has paused before anybody has looked at it."""
        kube = end.kube
        cluster = kube.call("POST", CLUSTER.rpartition("/")[0], {
            "apiVersion": CORE, "kind": "Cluster", "metadata": {"name": "edge"},
            "spec": {"infrastructureRef": ref("Metal3Cluster"), "controlPlaneEndpoint": {"host": "192.0.2.10", "port": 6443}}})
        for name in ("m0", "m1"):
            self.add_host(end, name)
        within(SECONDS, "two hosts are available", lambda: end.state("m0") == end.state("m1") == "available")
        kube.call("POST", f"/apis/{INFRASTRUCTURE}/namespaces/{SPACE}/metal3clusters", {
            "apiVersion": INFRASTRUCTURE, "kind": "Metal3Cluster", "metadata": {"name": "edge", "ownerReferences": [owner(cluster)]},
            "spec": {"controlPlaneEndpoint": {"host": "192.0.2.10", "port": 6443}, "cloudProviderEnabled": False}})
        kube.call("POST", SECRETS, {"metadata": {"name": "boot", "labels": {"cluster.x-k8s.io/cluster-name": "edge"},
                                                 "ownerReferences": [owner(cluster)]}, "stringData": {"value": "#cloud-config"}})
        # What Cluster API's managers would have found out.
        self.stands(end)
        machine = kube.call("POST", MACHINE.rpartition("/")[0], {
            "apiVersion": CORE, "kind": "Machine", "metadata": {"name": "m", "labels": {"cluster.x-k8s.io/cluster-name": "edge"},
                                                                "ownerReferences": [owner(cluster)]},
            "spec": {"clusterName": "edge", "bootstrap": {"dataSecretName": "boot"}, "infrastructureRef": ref("Metal3Machine", "m")}})
        kube.call("POST", f"/apis/{INFRASTRUCTURE}/namespaces/{SPACE}/metal3machines", {
            "apiVersion": INFRASTRUCTURE, "kind": "Metal3Machine",
            "metadata": {"name": "m", "labels": {"cluster.x-k8s.io/cluster-name": "edge"}, "ownerReferences": [owner(machine)]},
            "spec": {"image": {"url": "http://192.0.2.1/node.raw", "checksum": "http://192.0.2.1/sums", "diskFormat": "raw"}}})
        self.stands(end)
        within(SECONDS, "the machine is on a host", lambda: "provisioned" in (end.state("m0"), end.state("m1")))
        self.add_host(end, "m2", paused="by hand")   # it stays as it is: nobody works on it
        self.agent.approve(end)
        kube.call("POST", SECRETS, manifests.secret(WITH_AGENT, USERNAME, PASSWORD))
        kube.call("POST", HOSTS, self.agent.host())
        within(SECONDS, "the agent has switched its host on", lambda: self.agent.is_on() and self.agent.serves(end)
               and end.state(WITH_AGENT) == "available" and end.host(WITH_AGENT)["status"]["poweredOn"])

    def stands(self, end):
        """What Cluster API's managers say of it, who do not run."""
        end.kube.merge(f"{CLUSTER}/status", {"status": {
            "initialization": {"infrastructureProvisioned": True, "controlPlaneInitialized": True},
            "conditions": [{"type": "ControlPlaneInitialized", "status": "True", "reason": "Initialized", "message": "",
                            "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})
        if end.kube.get(MACHINE):
            end.kube.merge(f"{MACHINE}/status", {"status": {"nodeRef": {"name": "node-0"},
                                                            "initialization": {"bootstrapDataSecretCreated": True}}})

    def add_host(self, end, name, paused=None):
        end.kube.call("POST", SECRETS, {**manifests.secret(name, "admin", "secret"), "metadata": {"name": f"{name}-bmc"}})
        host = manifests.plain_host(name, f"redfish://10.0.0.1/redfish/v1/Systems/{name}")
        host["metadata"]["namespace"] = SPACE
        if paused:
            host["metadata"]["annotations"] = {PAUSED: paused}
        end.kube.call("POST", HOSTS, host)

    def moves(self, source, target, before):
        within(SECONDS, "all hosts block the move", lambda: all(BLOCK in source.annotations(name) for name in before))
        done = source.done(), target.done()
        self.assertIn("ProvisioningComplete", {reason for each in done for _, reason in each})   # such things are told of at all
        mark = self.agent.fleet.mark()
        states = States(target)
        within(SECONDS, "the hosts there are followed", states.is_following)
        source.cluster.clusterctl("move", "--to-kubeconfig", str(target.cluster.api.kubeconfig), "-n", SPACE)
        self.assertEqual([], source.kube.items(HOSTS))
        self.agent.move(target)
        working = "m0", "m1", WITH_AGENT
        within(SECONDS, "the hosts work there", lambda: not any(PAUSED in target.annotations(name) for name in working))
        within(SECONDS, "the agent obeys who has its host now", lambda: self.agent.serves(target))
        self.assertGreaterEqual(target.term(), source.term() + 1000)
        for name in working:
            within(SECONDS, f"{name} is as it was", lambda name=name: same(before[name], target.host(name)),
                   lambda name=name: f"{before[name]['status']} became {target.host(name)['status']}")
        self.assertEqual("by hand", target.annotations("m2")[PAUSED])
        for name in before:
            self.assertEqual(consumer(before[name]), consumer(target.host(name)))
        self.stands(target)
        seen = states.end()
        self.assertTrue({"available", "provisioned"} <= seen <= HARMLESS, seen)
        self.assertEqual(done, (source.done(), target.done()))
        self.assertEqual([], records.power_commands(self.agent, WITH_AGENT, mark))
        self.assertTrue(source.kube.get(keys_of(NAMESPACE)), "the source has its keys still")
        for on in (False, True):
            within(SECONDS, "m3 may be wished", lambda on=on: self.wish(target, on))   # both replicas make room, one after the other
            within(SECONDS, f"m3 is {'on' if on else 'off'}", lambda on=on: self.agent.is_on() is on
                   and target.host(WITH_AGENT)["status"]["poweredOn"] is on)
        self.assertEqual(2, len(records.power_commands(self.agent, WITH_AGENT, mark)))


    @staticmethod
    def wish(end, on):
        """Whether it is taken."""
        try:
            return end.kube.merge(f"{HOSTS}/{WITH_AGENT}", {"spec": {"online": on}})
        except Failure:
            return None


def consumer(host):
    return host["spec"].get("consumerRef", {}).get("name")


def ref(kind, name="edge"):
    return {"apiGroup": "infrastructure.cluster.x-k8s.io", "kind": kind, "name": name}


def owner(each):
    return {"apiVersion": each["apiVersion"], "kind": each["kind"], "name": each["metadata"]["name"], "uid": each["metadata"]["uid"],
            "controller": True}


def same(before, now):
    """What is known of the machine itself. The ID is the back-end's, which is another one there and has to be told of it."""
    fields = "poweredOn", "operationalStatus", "hardware", "errorMessage"
    if any(before["status"].get(field) != now.get("status", {}).get(field) for field in fields):
        return False
    return all(before["status"]["provisioning"].get(field) == now["status"]["provisioning"].get(field) for field in ("state", "image"))
