"""Hosts with virtual media and with IPMI are deprovisioned: their disks are wiped, and they can be deleted."""
import verify
from failure import Failure
from case import within
from ironic_world import PROVISION_SECONDS, IronicTest
from kube import hosts_path
from world import NAMESPACE


class Deprovision(IronicTest):
    machines = {"virtual": "redfish-virtualmedia", "ipmi": "ipmi"}

    def test_hosts_of_both_kinds_are_wiped_and_let_go(self):
        world = self.world
        for name in world.names:
            world.create_host(name, image=world.image_spec(), automatedCleaningMode="metadata")
        world.provisioned(seconds=2 * PROVISION_SECONDS)
        for name in world.names:
            verify.image_is_on(world.fleet.machines[name].disk, world.image)
        for name in world.names:
            world.patch_host(name, {"image": None, "online": False})
        for name in world.names:
            world.hosts.wait_for(name, lambda host: host.state == "available" and host.power == "off" and not host.error,
                                 PROVISION_SECONDS, "deprovisioned and off")
            self.assertIn("deprovisioning", world.hosts.states[name])
            self.assertEqual("", verify.table_type(world.fleet.machines[name].disk), f"the disk of {name} was not wiped")
            with self.assertRaises(Failure):
                verify.image_is_on(world.fleet.machines[name].disk, world.image)
        self.assertEqual({"virtual": False, "ipmi": False}, world.power())
        for name in world.names:
            world.kube.delete(hosts_path(NAMESPACE, name))
        within(90, "both are gone", lambda: not world.hosts.now and not world.nodes(), world.hosts.standing)
