"""What tests of three replicas start from, what may befall them, and what must hold in the end."""
import base64
import bisect
import ssl
import time

import records
import used_rights
from case import SystemTest, within
from installation import ACCOUNT, NAMESPACE
from patience import Stopwatch
from replicated_world import ReplicatedWorld
from webhook_calls import ADDRESSES, CLAIMS

LEASE = 15        # seconds without renewal after which another one may take the Lease
DEADLINE = 10     # and after which its holder leads no more
PATIENCE = 30     # for what only a busy machine delays
LEASE_OF_ALL = "leases", "ingot-coordinator"
SECRET = "ingot-webhook-certificates"
OF_ALL = ("leases", "events", "pods", "customresourcedefinitions", "validatingwebhookconfigurations", "mutatingwebhookconfigurations")
CERTIFICATES = f"/api/v1/namespaces/{NAMESPACE}/secrets/{SECRET}"
CONFIGURATION = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/baremetal-operator-validating-webhook-configuration"
REASONS = "leadership was lost", "stops acting: unknown"
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
            self.world.hand_over()
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
        world.site.wait_until_ready()
        calls.stop()
        self.assertGreater(len(calls.calls), SOME)
        self.assertEqual([], calls.accepted, "a host that webhooks refuse was let through")
        allowed, failures = world.removals(), calls.failures()
        print(f"{len(calls.calls)} calls, {len(failures)} failed by webhooks of {len(allowed)} replicas that were no more, "
              f"{len(world.site.ends())} ended by themselves", flush=True)
        self.assertEqual([], [call for call in failures if not any(call.ended >= began and call.began <= ended for began, ended in allowed)])
        within(PATIENCE, "each claim has an address of its own", self.addresses_are_right)
        records.nothing_twice(world)
        self.only_who_leads_writes()
        self.assertEqual([], world.site.api.denials(ACCOUNT))
        used_rights.all_are_used(self, "agents", world.site.api.requests(ACCOUNT), NAMESPACE)

    def only_who_leads_writes(self):
        """By the Lease, as the API server wrote it down; what belongs to no leader is everybody's to write."""
        writes = [each for each in self.world.site.api.writes(ACCOUNT) if each.done]
        terms = sorted((each.ended, each.pod) for each in writes if (each.what, each.name) == LEASE_OF_ALL)
        def leader_at(moment):
            return terms[bisect.bisect(terms, (moment, "")) - 1][1]
        others = [each for each in writes if each.what not in OF_ALL and each.name != SECRET and each.pod != leader_at(each.began)]
        self.assertEqual([], others)
        lease = self.world.kube.get(f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/ingot-coordinator")
        self.assertGreater(lease["spec"]["leaseTransitions"], 0, "nobody followed anybody")   # a pod may follow itself

    def addresses_are_right(self):
        kube = self.world.kube
        claims = {each["metadata"]["name"]: each.get("status", {}).get("address", {}).get("name") for each in kube.items(CLAIMS)}
        self.assertEqual(set(), set(self.world.calls.claims) - set(claims), "claims are lost")
        addresses = {each["metadata"]["name"]: each["spec"]["address"] for each in kube.items(ADDRESSES)}
        self.assertEqual(len(addresses), len(set(addresses.values())))
        return sorted(claims.values(), key=str) == sorted(addresses)

    def another_leads(self, before, seconds):
        within(seconds, "another one leads", lambda: self.world.site.leader() not in (None, before))

    def none_ended_by_itself(self):
        """Nor was any ill."""
        self.assertEqual([], [(each.pod, each.was_ill, each.process.last_words()) for each in self.world.site.ends()])

    def ends_were_for_good_reason(self):
        """Who ended by itself could not know any more that nobody else acts: another coordinator, or a manager of Metal3."""
        for name, process, was_ill in self.world.site.ends():
            self.assertFalse(was_ill, f"{name} was ended by its liveness probe: {process.last_words()}")
            self.assertEqual(1, process.child.returncode, name)
            self.assertTrue(any(process.said(why) for why in REASONS), f"{process.log}: {process.last_words()}")

    # What may befall them

    def the_leader_is_killed(self):
        """the leader is killed"""
        world = self.world
        killed, _ = within(PATIENCE, "one leads", world.site.leader)
        watch = Stopwatch()
        world.kill(killed)
        self.another_leads(killed, LEASE + PATIENCE)
        print(f"another one leads after {watch.seconds():.1f} s", flush=True)

    def the_leader_is_told_to_end(self):
        """the leader is told to end"""
        told, _ = within(PATIENCE, "one leads", self.world.site.leader)
        process = self.world.site.delete(told)
        self.another_leads(told, PATIENCE)
        self.assertEqual(0, process.child.wait(2 * PATIENCE), process.last_words())

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
        before, _ = within(2 * PATIENCE, "all show the same", lambda: now if len(now := self.shown()) == 1 else None)
        how()
        world.kube.merge(CONFIGURATION, {"metadata": {"annotations": {"touched": str(time.monotonic())}}})
        within(2 * PATIENCE, "each replica shows the new certificate", lambda: len(now := self.shown()) == 1 and now not in (before, {None}))

    def shown(self):
        """The certificates of the replicas; None for one that does not listen."""
        return {self.certificate_of(address) for address in self.world.site.ready().values()}

    @staticmethod
    def certificate_of(address):
        try:
            return ssl.get_server_certificate((address, 9443), timeout=10)
        except OSError:
            return None

    def the_api_is_killed(self):
        """the API server is killed"""
        self.world.site.api.restart()

    def etcd_stands_still_for(self, seconds):
        api = self.world.site.api
        api.freeze_etcd()
        self.addCleanup(api.thaw_etcd)
        time.sleep(seconds)
        api.thaw_etcd()

    def etcd_is_slow(self):
        """etcd stands still for some seconds"""
        self.etcd_stands_still_for(DEADLINE / 2)
