"""Judging who had which host over time, as the test with a ClusterClass does."""
import unittest

import parts

parts.find("tests/integration/cluster_api")

from occupancy import HostsOverTime, MachinesOverTime  # noqa: E402  (the path comes first)

CONSUMERS = ("a", "b", "c")   # at first, of host-0 and the following


def a_host(version, consumer=None, state="provisioned", on=True, name="host-0", kind="Metal3Machine"):
    return {"metadata": {"name": name, "resourceVersion": str(version)},
            "spec": {"consumerRef": {"kind": kind, "name": consumer}} if consumer else {},
            "status": {"provisioning": {"state": state}, "poweredOn": on}}


def a_machine(name, host=None, deleted=False):
    return {"metadata": {"name": name, **({"annotations": {"metal3.io/BareMetalHost": host}} if host else {}),
                         **({"deletionTimestamp": "now"} if deleted else {})}}


class Hosts(unittest.TestCase):
    def setUp(self):
        self.hosts = HostsOverTime(None, "")
        for number in range(3):
            self.hosts.note(a_host(number, CONSUMERS[number], name=f"host-{number}"))
        self.hosts.mark()

    def test_that_ceased_to_serve_for_a_moment_are_remembered(self):
        for version, away in ((3, {"on": False}), (4, {"state": "deprovisioning"})):
            self.hosts.note(a_host(version, "a", **away))
            self.hosts.note(a_host(version, "b", name="host-1", **away))
            for number in (0, 1):
                self.hosts.note(a_host(version, CONSUMERS[number], name=f"host-{number}"))
            self.assertEqual(self.hosts.fewest, 1)
            self.hosts.mark()
            self.assertEqual(self.hosts.fewest, 3)
        self.assertEqual(self.hosts.version, 4)

    def test_that_pass_from_machine_to_machine_were_free_in_between(self):
        for consumer in ("a", None, "d"):
            self.hosts.note(a_host(5, consumer))
        self.assertEqual(self.hosts.handed_over, [])
        self.hosts.note(a_host(6, "e"))
        self.assertEqual(self.hosts.handed_over, [("host-0", "d", "e")])
        self.assertEqual({machine for machine, host in self.hosts.pairs if host == "host-0"}, {"a", "d", "e"})

    def test_of_one_machine_at_one_time_are_told(self):
        self.assertEqual(self.hosts.doubled, [])
        for version, consumer in ((3, None), (4, "b"), (5, "b"), (6, None)):
            self.hosts.note(a_host(version, consumer))
        self.assertEqual(self.hosts.doubled, [("b", "host-1", "host-0")])

    def test_of_one_machine_one_after_the_other_are_not(self):
        self.hosts.note(a_host(3))
        self.hosts.note(a_host(4, "a", name="host-3"))
        self.assertEqual(self.hosts.doubled, [])

    def test_that_are_kept_for_one_cluster_are_several(self):
        for name in ("host-0", "host-1"):
            self.hosts.note(a_host(3, "edge", name=name, kind="Cluster"))
        self.assertEqual(self.hosts.doubled, [])


class Machines(unittest.TestCase):
    def setUp(self):
        self.machines = MachinesOverTime(None, "")

    def test_with_one_host_are_told(self):
        self.machines.note(a_machine("a", "host-0"))
        self.machines.note(a_machine("b"))
        self.machines.note(a_machine("c"))
        self.assertEqual(self.machines.shared, [])
        self.machines.note(a_machine("b", "host-0"))
        self.assertEqual(self.machines.shared, [("host-0", "b", "a")])
        self.assertEqual(self.machines.pairs, {("a", "host-0"), ("b", "host-0")})

    def test_may_follow_one_that_is_leaving(self):
        self.machines.note(a_machine("a", "default/host-0"))
        self.assertEqual(self.machines.pairs, {("a", "host-0")})
        self.machines.note(a_machine("a", "host-0", deleted=True))
        self.machines.note(a_machine("b", "host-0"))
        self.assertEqual(self.machines.shared, [])
