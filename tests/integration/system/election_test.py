"""Two coordinators by one kube-apiserver: one leads; killed, stopped or frozen, the other takes over, and nothing is lost."""
import signal

import endings
import records
import rights
from case import SystemTest, within
from cluster_world import ClusterWorld, moment
from patience import Stopwatch

LEASE = 15        # seconds without renewal after which another one may take the Lease
RETRY = 2         # seconds, ± 20 %, between two looks at it
PATIENCE = 30     # for what only a busy machine delays


class Election(SystemTest):
    world_type = ClusterWorld
    machines = 6

    def tearDown(self):
        super().tearDown()
        if not self._failed():
            rights.nothing_is_denied(self, self.world.api)

    def start_both(self, **how):
        world = self.world
        world.start_candidate("one", **how)
        within(PATIENCE, "one leads", lambda: world.leads("one"))
        world.start_candidate("two", **how)
        within(PATIENCE, "two sees who leads", lambda: world.coordinators["two"].said("another one leads"))

    def create_hosts(self):
        for name in self.world.names:
            self.world.create_host(name)

    def connect_agent(self):
        world = self.world
        within(PATIENCE, "the key that agents need is there", lambda: world.coordinators["one"].said("waiting for agents"))
        world.start_agent("rack")
        within(PATIENCE, "the agent is connected", lambda: world.agent("rack").get("status", {}).get("connected"))

    def all_are(self, on):
        world = self.world
        return (len(world.hosts.now) == len(world.names) and all(power is on for power in world.power().values())
                and world.right() and all(host.state == "provisioned" and not host.error for host in world.hosts.now.values()))

    def takes_over(self, before, limit):
        """Waits until `two` leads after the Lease's record `before`. Returns the new record."""
        world = self.world
        _, took = within(limit, "two leads", lambda: world.leads("two"), world.lease)
        after = world.lease()
        self.assertEqual(before["leaseTransitions"] + 1, after["leaseTransitions"])
        print(f"the other one leads after {took:.1f} s", flush=True)
        return after

    def agent_is_back(self, watch):
        """With `two`, that leads now."""
        two = self.world.coordinators["two"]
        _, took = within(PATIENCE, "the agent has found the new leader", lambda: two.said("agent connected"))
        print(f"the agent is there {took:.1f} s later", flush=True)
        self.assertLess(took - watch.stalled(), 5)

    def only_one_works(self):
        """The new leader wrote nothing before it had taken the Lease, and the old one nothing after that. Events are
        left out: they tell of what was before and may be late."""
        writes = [write for write in self.world.api.writes() if write.user in ("one", "two") and write.done]
        taken = next(write for write in writes if write.user == "two")
        self.assertEqual(("leases", "ingot-coordinator"), (taken.what, taken.name), taken)
        self.assertEqual([], [write for write in writes if write.user == "one" and write.began > taken.ended
                              and write.what != "events"])
        self.assertTrue(any(write.what != "leases" for write in writes if write.user == "one"))

    def test_the_leader_is_killed_at_work_and_the_other_one_finishes(self):
        world = self.world
        self.start_both()
        self.connect_agent()
        self.create_hosts()
        world.hosts.wait(lambda now: any(host.state == "provisioned" for host in now.values()), PATIENCE, "the first is provisioned")
        self.assertEqual([], world.api.writes("two"), "the one that does not lead writes")
        self.assertEqual(-signal.SIGKILL, world.signal(world.coordinators["one"], signal.SIGKILL))
        killed = Stopwatch()
        before = world.lease()
        after = self.takes_over(before, LEASE + RETRY + PATIENCE)
        stood_still = (moment(after["acquireTime"]) - moment(before["renewTime"])).total_seconds()
        self.assertGreaterEqual(stood_still, LEASE)
        self.assertLess(stood_still - killed.stalled(), LEASE + 1)
        self.agent_is_back(killed)

        within(2 * PATIENCE, "all are provisioned and on", lambda: self.all_are(True), world.hosts.standing)
        records.one_command_each(world, world.names, 0, "coming up")
        self.only_one_works()
        mark = world.fleet.mark()
        for name in world.names:
            world.set_online(name, False)
        within(PATIENCE, "all are off", lambda: self.all_are(False), world.hosts.standing)
        records.one_command_each(world, world.names, mark, "going off")
        records.nothing_twice(world)

    def test_a_leader_that_is_stopped_hands_over_at_once(self):
        world = self.world
        self.start_both()
        self.connect_agent()
        self.create_hosts()
        within(2 * PATIENCE, "all are provisioned and on", lambda: self.all_are(True), world.hosts.standing)
        before = world.lease()
        watch = Stopwatch()
        endings.terminate(world, [world.coordinators["one"]])
        after = self.takes_over(before, LEASE - RETRY)   # long before the Lease would have run out
        self.only_one_works()
        released = [write for write in world.api.writes("one") if write.name == "ingot-coordinator" and write.done][-1]
        waited = (moment(after["acquireTime"]) - moment(released.ended)).total_seconds()
        print(f"taken {waited:.1f} s after the release", flush=True)
        self.assertLess(waited - watch.stalled(), 1)
        self.agent_is_back(watch)
        within(PATIENCE, "the truth about power", lambda: self.all_are(True), world.hosts.standing)
        mark = world.fleet.mark()
        world.set_online("m0", False)
        self.wait_for_power(False, "m0", seconds=PATIENCE)
        records.one_command_each(world, ["m0"], mark, "going off")

    def test_a_leader_that_was_frozen_gives_up_when_it_wakes(self):
        world = self.world
        self.start_both(with_agents=False)
        one = world.coordinators["one"]
        self.create_hosts()
        world.hosts.wait(lambda now: len(now) == 6 and all(host.state == "provisioned" for host in now.values()), PATIENCE,
                         "all are provisioned")
        before = world.lease()
        one.child.send_signal(signal.SIGSTOP)
        self.takes_over(before, LEASE + RETRY + PATIENCE)
        world.processes.list.remove(one)
        one.child.send_signal(signal.SIGCONT)
        self.assertEqual(1, one.child.wait(4 * PATIENCE))
        self.assertTrue(one.said("leadership was lost: the Lease was not renewed in time"), one.last_words())
        self.only_one_works()
        self.assertTrue(world.leads("two"))
