"""The demo of a cluster: what is filled into its manifests, what its table shows, and that it does not call wrong things right."""
import contextlib
import io
import threading
import time
import types
import unittest

import yaml

import parts

parts.find("tools/cluster_demo", "tests/integration/cluster_api", "tests/integration/system")

import acts  # noqa: E402  (the path comes first)
from cluster_manifests import ClusterManifests
from failure import Failure
from hosts import Host
from machine_table import MachineTable
from nodes import Nodes
from remains import DATA

EXAMPLE = parts.ROOT / "docs/examples/cluster"
ENDPOINT = {"host": "127.0.0.1", "port": 4711}


def an_image(url="http://127.0.0.1/demo.raw"):
    return types.SimpleNamespace(url=url, sha256="ab" * 32)


def a_machine(name):
    return types.SimpleNamespace(mac="52:54:01:00:00:01", username="u", password="p", bmc_address=lambda scheme: f"{scheme}://127.1.0.1/{name}")


def a_host(name, consumer="", state="provisioned", on=True):
    return Host({"metadata": {"name": name}, "spec": {"online": True, **({"consumerRef": {"name": consumer}} if consumer else {})},
                 "status": {"provisioning": {"state": state}, "poweredOn": on}})


class TheManifests(unittest.TestCase):
    def setUp(self):
        self.manifests = ClusterManifests(EXAMPLE)
        self.manifests.fill_in({name: a_machine(name) for name in self.manifests.hosts}, an_image(), ENDPOINT, [
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "edge-ca", "namespace": "metal3"}}])

    def of(self, kind):
        return [each for each in self.manifests.documents if each["kind"] == kind]

    def test_name_this_runs_servers_image_and_endpoint(self):
        for host in self.of("BareMetalHost"):
            self.assertIn("://127.1.0.1/", host["spec"]["bmc"]["address"])
        for template in self.of("Metal3MachineTemplate"):
            self.assertEqual(template["spec"]["template"]["spec"]["image"]["url"], "http://127.0.0.1/demo.raw")
        self.assertEqual(self.of("Metal3Cluster")[0]["spec"]["controlPlaneEndpoint"], ENDPOINT)
        self.assertNotIn("replace-me", yaml.safe_dump_all(self.manifests.documents))

    def test_apply_what_the_operator_brings_before_the_cluster(self):
        kinds = [each["kind"] for each in self.manifests.documents]
        names = [each["metadata"]["name"] for each in self.manifests.documents]
        self.assertEqual(kinds[0], "Namespace")
        self.assertLess(names.index("edge-ca"), kinds.index("KubeadmControlPlane"))
        self.assertEqual(kinds[-1], "Cluster")

    def test_leave_nothing_of_the_folder_out(self):
        written = [each for path in EXAMPLE.glob("*.yaml") for each in yaml.safe_load_all(path.read_text())]
        self.assertEqual(len(self.manifests.documents), len(written) + 1)

    def test_give_the_next_workers_another_image_and_the_same_hosts(self):
        following = self.manifests.next_workers("next", an_image("http://127.0.0.1/next.raw"))
        self.assertEqual(following["metadata"]["name"], "next")
        self.assertTrue(following["spec"]["nodeReuse"])
        self.assertEqual(following["spec"]["template"]["spec"]["image"]["url"], "http://127.0.0.1/next.raw")
        self.assertEqual(following["spec"]["template"]["spec"]["dataTemplate"], {"name": "edge"})
        self.assertFalse([each for each in self.of("Metal3MachineTemplate") if each["spec"]["nodeReuse"]])

    def test_without_a_cluster_say_so(self):
        with self.assertRaisesRegex(Failure, r"needs one Cluster; .*/docs/examples holds none"):
            ClusterManifests(parts.ROOT / "docs/examples")


class UnwatchedNodes(Nodes):
    def follow(self):
        pass


class TheNodes(unittest.TestCase):
    def node(self, ready, *taints):
        return {"metadata": {"name": "n"}, "spec": {"taints": [{"key": key} for key in taints]},
                "status": {"conditions": [{"type": "Ready", "status": ready}]}}

    def setUp(self):
        self.nodes = UnwatchedNodes(None)

    def test_are_ready_or_not_or_silent(self):
        for status, word in (("True", "ready"), ("False", "not ready"), ("Unknown", "silent")):
            self.nodes.note(self.node(status))
            self.assertEqual(self.nodes.now["n"], word)

    def test_that_were_out_of_service_for_a_moment_are_remembered(self):
        self.nodes.note(self.node("Unknown", "node.kubernetes.io/out-of-service"))
        self.nodes.note(self.node("True"))
        self.assertEqual((self.nodes.were_out, self.nodes.taints["n"]), ({"n"}, set()))


class TheTable(unittest.TestCase):
    def test_tells_of_machine_and_node_once(self):
        hosts = types.SimpleNamespace(now={"node-1": a_host("node-1", "edge-x")}, since={}, changes=[], began=time.monotonic(),
                                      changed=threading.Condition())
        nodes, out = types.SimpleNamespace(now={}), io.StringIO()
        table = MachineTable(hosts, types.SimpleNamespace(nodes={}), nodes, out)
        for state in ("silent", "silent", "ready"):
            nodes.now["edge-x"] = state
            table._paint_once()
        self.assertEqual([line.split("power on")[1].strip() for line in out.getvalue().splitlines()],
                         ["machine edge-x", "Node edge-x is silent", "Node edge-x is ready"])


class Stage:
    """As far as an act looks at it. A wait for something that is not so fails at once."""

    def __init__(self, hosts):
        self.hosts = types.SimpleNamespace(now={host.name: host for host in hosts}, changes=[], wait_for_change=lambda *_: 0,
                                           wait_for=lambda *_: 0)
        self.nodes = types.SimpleNamespace(now={}, taints={}, were_out=set())
        self.table, self.processes = contextlib.nullcontext(), parts.Processes()
        self.manifests = types.SimpleNamespace(name="edge", namespace="metal3", workers="edge-workers", hosts={}, documents=[],
                                               template_of_workers=lambda: "t", next_workers=lambda *_: {
                                                   "apiVersion": "a/v1", "kind": "K", "metadata": {"namespace": "metal3"}},
                                               scheme=lambda host: "ipmi" if host == "node-9" else "redfish")
        self.fleet = types.SimpleNamespace(set_fault=lambda *_: None)
        self.ingot = types.SimpleNamespace(kube=types.SimpleNamespace(merge=lambda *_: None, call=lambda *_: None, delete=lambda _: None))
        self.left, self.became, self.delete = {}, None, lambda: None
        self.ingot.kube.delete = lambda _: self.delete()

    def see(self, what, condition, _):
        if not condition():
            raise Failure(what() if callable(what) else what)
        return True, 0

    def path(self, *_):
        return "/"

    def get(self, _, kind, name):
        return next((each for each in self.left.get(kind, []) if each["metadata"]["name"] == name), None)

    def all(self, kind, _version=""):
        return self.left.get(kind, [])

    def next_image(self):
        return None

    def change_workers(self, _):
        self.hosts.now = {host.name: host for host in self.became}

    def workers(self):
        return {host.consumer: host.name for host in self.hosts.now.values() if host.consumer}

    def ready_machines(self):
        return set(self.workers())

    def machines(self):
        return {each["metadata"]["name"]: each for each in self.left.get("Machine", [])}


class Told:
    def __init__(self):
        self.facts = []

    def fact(self, text):
        self.facts.append(text)

    def plain(self, _):
        pass


class Acts(unittest.TestCase):
    def test_workers_on_other_hosts_are_no_reuse(self):
        stage = Stage([a_host("node-1", "old-1"), a_host("node-2")])
        stage.became = [a_host("node-1"), a_host("node-2", "new-1")]
        with self.assertRaisesRegex(Failure, r"were on \['node-1'\] and are on \['node-2'\]"):
            acts.rollout(stage, Told())

    def test_workers_on_their_hosts_are(self):
        stage, told = Stage([a_host("node-1", "old-1"), a_host("node-2")]), Told()
        stage.became = [a_host("node-1", "new-1"), a_host("node-2")]
        acts.rollout(stage, told)
        self.assertIn("on the same hosts", told.facts[0])

    def test_a_worker_that_stays_is_no_roll_out(self):
        stage = Stage([a_host("node-1", "old-1")])
        stage.became = [a_host("node-1", "old-1")]
        with self.assertRaisesRegex(Failure, "every worker is replaced"):
            acts.rollout(stage, Told())

    def test_a_node_of_a_machine_that_is_gone_is_no_end_of_a_roll_out(self):
        stage = Stage([a_host("node-1", "old-1")])
        stage.became, stage.nodes.now = [a_host("node-1", "new-1")], {"old-1": "silent"}
        with self.assertRaisesRegex(Failure, "no Nodes but those of machines"):
            acts.rollout(stage, Told())

    def test_a_restart_without_an_outage_of_the_node_is_none(self):
        stage = Stage([a_host("node-1", "edge-x")])
        states = iter(("silent", "ready"))
        stage.nodes.now = types.SimpleNamespace(get=lambda _: next(states))
        stage.nodes.taints["edge-x"] = set()
        with self.assertRaisesRegex(Failure, "was not out of service while node-1 was off"):
            acts.a_node_hangs(stage, Told(), "edge-x", "node-1")

    def test_a_machine_is_given_up_when_its_remediation_says_so_and_its_owner_deletes_it(self):
        given = {"conditions": [{"type": "OwnerRemediated", "status": "False"}]}
        healthy = {"conditions": [{"type": "OwnerRemediated", "status": "True"}]}
        for deleted, status, expected in ((True, given, True), (False, given, False), (True, {}, False), (True, healthy, False)):
            stage = Stage([])
            stage.left = {"Machine": [{"metadata": {"name": "m", **({"deletionTimestamp": "now"} if deleted else {})}, "status": status}]}
            with self.subTest(deleted=deleted, status=status):
                self.assertEqual(acts.is_given_up(stage, "m"), expected)
        self.assertFalse(acts.is_given_up(stage, "another"))

    def test_what_a_machine_waits_for_is_in_its_words(self):
        self.assertTrue(acts.says_what_it_waits_for("waits for its deletion, for 9s\n host n: the server has no input power"))
        for text in ("waits for host n\n no input power", "waits for its deletion, for 9s\n host n: deprovisioning, power on"):
            self.assertFalse(acts.says_what_it_waits_for(text))

    def test_the_status_of_a_machine_says_what_it_waits_for(self):
        told = {"metadata": {"name": "m"}, "status": {"conditions": [{"type": "A"}, {"type": "B", "message": "host n: no input power"}]}}
        self.assertTrue(acts.is_told_by([told], "m"))
        for machines in ([], [{"metadata": {"name": "m"}}], [{**told, "metadata": {"name": "other"}}]):
            self.assertFalse(acts.is_told_by(machines, "m"))

    def test_its_machine_says_so_too(self):
        told = {"metadata": {"name": "m"}, "status": {"conditions": [{"type": "A", "message": "host n: no input power"}]}}
        mute = {"metadata": {"name": "m"}, "status": {"conditions": [{"type": "A", "message": "Deletion in progress"}]}}
        for metal, machine, expected in ((told, told, True), (told, mute, False), (mute, told, False)):
            stage = Stage([])
            stage.left = {"Metal3Machine": [metal], "Machine": [machine]}
            with self.subTest(metal=metal, machine=machine):
                self.assertEqual(acts.is_told_in_both(stage, "m"), expected)

    def test_only_a_bmc_that_tells_of_it_has_its_cord_pulled(self):
        stage = Stage([])
        self.assertEqual(acts.pick(stage, {"a": "node-9", "b": "node-1"}), ("b", "a"))
        with self.assertRaisesRegex(Failure, "two workers are needed"):
            acts.pick(stage, {"a": "node-9"})


def owned(name, kind, uid):
    return {"metadata": {"name": name, "ownerReferences": [{"apiVersion": "v1", "kind": kind, "name": f"owner-of-{name}", "uid": uid}]}}


class TheEnd(unittest.TestCase):
    """Of a cluster of one machine, whose deletion goes as `left` says."""

    def setUp(self):
        self.stage, self.told = Stage([a_host("node-1", state="available")]), Told()
        self.host = {"metadata": {"name": "node-1"}, "spec": {"consumerRef": {}, **{what: {"name": what} for what in DATA}}}
        self.stage.left = {"BareMetalHost": [self.host]}
        self.stage.nodes.now = {"edge-x": "ready"}
        self.stage.delete = self.goes
        self.left = {}

    def goes(self):
        self.host["spec"] = {}
        self.stage.nodes.now["edge-x"] = "silent"
        self.stage.left.update(self.left)

    def fails(self, words):
        with self.assertRaisesRegex(Failure, words):
            acts.deletion(self.stage, self.told)

    def test_leaves_hosts_and_a_silent_node(self):
        acts.deletion(self.stage, self.told)
        self.assertEqual(len(self.told.facts), 1)

    def test_that_was_not_a_cluster_s_says_so(self):
        self.host["spec"].pop("networkData")
        self.fails("three Secrets")
        self.stage.left = {}
        self.fails("three Secrets")

    def test_leaves_no_address(self):
        self.left = {"IPClaim": [{"metadata": {"name": "edge-x"}}]}
        self.fails("the end of IPClaim edge-x$")

    def test_leaves_no_secret_but_those_that_the_operator_brought(self):
        self.stage.manifests.documents = [{"kind": "Secret", "metadata": {"name": "edge-ca"}}]
        self.left = {"Secret": [{"metadata": {"name": name}} for name in ("edge-ca", "edge-x-metadata")]}
        self.fails("the end of Secret edge-x-metadata$")

    def test_leaves_to_the_garbage_collector_what_that_would_take(self):
        for kind in ("Secret", "Metal3Remediation"):
            with self.subTest(kind):
                one = owned("edge-x", "Metal3Data", "gone")
                self.set_up_with({kind: [one]})
                acts.deletion(self.stage, self.told)
                one["metadata"]["finalizers"] = ["ours"]
                self.set_up_with({kind: [one]})
                self.fails(f"the end of {kind} edge-x$")

    def set_up_with(self, left):
        self.setUp()
        self.left = left

    def test_leaves_no_secret_whose_owner_is_there(self):
        self.left = {"Secret": [owned("edge-x", "KubeadmConfig", "now")],
                     "KubeadmConfig": [{"metadata": {"name": "owner-of-edge-x", "uid": "now"}}]}
        self.fails("the end of Secret edge-x$")
        self.set_up_with({**self.left, "KubeadmConfig": [{"metadata": {"name": "owner-of-edge-x", "uid": "later"}}]})
        acts.deletion(self.stage, self.told)

    def test_leaves_nothing_of_a_machine_on_a_host(self):
        self.stage.delete = lambda: (self.goes(), self.host.update(
            {"spec": {"userData": {}}, "metadata": {"name": "node-1", "labels": {"cluster.x-k8s.io/cluster-name": "edge"}}}))
        self.fails("the end of userData of host node-1, cluster.x-k8s.io/cluster-name of host node-1$")

    def test_that_is_still_named_by_a_host_is_none(self):
        self.stage.hosts.now = {"node-1": a_host("node-1", "edge-x", state="available")}
        self.fails("the Cluster is gone")

    def test_has_no_node_at_work_and_no_further_one(self):
        self.stage.delete = lambda: self.host.update({"spec": {}})
        self.fails("every Node is silent")
        self.setUp()
        self.stage.delete = lambda: (self.goes(), self.stage.nodes.now.update({"edge-y": "silent"}))
        self.fails("got Node edge-y")


if __name__ == "__main__":
    unittest.main()
