"""Hosts behind the real ipmi_sim: switched by wish, through coordinator, agent and ipmitool."""
import manifests
from case import SystemTest, within
from world import NAMESPACE, World

WRONG = "mistyped-19af"


class IpmiWorld(World):
    def start_fleet(self):
        self.fleet.start_with([manifests.machine(name, True, "", "", self.timing) for name in self.names])
        self.every_log.append(self.fleet.process.log)

    def create_ipmi_host(self, name, password=manifests.IPMI_PASSWORD):
        self.kube.call("POST", f"/api/v1/namespaces/{NAMESPACE}/secrets",
                       manifests.secret(name, manifests.IPMI_USERNAME, password))
        self.kube.call("POST", f"/apis/metal3.io/v1alpha1/namespaces/{NAMESPACE}/baremetalhosts",
                       manifests.host(name, self.fleet.machines[name], True, "ipmi"))


class Ipmi(SystemTest):
    world_type = IpmiWorld
    machines = 2

    def commands(self, name, since):
        """What changed the machine: ipmi_sim does not tell who asked."""
        return [entry["detail"] for entry in self.world.fleet.journal(name, since)
                if entry["kind"] == "request" and entry["action"] == "reset"]

    def test_power_follows_the_wish_and_the_api_follows_the_power(self):
        world = self.world
        world.start_agent("rack")
        for name in world.names:
            world.create_ipmi_host(name)
        self.wait_for_power(True, *world.names, seconds=60)
        world.hosts.wait(lambda now: all(host.state == "provisioned" for host in now.values()), 40, "both are provisioned")
        self.wishes_are_done_once("m0")
        self.power_lost_otherwise_is_put_right("m1")

    def wishes_are_done_once(self, name):
        world = self.world
        for wish in (False, True):
            mark = world.fleet.mark()
            world.set_online(name, wish)
            self.wait_for_power(wish, name, seconds=40)
            self.assertEqual(1, len(self.commands(name, mark)), self.commands(name, mark))

    def power_lost_otherwise_is_put_right(self, name):
        world = self.world
        before = len(world.hosts.changes)
        world.switch_by_hand(name, False)
        # It is read every 30 s, give or take a tenth.
        world.hosts.wait_for_change(name, lambda host: not host.powered_on, 50,
                                    "poweredOn follows a server that went off by itself", before)
        self.wait_for_power(True, name, seconds=40)

    def test_a_wrong_password_is_told_and_heals_with_the_secret(self):
        world = self.world
        world.start_agent("rack")
        within(10, "the agent is connected", lambda: world.agent("rack").get("status", {}).get("connected"))
        world.create_ipmi_host("m0", WRONG)
        world.hosts.wait_for("m0", lambda host: host.error_type == "registration error"
                             and "refused the user name or password" in host.error, 40, "a registration error that names the refusal")
        self.assertFalse(world.power()["m0"])
        world.kube.merge(f"/api/v1/namespaces/{NAMESPACE}/secrets/m0-bmc", {"stringData": {"password": manifests.IPMI_PASSWORD}})
        self.wait_for_power(True, "m0", seconds=40)
        world.hosts.wait_for("m0", lambda host: not host.error, 40, "healed")
