"""Three replicas of deploy/default, webhooks asked all the time, and what befalls a management cluster: leaders die, certificates
change, the API is in trouble. Nothing is lost, nothing done twice, nothing refused for want of a right."""
import random
import time

import records
from case import within
from health import healthy
from patience import Stopwatch
from replicas_case import DEADLINE, LEASE, PATIENCE, Replicas

MINUTE = 60
SHARE = 20   # seconds in which the API answers errors


class ReplicasDie(Replicas):
    def test_leaders_that_die_and_certificates_that_change_cost_nothing(self):
        self.all_become(False, self.the_leader_is_killed)
        self.all_become(True, self.the_leader_is_killed)
        self.all_become(False, self.the_certificate_is_renewed)
        self.all_become(True, self.the_authority_is_lost)
        self.all_become(False, self.the_leader_is_told_to_end)
        self.none_ended_by_itself()


class ApiFails(Replicas):
    def test_an_api_in_trouble_costs_nothing(self):
        self.all_become(False, self.the_api_answers_errors)
        self.all_become(True, self.the_api_is_killed)
        self.etcd_stands_still_for_a_minute()
        self.ends_were_for_good_reason()

    def the_api_answers_errors(self):
        """the API answers 429 and 500"""
        front = self.world.front
        front.trouble = True
        time.sleep(SHARE)
        front.trouble = False
        print(f"answered instead of the API: {front.answered}", flush=True)
        self.assertGreater(min(front.answered.values()), 0)

    def etcd_stands_still_for_a_minute(self):
        """Who leads ends in time; a server that goes off meanwhile stays so until somebody leads again."""
        world, api = self.world, self.world.site.api
        leader, _ = within(PATIENCE, "one leads", world.site.leader)
        process = world.site.process(leader)
        api.freeze_etcd()
        self.addCleanup(api.thaw_etcd)
        frozen = Stopwatch()
        within(DEADLINE + PATIENCE, "who led knows that it does not", lambda: process.said("leadership lost"))
        took = frozen.seconds()
        print(f"who led has ended its work after {took:.1f} s", flush=True)
        self.assertLess(took - frozen.stalled(), DEADLINE + 2)
        world.switch_by_hand("m0", False)
        mark = world.fleet.mark()
        time.sleep(max(0, MINUTE - frozen.seconds()))
        self.assertEqual([], records.power_commands(world, since=mark), "nobody may act without a leader")
        thawed = time.monotonic()
        api.thaw_etcd()
        within(LEASE + 2 * PATIENCE, "who led is ready again", lambda: healthy(world.site.url(leader)))
        world.gaps.append((thawed, time.monotonic()))
        _, took = within(LEASE + 2 * PATIENCE, "all is as wished again", lambda: self.all_are(True), world.hosts.standing)
        print(f"etcd is back: all is as wished {took:.1f} s later", flush=True)
        records.one_command_each(world, ["m0"], mark, "coming back")
        self.assertEqual([], [entry for entry in records.power_commands(world, since=mark) if entry["machine"] != "m0"])


class AnythingGoesWrong(Replicas):
    rounds = 12

    def test_at_length_one_trouble_after_the_other_costs_nothing(self):
        """With an API that answers errors all the time."""
        chance = random.Random(11)
        troubles = (self.the_leader_is_killed, self.the_leader_is_told_to_end, self.the_certificate_is_renewed, self.the_authority_is_lost,
                    self.the_api_is_killed, self.etcd_is_slow)
        self.world.front.trouble = True
        for number in range(self.rounds):
            self.all_become(number % 2 == 1, chance.choice(troubles), 4 * PATIENCE)
        self.world.front.trouble = False
        self.ends_were_for_good_reason()
