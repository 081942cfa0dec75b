"""A live ISO is booted by an agent beside Ironic, whose node becomes active without a deployment, and is given back."""
import signal

import audit
import records
from case import within
from ironic_world import PROVISION_SECONDS, IronicTest
from kube import hosts_path
from power_syncs import PowerSyncs
from world import NAMESPACE

BOOT_BY = "ingot.dev/boot-by"
SYNCS = 2
LENT = "ingot: lent to an agent, which boots the host"


class LiveIso(IronicTest):
    machines = {"m0": "redfish-virtualmedia"}

    def setUp(self):
        super().setUp()
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", image=None, online=False)
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off" and not host.error,
                             PROVISION_SECONDS, "available and off")
        self.annotate(BOOT_BY, "agent")
        self.mark = world.fleet.mark()

    def annotate(self, name, value):
        self.world.kube.merge(hosts_path(NAMESPACE, "m0"), {"metadata": {"annotations": {name: value}}})

    def boot(self):
        """The ISO is a file of the image server: Ironic looks whether there is one."""
        self.world.patch_host("m0", {"online": True, "image": {"url": self.world.image.url, "format": "live-iso"}})

    def changes(self, since=None):
        """What BMCs were told that may change a machine, in order: who, what, with what."""
        entries = audit.changes(self.world.fleet.journal("m0", self.mark if since is None else since))
        return [(entry["sender"], entry["action"], entry.get("detail", "")) for entry in entries
                if entry["kind"] == "request" and entry["sender"] != "ramdisk" and audit.accepted(entry)]

    def others(self, since=None):
        return [change for change in self.changes(since) if change[0] != "agent"]

    def boots(self, since=None):
        return [entry.get("detail", "") for entry in self.world.fleet.journal("m0", self.mark if since is None else since)
                if (entry["kind"], entry["action"]) == ("event", "boot")]

    def node(self):
        return self.world.nodes()["m0"]

    def power_syncs_pass(self):
        counted = PowerSyncs(self.world.ironic_folder / "ironic.log", self.node()["uuid"])
        within(60, f"{SYNCS} power syncs", lambda: counted.count() >= SYNCS, counted.count)

    def in_use(self):
        node = self.node()
        return (node["provision_state"], node["maintenance"], node["power_state"], node["deploy_interface"])

    def message(self):
        return (self.world.host("m0").get("status") or {}).get("errorMessage", "")

    def test_it_is_booted_rebooted_and_given_back_and_ironic_only_takes_note(self):
        world = self.world
        self.boot()
        within(60, "the node is lent", lambda: self.node()["maintenance_reason"] == LENT)
        world.provisioned("m0")
        self.assertEqual(("active", False, "power on", "ramdisk"), self.in_use())
        self.assertEqual(world.image.url, self.node()["instance_info"]["boot_iso"])
        self.assertEqual([], self.others())
        self.assertEqual(["Cd"], self.boots())
        self.assertIn(("agent", "insert-media", world.image.url), self.changes())
        self.power_syncs_pass()
        self.assertEqual(("active", False, "power on", "ramdisk"), self.in_use())

        self.annotate("reboot.metal3.io", '{"mode": "hard"}')
        within(60, "the host has booted once more", lambda: self.boots() == ["Cd", "Cd"], self.boots)
        world.hosts.wait_for("m0", lambda host: host.power == "on", 60, "on again")
        self.power_syncs_pass()
        self.assertEqual([], self.others())

        since = world.fleet.mark()
        world.patch_host("m0", {"online": False, "image": None})
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off" and not host.error,
                             PROVISION_SECONDS, "given back")
        ejected = ("agent", "eject-media", world.image.url)
        told = self.changes(since)
        self.assertIn(ejected, told)
        self.assertEqual([], [each for each in told[:told.index(ejected)] if each[0] != "agent"], "Ironic came first")
        self.assertEqual(("available", False, "power off"), self.in_use()[:3])
        self.assertNotIn("ingot_live_iso", self.node()["extra"])
        self.assertEqual({"m0": False}, world.power())
        records.nothing_twice(world)

    def test_an_agent_that_is_gone_in_the_middle_is_named_and_ironic_boots_without_the_annotation(self):
        world = self.world
        self.boot()
        within(60, "the image is inserted", lambda: ("agent", "insert-media", world.image.url) in self.changes())
        world.signal(world.agents["rack"], signal.SIGKILL)
        within(90, "the host says for whom it waits", lambda: "no agent serves this host" in self.message(), self.message)
        self.assertIn("without the annotation Ironic does it", self.message())
        self.assertEqual(LENT, self.node()["maintenance_reason"])
        since = world.fleet.mark()
        self.annotate(BOOT_BY, None)
        world.hosts.wait_for("m0", lambda host: host.state == "provisioned" and host.power == "on" and not host.error,
                             PROVISION_SECONDS, "provisioned by Ironic")
        self.assertEqual(("active", False, "power on", "ramdisk"), self.in_use())
        self.assertTrue(self.others(since))
        self.assertEqual(self.others(since), self.changes(since))
        self.assertEqual("Cd", self.boots(since)[-1])
        world.patch_host("m0", {"online": False, "image": None})
        world.hosts.wait_for("m0", lambda host: host.state == "available" and not host.error, PROVISION_SECONDS, "given back")
        self.assertEqual({"m0": False}, world.power())
