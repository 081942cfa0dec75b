"""The demo's judgement of the simulator's journal."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/demo"))

import audit
from failure import Failure
from ironic import Ironic


def request(sender, detail, status=204, second=0, action="reset"):
    return {"sequence": 1, "time": f"2026-01-01T00:00:{second:02}.000000Z", "machine": "a", "kind": "request", "sender": sender,
            "action": action, "detail": detail, "status": status}


def power(detail, action="power"):
    return {"sequence": 1, "time": "2026-01-01T00:00:00.000000Z", "machine": "a", "kind": "event", "sender": "machine",
            "action": action, "detail": detail, "status": 0}


class Witness(Ironic):
    """Saw Ironic own the node at the given seconds."""

    def __init__(self, owned_at):
        zero = audit.when(request("x", "y"))
        self.sightings = [(zero + second, zero + second + 0.1, {"a": second in owned_at}) for second in range(-1, 45)]

    def log(self):
        return None


class NoCommandTwice(unittest.TestCase):
    def test_off_and_on_again_are_two_commands(self):
        audit.no_command_twice([request("agent", "ForceOff"), power("off"), request("agent", "On"), power("on"),
                                request("agent", "ForceOff"), power("off")])

    def test_the_same_again_is_found(self):
        with self.assertRaisesRegex(Failure, "twice"):
            audit.no_command_twice([request("agent", "On"), power("on"), request("agent", "On")])

    def test_a_refused_command_may_be_sent_again(self):
        audit.no_command_twice([request("agent", "On", 409), request("agent", "On", 409), request("agent", "On")])

    def test_a_restart_that_is_repeated_is_found(self):
        with self.assertRaisesRegex(Failure, "twice"):
            audit.no_command_twice([request("agent", "ForceRestart"), power("off"), power("on"), request("agent", "ForceRestart")])

    def test_power_that_was_lost_may_be_switched_on_again(self):
        audit.no_command_twice([request("agent", "On"), power("on"), power("off: no input power"), request("agent", "On")])


class NoWriteWhileIronicOwned(unittest.TestCase):
    def test_before_and_after_is_allowed(self):
        journal = [request("agent", "On", second=2), request("ironic", "On", second=10), request("agent", "ForceOff", second=30)]
        self.assertEqual(audit.no_write_while_ironic_owned(journal, Witness(range(5, 20)), []), 2)

    def test_in_the_middle_is_found(self):
        with self.assertRaisesRegex(Failure, "Ironic owned"):
            audit.no_write_while_ironic_owned([request("agent", "On", second=10)], Witness(range(5, 20)), [])

    def test_a_witness_that_was_asleep_proves_nothing(self):
        with self.assertRaisesRegex(Failure, "nobody looked"):
            audit.no_write_while_ironic_owned([request("agent", "On", second=59)], Witness(()), [])

    def test_power_of_an_ipmi_host_changes_only_while_ironic_owns_it(self):
        audit.no_write_while_ironic_owned([request("ipmi", "On", second=10)], Witness(range(5, 20)), ["a"])
        with self.assertRaisesRegex(Failure, "IPMI"):
            audit.no_write_while_ironic_owned([request("ipmi", "On", second=30)], Witness(range(5, 20)), ["a"])


if __name__ == "__main__":
    unittest.main()
