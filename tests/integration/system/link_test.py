"""The network between agent and coordinator fails for a minute and says nothing."""
import time

import records
from case import SystemTest, within
from relay import Relay

BACK = 10    # seconds after the return in which everything is right again
GONE = 60


class LinkIsCut(SystemTest):
    machines = 4

    def setUp(self):
        super().setUp()
        self.relay = Relay(("127.0.0.1", self.world.agents_port))
        self.addCleanup(self.relay.close)

    def test_a_minute_without_the_link_costs_nothing(self):
        world = self.world
        agent = world.start_agent("rack", port=self.relay.port)
        for name in world.names:
            world.create_host(name)
        within(40, "every host is on", lambda: self.as_wished(True), world.hosts.standing)

        mark = world.fleet.mark()
        self.relay.cut()
        cut = time.monotonic()
        world.switch_by_hand("m0", False)
        within(30, "the agent is missed", lambda: not world.agent("rack").get("status", {}).get("connected"))
        for name in ("m1", "m2"):
            world.set_online(name, False)
        time.sleep(max(0, GONE - (time.monotonic() - cut)))
        self.assertEqual([], self.writes(mark), "nobody may act without the link")

        self.relay.mend()
        _, took = within(BACK, "the truth about power", self.truth_is_known, world.hosts.standing)
        print(f"link back after {GONE} s: right again after {took:.1f} s", flush=True)
        within(20, "every host is as wished", lambda: self.as_wished(True, but=("m1", "m2")), world.hosts.standing)
        self.assertEqual(["m0", "m1", "m2"], sorted(entry["machine"] for entry in self.writes(mark)))
        records.nothing_twice(world)
        self.assertIsNone(agent.child.poll())

    def writes(self, mark):
        return [entry for entry in records.power_commands(self.world, since=mark) if entry["sender"] == "agent"]

    def truth_is_known(self):
        world = self.world
        return world.agent("rack").get("status", {}).get("connected") and world.right()

    def as_wished(self, on, but=()):
        world = self.world
        return (len(world.hosts.now) == len(world.names) and world.right()
                and all(power is (on is not (name in but)) for name, power in world.power().items())
                and all(not host.error for host in world.hosts.now.values()))
