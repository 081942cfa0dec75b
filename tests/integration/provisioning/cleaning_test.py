"""The disks of a host are erased by an agent in place of Ironic's cleaning, where its annotation says so: handed over to the
agent and back, and Ironic's once the annotation is gone."""
import json

import audit
import records
import verify
from asked_ironic import AskedIronic
from case import within
from failure import Failure
from ironic_world import PROVISION_SECONDS, IronicTest, IronicWorld
from kube import hosts_path
from world import NAMESPACE

DEPTH = "ingot.dev/cleaning-depth"
LENT = "ingot: lent to an agent, which erases the disks"


class OverheardWorld(IronicWorld):
    """What the coordinator asks of Ironic is known."""

    between = None

    def start_ironic(self):
        super().start_ironic()
        self.between = AskedIronic(self.ironic_url)

    def coordinator_environment(self):
        return {**super().coordinator_environment(), "IRONIC_ENDPOINT": f"{self.between.url}/v1/"}

    def stop(self):
        super().stop()
        if self.between:
            self.between.close()


class Cleaning(IronicTest):
    world_type = OverheardWorld
    machines = {"m0": "redfish-virtualmedia"}

    def setUp(self):
        super().setUp()
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", image=None, online=False, inspectionMode="fast", automatedCleaningMode="metadata")
        world.hosts.wait_for("m0", lambda host: host.state == "available" and not host.error, PROVISION_SECONDS, "available")
        self.disk = world.fleet.machines["m0"].disk

    def annotate(self, depth):
        self.world.kube.merge(hosts_path(NAMESPACE, "m0"), {"metadata": {"annotations": {DEPTH: depth}}})

    def deploy(self):
        world = self.world
        world.patch_host("m0", {"online": True, "image": world.image_spec()})
        world.provisioned("m0")
        verify.image_is_on(self.disk, world.image)
        self.mark = world.fleet.mark()
        world.between.clear()

    def give_back(self):
        self.world.patch_host("m0", {"online": False, "image": None})

    def is_given_back(self):
        world = self.world
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off" and not host.error,
                             PROVISION_SECONDS, "given back")
        with self.assertRaises(Failure):
            verify.image_is_on(self.disk, world.image)
        within(60, "its next cleaning is Ironic's, and nobody lends it", self.is_ironics, self.node)

    def node(self):
        return self.world.nodes()["m0"]

    def is_ironics(self):
        node = self.node()
        return (node["automated_clean"], node["maintenance"], node["provision_state"]) == (True, False, "available")

    def changes(self):
        """What the BMC was told that may change the machine, in order: by whom, what, with what."""
        return [(entry["sender"], entry["action"], entry.get("detail", ""))
                for entry in audit.changes(self.world.fleet.journal("m0", self.mark))
                if entry["kind"] == "request" and audit.accepted(entry)]

    def erasures(self):
        return [entry for entry in self.world.fleet.journal("m0", self.mark)
                if entry["kind"] == "request" and entry["action"] == "erase-drive" and audit.accepted(entry)]

    def asked(self):
        """What Ironic was asked of the node that tells who cleans, in order."""
        words = []
        for each in self.world.between.changes():
            if each.method == "PATCH":
                words += [f"automated_clean {change['value']}" for change in each.body
                          if isinstance(change, dict) and change["path"] == "/automated_clean"]
            elif each.path.endswith("/maintenance"):
                words.append("lent" if each.method == "PUT" else "taken back")
            elif each.path.endswith("/states/provision"):
                words.append(each.body["target"])
        return words

    def test_an_agent_erases_in_place_of_ironic_which_cleans_again_without_the_annotation(self):
        for depth in ("crypto", "full"):
            with self.subTest(depth):
                self.the_agent_erases(depth)
        self.annotate(None)
        self.deploy()
        self.give_back()
        within(PROVISION_SECONDS, "Ironic cleans", lambda: self.node()["provision_state"] in ("cleaning", "clean wait"), self.node)
        self.assertIs(True, self.node()["automated_clean"])
        self.is_given_back()
        self.assertEqual([], self.erasures())
        self.assertEqual(["deleted"], [word for word in self.asked() if not word.startswith("automated_clean")])
        records.nothing_twice(self.world)

    def the_agent_erases(self, depth):
        world = self.world
        self.annotate(depth)
        self.deploy()
        self.give_back()
        within(PROVISION_SECONDS, "the node is lent", lambda: self.node()["maintenance_reason"] == LENT, self.node)
        self.assertIs(False, self.node()["automated_clean"])
        lent = world.fleet.mark()
        within(PROVISION_SECONDS, "a disk is erased", self.erasures, world.hosts.standing)
        self.is_given_back()
        self.assertEqual([("agent", "CryptographicErase")], [(each["sender"], each["detail"].split()[1]) for each in self.erasures()])
        erased = self.erasures()[0]["sequence"]
        others = [entry for entry in audit.changes(world.fleet.journal("m0", lent))
                  if entry["kind"] == "request" and audit.accepted(entry) and entry["sender"] != "agent" and entry["sequence"] <= erased]
        self.assertEqual([], others, "nobody else writes while the agent erases")
        self.assertEqual(["automated_clean False", "deleted", "lent", "taken back", "automated_clean True"], self.asked())
        found = world.kube.get(f"/api/v1/namespaces/{NAMESPACE}/configmaps?labelSelector=ingot.dev%2Fcertificate%3Derasure")["items"]
        certificate = json.loads(max(found, key=lambda each: each["metadata"]["creationTimestamp"])["data"]["certificate.json"])
        self.assertEqual([("Purge", True)], [(medium["sanitization"], medium["verified"]) for medium in certificate["media"]])
