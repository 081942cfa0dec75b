"""Three replicas of deploy/default, webhooks asked all the time, and what befalls a management cluster: leaders die, certificates
change, the API is in trouble. Nothing is lost, nothing done twice, nothing refused for want of a right."""
import base64
import ssl
import time

import records
from case import SystemTest, within
from installation import ACCOUNT, NAMESPACE
from patience import Stopwatch
from replicated_world import REPLICAS, ReplicatedWorld
from webhook_calls import ADDRESSES, CLAIMS

LEASE = 15        # seconds without renewal after which another one may take the Lease
DEADLINE = 10     # and after which its holder leads no more
PATIENCE = 30     # for what only a busy machine delays
CERTIFICATES = f"/api/v1/namespaces/{NAMESPACE}/secrets/ingot-webhook-certificates"
CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/baremetal-operator-validating-webhook-configuration"
SOME = 50         # calls at least that a test must have seen


class Replicas(SystemTest):
    world_type = ReplicatedWorld
    machines = 4

    def setUp(self):
        super().setUp()
        world = self.world
        world.calls.start()
        world.start_agent("rack")
        for name in world.names:
            world.create_host(name)
        within(2 * PATIENCE, "all are provisioned and on", lambda: self.all_are(True), world.hosts.standing)
        records.one_command_each(world, world.names, 0, "coming up")

    def tearDown(self):
        if not self._failed():
            self.see_nothing_is_lost()
            self.world.closing.set()   # from now on ended containers stay so
        super().tearDown()

    # What is wished, and what has come of it

    def all_are(self, on):
        world = self.world
        return (len(world.hosts.now) == len(world.names) and all(power is on for power in world.power().values())
                and world.right() and all(host.state == "provisioned" and not host.error for host in world.hosts.now.values()))

    def wish(self, on, *names):
        """As a user does, who tries again."""
        for name in names:
            within(2 * PATIENCE, f"{name} may be wished", lambda name=name: self.world.calls.try_to(
                "a wish", lambda: self.world.set_online(name, on) or True))

    def all_become(self, on, trouble, seconds=LEASE + 2 * PATIENCE):
        """While there is trouble, which begins when the first of them has been switched."""
        world = self.world
        what = f"going {'on' if on else 'off'} while {trouble.__doc__}"
        mark = world.fleet.mark()
        self.wish(on, world.names[0])
        within(PATIENCE, "the first is told", lambda: records.power_commands(world, since=mark))
        self.wish(on, *world.names[1:3])
        trouble()
        self.wish(on, *world.names[3:])
        _, took = within(seconds, what, lambda: self.all_are(on), world.hosts.standing)
        print(f"{what}: as wished {took:.1f} s later", flush=True)
        records.one_command_each(world, world.names, mark, what)

    def see_nothing_is_lost(self):
        """Ends what asks the webhooks, and judges all that there was."""
        world, calls = self.world, self.world.calls
        within(PATIENCE, "all are endpoints", lambda: len(world.service.ready) == len(REPLICAS))
        calls.stop()
        self.assertGreater(len(calls.calls), SOME)
        self.assertEqual([], calls.accepted, "a host that webhooks refuse was let through")
        allowed = [(moment, world.service.left_after(moment, name)) for moment, name in world.deaths]
        failures = calls.failures()
        print(f"{len(calls.calls)} calls, {len(failures)} failed by webhooks of {len(allowed)} replicas that had died", flush=True)
        self.assertEqual([], [call for call in failures if not any(call.ended >= began and call.began <= ended for began, ended in allowed)])
        within(PATIENCE, "each claim has an address of its own", self.addresses_are_right)
        records.nothing_twice(world)
        self.assertEqual([], world.site.api.denials(ACCOUNT))

    def addresses_are_right(self):
        kube = self.world.kube
        claims = {each["metadata"]["name"]: each.get("status", {}).get("address", {}).get("name") for each in kube.items(CLAIMS)}
        self.assertEqual(set(), set(self.world.calls.claims) - set(claims), "claims are lost")
        addresses = {each["metadata"]["name"]: each["spec"]["address"] for each in kube.items(ADDRESSES)}
        self.assertEqual(len(addresses), len(set(addresses.values())))
        return sorted(claims.values(), key=str) == sorted(addresses)


class ReplicasDie(Replicas):
    def test_leaders_that_die_and_certificates_that_change_cost_nothing(self):
        self.all_become(False, self.the_leader_is_killed)
        self.all_become(True, self.the_leader_is_killed)
        self.all_become(False, self.the_certificate_is_renewed)
        self.all_become(True, self.the_authority_is_lost)
        self.all_become(False, self.the_leader_is_told_to_end)
        self.assertEqual([], [process.last_words() for _, process in self.world.ends])

    def the_leader_is_killed(self):
        """the leader is killed"""
        world = self.world
        killed, _ = within(PATIENCE, "one leads", world.leader)
        watch = Stopwatch()
        world.kill(killed)
        self.another_leads(killed, LEASE + PATIENCE)
        print(f"another one leads after {watch.seconds():.1f} s", flush=True)

    def the_leader_is_told_to_end(self):
        """the leader is told to end"""
        told = self.world.leader()
        self.world.terminate(told)
        self.another_leads(told, PATIENCE)

    def another_leads(self, before, seconds):
        within(seconds, "another one leads", lambda: self.world.leader() not in (None, before))

    def the_certificate_is_renewed(self):
        """the certificate is renewed"""
        damaged = base64.b64encode(b"of another time").decode()
        self.certificates_change(lambda: self.world.kube.merge(CERTIFICATES, {"data": {"tls.crt": damaged, "tls.key": damaged}}))

    def the_authority_is_lost(self):
        """the authority is replaced"""
        self.certificates_change(lambda: self.world.kube.delete(CERTIFICATES))

    def certificates_change(self, how):
        """And whoever leads or not uses the new one; they look every ten minutes, or when a configuration changes."""
        world = self.world
        before = self.shown()
        self.assertEqual(1, len(before))
        how()
        world.kube.merge(CONFIGURATION, {"metadata": {"annotations": {"touched": str(time.monotonic())}}})
        within(PATIENCE, "each replica shows the new certificate", lambda: len(now := self.shown()) == 1 and now != before)

    def shown(self):
        """The certificates of the replicas."""
        return {ssl.get_server_certificate(("127.0.0.1", self.world.site.ports[name]), timeout=10) for name in REPLICAS}


class ApiFails(Replicas):
    def test_an_api_in_trouble_costs_nothing(self):
        self.all_become(False, self.the_api_answers_errors)
        self.all_become(True, self.the_api_is_killed)
        self.etcd_stands_still_for_a_minute()
        for name, process in self.world.ends:
            self.assertEqual(1, process.child.returncode, name)
            self.assertIn("leadership was lost", process.log.read_text())

    def the_api_answers_errors(self):
        """the API answers 429 and 500"""
        front = self.world.front
        front.trouble = True
        time.sleep(20)
        front.trouble = False
        print(f"answered instead of the API: {front.answered}", flush=True)
        self.assertGreater(min(front.answered.values()), 0)

    def the_api_is_killed(self):
        """the API server is killed"""
        self.world.site.api.restart()

    def etcd_stands_still_for_a_minute(self):
        """Who leads ends in time; a server that goes off meanwhile stays so until somebody leads again."""
        world, api = self.world, self.world.site.api
        leader, _ = within(PATIENCE, "one leads", world.leader)
        process = world.site.replicas[leader]
        api.freeze_etcd()
        self.addCleanup(api.thaw_etcd)
        frozen = Stopwatch()
        within(DEADLINE + PATIENCE, "who led has ended", lambda: process.child.poll() is not None)
        took = frozen.seconds()
        print(f"who led ended after {took:.1f} s", flush=True)
        self.assertLess(took - frozen.stalled(), DEADLINE + 4)
        world.switch_by_hand("m0", False)
        mark = world.fleet.mark()
        time.sleep(max(0, 60 - frozen.seconds()))
        self.assertEqual([], records.power_commands(world, since=mark), "nobody may act without a leader")
        api.thaw_etcd()
        _, took = within(LEASE + 2 * PATIENCE, "all is as wished again", lambda: self.all_are(True), world.hosts.standing)
        print(f"etcd is back: all is as wished {took:.1f} s later", flush=True)
        records.one_command_each(world, ["m0"], mark, "coming back")
        self.assertEqual([], [entry for entry in records.power_commands(world, since=mark) if entry["machine"] != "m0"])
