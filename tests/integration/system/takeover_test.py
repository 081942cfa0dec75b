"""Two agents on one network share its hosts; one dies, or is frozen, and the other takes over, never both at once."""
import re
import signal
import time

import audit
import records
from case import SystemTest, within
from patience import Stopwatch

LEASE = 15      # seconds that an agent may act after the last word of the coordinator
HEARTBEAT = 3   # seconds between two such words, and some


class Takeover(SystemTest):
    machines = 10

    def setUp(self):
        super().setUp()
        world = self.world
        for name in ("east", "west"):
            world.start_agent(name)
        within(15, "both are connected", lambda: all(self.status(name).get("connected") for name in ("east", "west")))
        for name in world.names:
            world.create_host(name)
        within(60, "every host is on", lambda: self.all_are(True), world.hosts.standing)

    def status(self, name):
        return self.world.agent(name).get("status", {})

    def all_are(self, on):
        world = self.world
        return all(power is on for power in world.power().values()) and len(world.hosts.now) == 10 and world.right()

    def test_hosts_move_when_their_agent_dies_and_again_when_it_was_only_frozen(self):
        world = self.world
        within(25, "both serve", self.both_serve, self.shares)
        self.west_is_gone(signal.SIGKILL)
        world.start_agent("west", approve=False)
        within(40, "west serves again", self.both_serve, self.shares)

        self.west_is_gone(signal.SIGSTOP, wish=True)
        mark = world.fleet.mark()
        world.agents["west"].child.send_signal(signal.SIGCONT)   # believes for a moment that it still serves
        within(40, "west serves again after its sleep", lambda: self.both_serve() and self.all_are(True), self.shares)
        self.assertEqual([], records.power_commands(world, since=mark))
        records.nothing_twice(world)

    def both_serve(self):
        return sum(self.shares()) == 10 and all(self.shares())

    def shares(self):
        return [self.status(name).get("hosts", 0) for name in ("east", "west")]

    def west_is_gone(self, number, wish=False):
        world = self.world
        west = world.agents["west"]
        watch = Stopwatch()
        time.sleep(HEARTBEAT)   # nothing to wait for: how late a word may come that the coordinator says now
        theirs = self.served_by("west")
        late, mark, gone = watch.stalled(), world.fleet.mark(), time.time()
        if number == signal.SIGKILL:
            world.signal(west, number)
        else:
            west.child.send_signal(number)
        for name in world.names:
            world.set_online(name, wish)
        within(45, "every host is as wished, by east alone", lambda: self.all_are(wish), world.hosts.standing)
        records.one_command_each(world, world.names, mark, f"online: {wish}")
        self.nothing_before_the_lease_ran_out(theirs, mark, gone - late)

    def served_by(self, name):
        """The hosts that this agent was the last to open, as the agents' logs say."""
        latest = {}
        for log in self.world.every_log:
            for line in log.read_text().splitlines() if "ingot-agent" in log.name else ():
                if served := re.search(r"serving host host=default/(\S+)", line):
                    latest[served[1]] = max(latest.get(served[1], ("", "")), (line.split()[0], log.name))
        return {host for host, (_, log) in latest.items() if name in log}

    def nothing_before_the_lease_ran_out(self, theirs, mark, gone):
        """East's own hosts were switched, those of west only when west could not act any more."""
        self.assertTrue(theirs, "west served nothing")
        self.assertLess(len(theirs), len(self.world.names), "east served nothing")
        delays = {entry["machine"]: audit.when(entry) - gone for entry in records.power_commands(self.world, since=mark)}
        print("commands after", ", ".join(f"{delay:.1f}{'*' if name in theirs else ''}" for name, delay in delays.items()),
              "s (*: served by the one that is gone)", flush=True)
        self.assertGreaterEqual(min(delays[name] for name in theirs), LEASE - HEARTBEAT)
