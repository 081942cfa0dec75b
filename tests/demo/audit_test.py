"""The demo's judgement of the simulator's journal: by hand-made entries, and by recordings of real runs."""
import pathlib
import unittest

from parts import power, request

import audit
import evidence
from evidence import Evidence
from failure import Failure
from witness import Looks

RECORDED = pathlib.Path(__file__).resolve().parent / "recorded"


def looks(owned_at, until=45):
    """One a second; Ironic owned the node at the given ones."""
    zero = audit.when(request("x", "y"))
    return Looks((zero + second, zero + second + 0.1, {"a"} if second in owned_at else ()) for second in range(-1, until))


def judged(journal, owned_at, ipmi=(), until=45):
    return audit.no_write_while_ironic_owned(Evidence(journal, looks(owned_at, until), ipmi))


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
        self.assertEqual(judged(journal, range(5, 20)), 2)

    def test_in_the_middle_is_found(self):
        with self.assertRaisesRegex(Failure, "Ironic owned"):
            judged([request("agent", "On", second=10)], range(5, 20))

    def test_a_login_or_logout_changes_no_machine_whoever_owns_it(self):
        journal = [request("agent", "", second=10, action=action) for action in ("login", "logout")]
        self.assertEqual(judged(journal, range(5, 20)), 0)

    def test_a_logout_after_the_last_look_needs_no_witness(self):
        self.assertEqual(judged([request("agent", "", second=59, action="logout")], ()), 0)

    def test_every_other_request_needs_a_witness(self):
        for action in ("reset", "boot-override", "insert-media", "eject-media", "bios-settings", "PATCH /redfish/v1/Systems/1"):
            with self.subTest(action), self.assertRaisesRegex(Failure, "nobody looked"):
                judged([request("agent", "", second=59, action=action)], ())

    def test_a_witness_that_slept_for_more_than_ten_seconds_proves_nothing(self):
        seen = looks(())
        seen.list = [look for look in seen.list if not 5 < look[0] - seen.list[0][0] < 20]
        with self.assertRaisesRegex(Failure, "nobody looked at Ironic when the BMC of a was written to"):
            audit.no_write_while_ironic_owned(Evidence([request("agent", "On", second=10)], seen))

    def test_power_of_an_ipmi_host_changes_only_while_ironic_owns_it(self):
        judged([request("ipmi", "On", second=10)], range(5, 20), ["a"])
        with self.assertRaisesRegex(Failure, "IPMI"):
            judged([request("ipmi", "On", second=30)], range(5, 20), ["a"])


class Recorded(unittest.TestCase):
    """Journals and looks of real runs."""

    def recorded(self, name):
        return evidence.read(RECORDED / f"{name}.json")

    def test_a_whole_run_obeys_the_rules(self):
        run = self.recorded("whole")
        self.assertEqual(run.ipmi, ["node-4"])
        self.assertGreater(audit.judge(run), 3)

    def test_the_agent_writing_in_the_middle_of_that_runs_deployment_is_found(self):
        run = self.recorded("whole")
        deploying = next(entry for entry in run.journal if entry["machine"] == "node-1" and entry["sender"] == "ironic"
                         and entry["action"] == "reset" and run.looks.owned_at("node-1", audit.when(entry)))
        deploying["sender"] = "agent"
        with self.assertRaisesRegex(Failure, "the agent wrote to a BMC that Ironic owned: node-1 reset"):
            audit.judge(run)

    def test_that_runs_ipmi_power_without_ironic_is_found(self):
        run = self.recorded("whole")
        run.looks.list = [(asked, answered, owned - {"node-4"}) for asked, answered, owned in run.looks.list]
        with self.assertRaisesRegex(Failure, "somebody changed the power of an IPMI host that Ironic did not own: node-4"):
            audit.judge(run)

    def test_that_runs_power_command_sent_again_is_found(self):
        run = self.recorded("whole")
        index = next(index for index, entry in enumerate(run.journal)
                     if entry["sender"] == "agent" and entry["action"] == "reset" and audit.accepted(entry))
        run.journal.insert(index + 1, run.journal[index])
        with self.assertRaisesRegex(Failure, "the agent sent one command twice"):
            audit.judge(run)

    def test_the_logout_of_a_deleted_host_after_the_last_look_is_no_fault(self):
        run = self.recorded("logout_last")
        last = run.journal[-1]
        self.assertEqual((last["sender"], last["action"], last["machine"]), ("agent", "logout", "node-2"))
        self.assertGreater(audit.when(last), run.looks.list[-1][0])
        audit.judge(run)

    def test_a_change_after_the_last_look_remains_one(self):
        run = self.recorded("logout_last")
        run.journal[-1]["action"] = "reset"
        with self.assertRaisesRegex(Failure, "nobody looked at Ironic when the BMC of node-2 was written to"):
            audit.judge(run)


if __name__ == "__main__":
    unittest.main()
