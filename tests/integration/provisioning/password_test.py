"""A wrong password with Ironic alone: told in Ironic's words, and healed by the Secret."""
from case import within
from ironic_world import IronicTest
from world import NAMESPACE

WRONG = "mistyped-19af"


class Password(IronicTest):
    machines = {"m0": "redfish", "m1": "ipmi"}

    def test_a_wrong_password_is_told_and_heals_with_the_secret(self):
        world = self.world
        for name in world.names:
            world.create_host(name, password=WRONG, image=None, online=False)
        for name in world.names:
            world.hosts.wait_for(name, lambda host: host.error_type == "registration error" and host.error, 90,
                                 "a registration error")
            self.assertNotIn(WRONG, world.hosts.now[name].error)
        for name in world.names:
            right = world.fleet.machines[name].password
            world.kube.merge(f"/api/v1/namespaces/{NAMESPACE}/secrets/{name}-bmc", {"stringData": {"password": right}})
        for name in world.names:
            world.hosts.wait_for(name, lambda host: host.state == "available" and not host.error, 90, "available")
        within(10, "Ironic manages both", lambda: ["manageable"] * 2 == [node["provision_state"] for node in world.nodes().values()])
