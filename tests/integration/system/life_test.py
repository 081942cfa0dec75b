"""An agent is approved, and from then on the API follows the servers, and the servers follow the API; until it is revoked."""
import time

import endings
import power
import records
from case import SystemTest, within
from kube import AGENTS

QUIET = 8   # seconds in which an agent would have polled, and done what is wished


class Life(SystemTest):
    def test_an_agent_gets_nothing_until_it_is_approved(self):
        world = self.world
        process = world.start_agent("rack", approve=False)
        within(15, "the agent shows up as pending", lambda: world.agent("rack"))
        world.create_host("m0")
        world.hosts.wait_for("m0", lambda host: host.state == "provisioned", 30, "provisioned without an agent")
        process.wait_until(lambda: process.said("state=pending"), 10, "being told that it is pending")
        self.assertFalse(world.agent("rack")["spec"].get("approved"))
        self.assertEqual([], records.by(world, "agent"))
        self.assertIsNone(process.said("serving host"))

        world.approve("rack")
        self.wait_for_power(True, "m0", seconds=10)
        self.assertEqual(["agent"], [entry["sender"] for entry in records.power_commands(world, "m0")])

    def test_an_agent_whose_approval_is_revoked_keeps_nothing(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0")
        self.wait_for_power(True, "m0", seconds=20)
        self.assertEqual(1, endings.sessions(world, "m0"))
        world.kube.merge(f"{AGENTS}/rack", {"spec": {"approved": False}})
        within(10, "it has logged out", lambda: endings.sessions(world, "m0") == 0)

        mark = world.fleet.mark()
        world.set_online("m0", False)
        end = time.monotonic() + QUIET
        while time.monotonic() < end:
            self.assertEqual([], world.fleet.journal(since=mark))   # neither a login nor a command
            time.sleep(0.25)
        world.approve("rack")
        self.wait_for_power(False, "m0", seconds=20)   # approved again it serves again
        records.one_command_each(world, ["m0"], mark, "online: False")

    def test_power_follows_the_wish_and_the_api_follows_the_power(self):
        world = self.world
        world.start_agent("rack")
        for name in world.names:
            world.create_host(name)
        world.hosts.wait(lambda now: len(now) == 3 and all(host.state == "provisioned" and host.power == "on"
                                                           for host in now.values()), 40, "every host is provisioned and on")
        self.assertTrue(all(world.power().values()))
        self.wishes_are_done_by_the_agent("m0")
        self.power_lost_otherwise_is_seen("m1")
        self.a_pulled_cord_is_told_and_survived("m2")
        records.nothing_twice(world)

    def wishes_are_done_by_the_agent(self, name):
        world = self.world
        for wish in (False, True):
            mark = world.fleet.mark()
            world.set_online(name, wish)
            self.wait_for_power(wish, name, seconds=15)
            records.one_command_each(world, [name], mark, f"online: {wish}")

    def power_lost_otherwise_is_seen(self, name):
        world = self.world
        mark, before = world.fleet.mark(), len(world.hosts.changes)
        world.switch_by_hand(name, False)
        world.hosts.wait_for_change(name, lambda host: not host.powered_on, 10,
                                    "poweredOn follows a server that went off by itself", before)
        self.wait_for_power(True, name, seconds=15)
        self.assertEqual(["agent"], [entry["sender"] for entry in records.power_commands(world, name, mark)
                                     if entry["sender"] != "ipmi"])

    def a_pulled_cord_is_told_and_survived(self, name):
        world = self.world
        world.fleet.set_fault(name, "cord-out", True)
        world.hosts.wait_for(name, lambda host: not host.powered_on and power.says_why(host.error), 10,
                             "poweredOn: false and an error that tells of the missing input power")
        world.fleet.set_fault(name, "cord-out", False)
        world.hosts.wait_for(name, lambda host: host.powered_on and not host.error, 30, "back by itself after replugging")
        self.assertTrue(world.power()[name])
