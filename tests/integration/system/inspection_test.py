"""A host with inspectionMode fast is inspected by the agent: what the BMC knows, in seconds, and nothing is switched for it."""
import subprocess

import records
from case import SystemTest
from health import asked
from kube import hosts_path
from patience import within
from world import NAMESPACE, World


class Inspection(SystemTest):
    machines = 1

    def test_the_bmc_s_hardware_is_found_without_a_boot(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", online=False, image=False, inspectionMode="fast")
        world.hosts.wait_for("m0", lambda host: host.state == "available" and host.power == "off", 20, "available and off")
        found = world.kube.get(f"/apis/metal3.io/v1alpha1/namespaces/{NAMESPACE}/hardwaredata/m0")["spec"]["hardware"]
        machine = world.fleet.machines["m0"]
        self.assertEqual("SIM000001", found["systemVendor"]["serialNumber"])
        self.assertEqual([machine.mac], [nic["mac"] for nic in found["nics"]][:1])
        self.assertTrue(found["cpu"]["count"] > 0 and found["ramMebibytes"] > 0, found)
        self.assertTrue(all(disk["serialNumber"] and disk["wwn"] and disk["type"] for disk in found["storage"]), found)
        self.assertEqual([], records.power_commands(world, "m0"))

        since = len(world.hosts.changes)
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"metadata": {"annotations": {"inspect.metal3.io": ""}}})   # once more
        world.hosts.wait_for_change("m0", lambda host: host.state == "inspecting", 10, "inspecting", since)
        world.hosts.wait_for("m0", lambda host: host.state == "available", 20, "available again")
        self.assertNotIn("inspect.metal3.io", world.host("m0")["metadata"].get("annotations", {}))
        self.assertEqual([], records.power_commands(world, "m0"))

    def test_what_its_sensors_read_is_shown_to_prometheus(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", online=True, image=False)
        page = next(url for url in world.metrics() if url.endswith("/metrics"))
        wanted = f'bmh_temperature_celsius{{namespace="{NAMESPACE}",host="m0",sensor='

        def shown():
            text = asked(page)
            return text if wanted in text else ""
        text, _ = within(60, "a temperature is shown", shown)
        for name in ("bmh_fan_rpm", "bmh_power_watts", "bmh_voltage_volts", "bmh_sensor_state"):
            self.assertIn(f'\n{name}{{namespace="{NAMESPACE}",host="m0"', text)


class FastLogs(World):
    def coordinator_command(self):
        return [*super().coordinator_command(), "--log-poll-seconds", "1"]


class Logs(SystemTest):
    machines = 1
    world_type = FastLogs

    def ask(self, what):
        """What `ingotctl WHAT m0` says; None while there is nothing to say."""
        asked = self.world.ingotctl(what, "m0")
        return asked.stdout if asked.returncode == 0 else None

    def test_what_its_bmc_logs_can_be_asked_for_and_its_troubles_are_events(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0", online=True, image=False)
        within(60, "the log is shown", lambda: "System power on" in (self.ask("logs") or ""))
        within(60, "sensors are shown", lambda: "Inlet" in (self.ask("sensors") or ""))
        self.assertEqual([], world.events("BMCLogCritical"))
        world.fleet.call("POST", "/control/machines/m0/log", {"severity": "Critical", "message": "Memory DIMM A3 is broken"})
        within(30, "it is an Event", lambda: world.events("BMCLogCritical"))
        event = world.events("BMCLogCritical")[0]
        self.assertIn("Memory DIMM A3 is broken", event["message"])
        self.assertEqual(("m0", "Warning"), (event["involvedObject"]["name"], event["type"]))
        self.assertIn("Memory DIMM A3 is broken", self.ask("logs"))
