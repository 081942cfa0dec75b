"""A BMC whose certificate Ironic does not trust: told, and healed by disableCertificateVerification."""
from ironic_world import IronicTest, IronicWorld
from kube import hosts_path
from world import NAMESPACE


class SuspiciousWorld(IronicWorld):
    trusts_fleet = False


class Certificate(IronicTest):
    world_type = SuspiciousWorld
    machines = {"m0": "redfish"}

    def test_an_untrusted_certificate_is_told_and_may_be_accepted(self):
        world = self.world
        world.create_host("m0", image=None, online=False)
        world.hosts.wait_for("m0", lambda host: host.error_type == "registration error" and host.error, 90,
                             "a registration error")
        self.assertEqual([], [entry for entry in world.fleet.journal("m0") if entry["kind"] == "request"])
        bmc = world.host("m0")["spec"]["bmc"]
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"spec": {"bmc": {**bmc, "disableCertificateVerification": True}}})
        world.hosts.wait_for("m0", lambda host: host.state == "available" and not host.error, 90, "available")
