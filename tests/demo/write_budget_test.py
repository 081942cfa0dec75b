"""Judging how many writes machines cost, as the test of Metal3's manifests does."""
import types
import unittest

import parts

parts.find("tests/integration/cluster_api")

import write_budget  # noqa: E402  (the path comes first)


def a_write(resource, name="a", code=200):
    return types.SimpleNamespace(resource=resource, name=name, code=code)


class WriteBudget(unittest.TestCase):
    def count(self, *writes):
        return tuple(len(some) for some in write_budget.apart(writes))

    def test_statuses_that_every_machine_has_are_its_cost(self):
        usual = [a_write("metal3machines/status", name) for name in "aabb"]
        self.assertEqual(self.count(*usual, a_write("metal3dataclaims/status"), a_write("metal3datas/status")), (6, 0))

    def test_a_status_more_tells_of_a_wait(self):
        self.assertEqual(self.count(*[a_write("metal3machines/status")] * 4), (2, 2))
        for resource in ("metal3dataclaims/status", "metal3datas/status", "ipclaims/status"):
            self.assertEqual(self.count(*[a_write(resource)] * 2), (1, 1))
        self.assertEqual(self.count(*[a_write("baremetalhosts/status", name) for name in "aaab"]), (3, 1))

    def test_nothing_else_does(self):
        for resource in ("metal3machines", "baremetalhosts", "ipclaims", "secrets"):
            self.assertEqual(self.count(*[a_write(resource)] * 9), (9, 0))

    def test_what_met_a_conflict_costs_what_a_wait_does(self):
        conflict = a_write("metal3machines/status", code=409)
        self.assertEqual(self.count(conflict, *[a_write("metal3machines/status")] * 2), (2, 1))
        self.assertEqual(self.count(a_write("baremetalhosts", code=409), a_write("baremetalhosts")), (1, 1))
