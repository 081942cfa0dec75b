"""Programs that die in the middle of their work, and come back."""
import signal
import time

import audit
import endings
import records
from case import SystemTest, within

BACK = 10   # seconds after the return in which everything is right again
AWAY = 25   # seconds after which every lease has run out long ago
PATIENCE = 5   # seconds after a hard change was asked for, before it is asked for again


class CoordinatorDies(SystemTest):
    machines = 20

    def test_twenty_hosts_survive_the_death_of_the_coordinator(self):
        world = self.world
        agent = world.start_agent("rack")
        within(10, "the agent is connected", lambda: world.agent("rack").get("status", {}).get("connected"))
        for name in world.names:
            world.create_host(name)
        world.hosts.wait(lambda now: any(host.state == "provisioned" for host in now.values()), 30, "the first is provisioned")
        self.die_and_return("while they are provisioned")
        within(30, "all are provisioned and on", lambda: self.all_are(True), world.hosts.standing)
        self.assertEqual(set(world.names), set(world.hosts.now))
        records.one_command_each(world, world.names, 0, "coming up")

        mark = world.fleet.mark()
        for name in world.names:
            world.set_online(name, False)
        within(20, "the first is told to go off", lambda: records.power_commands(world, since=mark))
        self.die_and_return("while they are switched off")
        within(30, "all are off", lambda: self.all_are(False), world.hosts.standing)
        records.one_command_each(world, world.names, mark, "going off")

        self.changes_while_it_is_dead_are_seen()
        records.nothing_twice(world)
        self.assertIsNone(agent.child.poll())

    def all_are(self, on):
        world = self.world
        return (all(power is on for power in world.power().values()) and self.truth_is_known()
                and all(host.state == "provisioned" and not host.error for host in world.hosts.now.values()))

    def truth_is_known(self):
        return len(self.world.hosts.now) == len(self.world.names) and self.world.right()

    def die_and_return(self, when, meanwhile=lambda: None):
        world = self.world
        self.assertEqual(-signal.SIGKILL, world.signal(world.coordinator, signal.SIGKILL))
        meanwhile()
        world.hosts.now.clear()   # nothing from before counts
        world.start_coordinator()
        _, took = within(BACK, f"the truth about power after dying {when}", self.truth_is_known, world.hosts.standing)
        print(f"killed {when}: right again after {took:.1f} s", flush=True)

    def changes_while_it_is_dead_are_seen(self):
        world = self.world
        mark = world.fleet.mark()
        changed = world.names[:4]
        self.die_and_return("while servers change", lambda: [world.switch_by_hand(name, True) for name in changed])
        within(30, "they are as wished again", lambda: self.all_are(False), world.hosts.standing)
        for name in changed:
            mine = [entry for entry in records.power_commands(world, name, mark) if entry["sender"] == "agent"]
            self.assertEqual(1, len(mine), mine)


class CoordinatorIsAway(SystemTest):
    machines = 6

    def test_a_coordinator_that_was_away_for_more_than_a_lease_commands_within_ten_seconds(self):
        world = self.world
        for name in ("east", "west"):
            world.start_agent(name)
        for name in world.names:
            world.create_host(name)
        within(40, "every host is on", lambda: self.all_are(True), world.hosts.standing)

        self.assertEqual(-signal.SIGKILL, world.signal(world.coordinator, signal.SIGKILL))
        left = time.monotonic()
        mark = world.fleet.mark()
        for name in world.names:
            world.switch_by_hand(name, False)
        time.sleep(max(0, AWAY - (time.monotonic() - left)))
        self.assertEqual([], self.commands(mark), "nobody may act without a coordinator")
        world.hosts.now.clear()
        world.start_coordinator()
        _, took = within(BACK, "every host is as wished again", lambda: self.all_are(True), world.hosts.standing)
        print(f"coordinator away for {AWAY} s: everything is right again after {took:.1f} s", flush=True)
        self.assertEqual(sorted(world.names), sorted(entry["machine"] for entry in self.commands(mark)))
        records.nothing_twice(world)

    def commands(self, mark):
        return [entry for entry in records.power_commands(self.world, since=mark) if entry["sender"] == "agent"]

    def all_are(self, on):
        world = self.world
        return (all(power is on for power in world.power().values()) and len(world.hosts.now) == len(world.names)
                and world.right() and all(not host.error for host in world.hosts.now.values()))


class AgentDies(SystemTest):
    machines = 6
    timing = {"powerOn": 600, "powerOff": 600, "softOff": 800, "boot": 200}

    def test_an_agent_that_dies_during_power_commands_repeats_none(self):
        world = self.world
        world.start_agent("rack")
        for name in world.names:
            world.create_host(name)
        within(40, "every host is on", lambda: self.all_are(True), world.hosts.standing)
        for on in (False, True):
            mark = world.fleet.mark()
            for name in world.names:
                world.set_online(name, on)
            # One that dies on its way from the journal to the BMC is waited for like one that the BMC has: minutes when soft.
            within(20, "every BMC was asked", lambda m=mark: len(records.power_commands(world, since=m)) == len(world.names))
            self.assertEqual(-signal.SIGKILL, world.signal(world.agents["rack"], signal.SIGKILL))
            world.start_agent("rack", approve=False)
            _, took = within(BACK, "everything is right again", lambda o=on: self.all_are(o), world.hosts.standing)
            print(f"agent killed while switching: right again after {took:.1f} s", flush=True)
            records.one_command_each(world, world.names, mark, f"online: {on}")
        records.nothing_twice(world)

    def all_are(self, on):
        world = self.world
        return (all(power is on for power in world.power().values()) and len(world.hosts.now) == len(world.names)
                and world.right() and all(not host.error for host in world.hosts.now.values()))

    def test_a_hard_command_that_was_lost_with_its_agent_is_given_again_in_time(self):
        world = self.world
        world.start_agent("rack")
        for name in world.names:
            world.create_host(name, online=False)
        within(40, "every host is known to be off", lambda: self.all_are(False), world.hosts.standing)
        mark = world.fleet.mark()
        for name in world.names:
            world.fleet.set_fault(name, "ignore-reset", True)
            world.set_online(name, True)
        asked = lambda: {entry["machine"] for entry in records.power_commands(world, since=mark)}   # perhaps more than once
        within(20, "every BMC was asked", lambda: asked() == set(world.names))
        self.assertEqual(-signal.SIGKILL, world.signal(world.agents["rack"], signal.SIGKILL))
        killed = world.fleet.mark()
        for name in world.names:
            world.fleet.set_fault(name, "ignore-reset", False)
        world.start_agent("rack", approve=False)
        _, took = within(BACK, "everything is right again", lambda: self.all_are(True), world.hosts.standing)
        print(f"agent killed, BMCs did nothing: right again after {took:.1f} s", flush=True)
        for name in world.names:
            times = [audit.when(entry) for entry in records.power_commands(world, name, mark)]
            self.assertGreaterEqual(min(after - before for before, after in zip(times, times[1:])), PATIENCE - 0.5, name)
        records.one_command_each(world, world.names, killed, "the command given again")

    def test_a_coordinator_that_was_stopped_finds_everything_again(self):
        world = self.world
        world.start_agent("rack")
        world.create_host("m0")
        within(30, "the host is on", lambda: world.power()["m0"] and world.right(), world.hosts.standing)
        endings.terminate(world, [world.coordinator])
        world.start_coordinator()
        within(BACK, "the truth about power", lambda: world.right(), world.hosts.standing)
