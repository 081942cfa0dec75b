"""Ironic restarts while one host is in use and another one is being deployed: neither notices for good."""
import os

import verify
from case import within
from ironic_world import IronicTest


class Restart(IronicTest):
    machines = {"used": "redfish", "deploying": "redfish"}

    def test_a_restart_touches_no_host_in_use_and_delays_the_others(self):
        world = self.world
        world.create_host("used", image=world.image_spec())
        world.provisioned("used")
        mark, written = world.fleet.mark(), written_at(world, "used")

        world.create_host("deploying", image=world.image_spec())
        within(90, "the deployment has begun", self.is_deploying, world.hosts.standing)
        world.stop_ironic()
        world.start_ironic()

        world.provisioned("deploying")
        verify.image_is_on(world.fleet.machines["deploying"].disk, world.image)
        within(2 * world.sync_seconds + 5, "Ironic knows the power of both again",
               lambda: all(node["power_state"] == "power on" for node in world.nodes().values()))
        self.assertEqual([], [entry for entry in world.fleet.journal("used", mark) if entry["action"] != "login"])
        self.assertEqual(written, written_at(world, "used"))
        self.assertEqual("provisioned", world.hosts.states["used"][-1])
        self.assertEqual(1, world.hosts.states["used"].count("provisioned"))

    def is_deploying(self):
        node = self.world.nodes().get("deploying", {})
        return node.get("provision_state") in ("deploying", "wait call-back")


def written_at(world, name):
    return os.stat(world.fleet.machines[name].disk).st_mtime_ns
