"""--provisioner agent: a host is inspected, boots a live ISO, is rebooted into it and given back, by agent and BMC alone."""
import json

import audit
import manifests
import records
from case import SystemTest
from kube import hosts_path
from patience import within
from world import NAMESPACE, World

ISO = "http://127.0.0.1:1/images/live.iso"   # a simulated BMC does not fetch it


class AgentsOnly(World):
    def coordinator_command(self):
        command = super().coordinator_command()
        command[command.index("fixture")] = "agent"
        return command


class WithoutIronic(SystemTest):
    machines = 1
    world_type = AgentsOnly

    def writes(self, since=0):
        """What BMCs were told, in order."""
        return [f"{entry['action']} {entry.get('detail', '')}" for entry in self.world.fleet.journal("m0", since)
                if entry["kind"] == "request" and entry["action"] in ("reset", "insert-media", "eject-media", "boot-override") and audit.accepted(entry)]

    def test_a_live_iso_is_booted_rebooted_and_taken_back(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", online=False, image=False, automatedCleaningMode="disabled")
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off", 30, "available and off")
        self.assertEqual("SIM000001", world.host("m0")["status"]["hardware"]["systemVendor"]["serialNumber"])
        self.assertEqual([], self.writes())

        image = {"online": True, "image": {"url": ISO, "format": "live-iso"}}
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"spec": image})
        world.hosts.wait_for("m0", lambda host: host.state == "provisioned" and host.power == "on", 60, "provisioned and on")
        told = self.writes()
        told = [each for each in told if not each.startswith("eject-media")]   # whatever there is, first
        self.assertEqual(["insert-media", "boot-override", "reset"], [each.split()[0] for each in told])
        self.assertEqual(f"insert-media {ISO}", told[0])
        self.assertIn('"Cd"', told[1])
        self.assertEqual("reset On", told[2])
        since = len(self.writes())
        within(10, "the Event is written, which comes after the status", lambda: world.events("ProvisioningComplete"))

        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"metadata": {"annotations": {"reboot.metal3.io": '{"mode": "hard"}'}}})
        resets = ["reset ForceOff", "reset On"]
        within(60, "the host is rebooted", lambda: [each for each in self.writes()[since:] if each.startswith("reset")] == resets)
        world.hosts.wait_for("m0", lambda host: host.power == "on", 60, "on again")
        self.assertFalse([each for each in self.writes()[since:] if each.startswith("insert-media")])   # it is still there

        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"spec": {"online": False, "image": None}})
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off", 60, "available and off")
        self.assertIn(f"eject-media {ISO}", self.writes())
        self.assertIn("Disabled", [each for each in self.writes() if each.startswith("boot-override")][-1])
        records.nothing_twice(world)

    def test_an_operator_interrupts_a_host_and_takes_it_its_input_power(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", online=True, image=False, automatedCleaningMode="disabled")
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "on", 60, "available and on")

        asked = world.ingotctl("power", "nmi", "m0")
        self.assertEqual(0, asked.returncode, asked.stderr)
        within(30, "the NMI is told", lambda: world.events("NMISent"))
        self.assertEqual(1, len([entry for entry in world.fleet.journal("m0", 0) if entry["action"] == "nmi"]))

        since = len(self.writes())
        asked = world.ingotctl("power", "ac-cycle", "m0")
        self.assertEqual(0, asked.returncode, asked.stderr)
        within(60, "the AC cycle is told", lambda: world.events("ACCycleDone"))
        world.hosts.wait_for("m0", lambda host: host.power == "on", 60, "on again")
        self.assertEqual(["reset ForceOff", "reset FullPowerCycle", "reset On"], self.writes()[since:])
        self.assertEqual([], world.events("ACCycleFailed"))
        records.nothing_twice(world)

    def test_disks_are_erased_by_the_bmc_before_the_host_is_given_to_the_next(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", online=False, image=False, automatedCleaningMode="metadata")
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"metadata": {"annotations": {"ingot.dev/cleaning-depth": "crypto"}}})
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off", 30, "available and off")
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"spec": {"online": True, "image": {"url": ISO, "format": "live-iso"}}})
        world.hosts.wait_for("m0", lambda host: host.state == "provisioned" and host.power == "on", 60, "provisioned and on")
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"spec": {"online": False, "image": None}})
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off", 120, "available and off")

        requests = [entry for entry in world.fleet.journal("m0", 0) if entry["kind"] == "request" and audit.accepted(entry)]
        erased = [entry for entry in requests if entry["action"] == "erase-drive"]
        self.assertEqual(["CryptographicErase"], [entry["detail"].split()[1] for entry in erased])
        serial = erased[0]["detail"].split()[0]
        before = [entry for entry in requests if entry["sequence"] < erased[0]["sequence"] and entry["action"] in ("boot-override", "reset")]
        self.assertIn("BiosSetup", before[-2]["detail"])
        self.assertEqual("On", before[-1]["detail"])
        after = [entry["detail"] for entry in requests if entry["sequence"] > erased[0]["sequence"] and entry["action"] == "reset"]
        self.assertEqual(["ForceOff"], after)

        [certificate] = world.kube.get(f"/api/v1/namespaces/{NAMESPACE}/configmaps?labelSelector=ingot.dev%2Fcertificate%3Derasure")["items"]
        [medium] = json.loads(certificate["data"]["certificate.json"])["media"]
        self.assertEqual((serial, "Purge", True), (medium["serialNumber"], medium["sanitization"], medium["verified"]))
        within(10, "the Event is written", lambda: world.events("DisksErased"))
        records.nothing_twice(world)

    def test_an_image_for_a_disk_is_refused_with_what_would_be_right(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", online=True, image=False, automatedCleaningMode="disabled")
        self.wait_for_power(True, "m0", seconds=60)
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"spec": {"image": manifests.IMAGE}})
        within(60, "the error is shown", lambda: "boots a live ISO only" in (world.host("m0").get("status") or {}).get("errorMessage", ""))
        self.assertEqual(["reset On"], self.writes())
