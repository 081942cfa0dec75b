"""Power as the demo judges it: who switched, who stayed, and whose memory was wrong."""
import pathlib
import tempfile
import unittest

import parts
from parts import request

import power
from failure import Failure
from power_syncs import PowerSyncs, completed

U, OTHER = "11111111-aaaa", "22222222-bbbb"


def begun(uuid=U):
    return f"DEBUG ironic.conductor.task_manager [-] Attempting to get shared lock on node {uuid} (for power state sync)"


def done(uuid=U, kind="shared"):
    return (f"DEBUG ironic.conductor.task_manager [-] Successfully released {kind} lock for power state sync on node {uuid} "
            "(lock was held 0.02 sec)")


def unread(uuid=U):
    return f"WARNING ironic.conductor.manager [-] During sync_power_state, could not get power state for node {uuid}, attempt 1"


class PowerSyncsInIronicsLog(unittest.TestCase):
    def test_counted_are_those_of_the_node_that_began_and_ended(self):
        for what, lines, count in (("none", [], 0),
                                   ("begun only", [begun()], 0),
                                   ("begun before", [done(), begun()], 0),
                                   ("one", [begun(), done()], 1),
                                   ("one that changed the record", [begun(), done(kind="exclusive")], 1),
                                   ("of another node", [begun(OTHER), done(OTHER)], 0),
                                   ("two side by side", [begun(), begun(OTHER), done(OTHER), done()], 1),
                                   ("a BMC that did not answer", [begun(), unread(), done()], 0),
                                   ("another BMC that did not", [begun(), unread(OTHER), done()], 1),
                                   ("another lock", [begun(), done().replace("power state sync", "node deployment")], 0),
                                   ("three", [begun(), done()] * 3, 3)):
            with self.subTest(what):
                self.assertEqual(completed(lines, U), count)

    def test_what_the_log_held_before_counts_for_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "ironic.log"
            log.write_text("\n".join([begun(), done(), begun()]) + "\n")
            syncs = PowerSyncs(log, U)
            with open(log, "a") as more:
                more.write("\n".join([done(), begun(), done(), begun()]) + "\n")
            self.assertEqual(syncs.count(), 1)


class Seen:
    def __init__(self, on):
        self.powered_on, self.online, self.error = on, on, ""


class Hosts:
    def __init__(self, on):
        self.now = {"a": Seen(on)}

    def wait_for(self, name, condition, _, what):
        if not condition(self.now[name]):
            raise Failure(f"{name}: {what} did not happen")
        return 1.0


class Syncs:
    """Counts one more sync at each call, as long as Ironic works; `at[n]` is called before the nth count."""

    def __init__(self, works, at):
        self.counted, self.works, self.at = 0, works, at

    def count(self):
        self.at.get(self.counted, lambda: None)()
        self.counted += 1
        return self.counted if self.works else 0


class Ironic:
    def __init__(self, remembers="power off", works=True):
        self.remembers, self.syncs = remembers, Syncs(works, {})

    def power_syncs(self, _):
        return self.syncs

    def node(self, _):
        return {"power_state": self.remembers}

    def log(self):
        return "ironic.log"


class Ingot:
    """A double of ingotctl; each call runs `does`."""

    def __init__(self, does=lambda: None):
        self.does = does

    def ctl(self, *_):
        self.does()
        return "done\n"


class Stage:
    def __init__(self, on=False, ironic=None, forced=False):
        self.force_power_state = forced
        self.fleet, self.hosts, self.processes = parts.Fleet(on), Hosts(on), parts.Processes()
        self.ironic, self.ingot = ironic or Ironic(), Ingot()
        self.manifests = type("Manifests", (), {"namespace": "metal3"})


class StayingOff(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, power, "POLL", power.POLL)
        self.addCleanup(setattr, power, "SYNCS_WITHIN", power.SYNCS_WITHIN)
        power.POLL = 0

    def test_is_proved_by_three_syncs_and_no_fewer(self):
        stage = Stage()
        power.Power(stage).stays_off("a")
        self.assertEqual(stage.ironic.syncs.counted, 3)

    def test_fails_when_the_host_is_switched_on_during_the_last_sync(self):
        stage = Stage()
        stage.ironic.syncs.at[2] = lambda: stage.fleet.entries.append(parts.power("on"))
        with self.assertRaisesRegex(Failure, "a did not stay off: a power on at"):
            power.Power(stage).stays_off("a")

    def test_fails_when_only_the_api_says_that_it_is_on(self):
        with self.assertRaisesRegex(Failure, "a did not stay off: the API says that it is on"):
            power.Power(Stage(on=True)).stays_off("a")

    def test_fails_when_ironic_remembers_another_power(self):
        with self.assertRaisesRegex(Failure, "a is off, and Ironic still remembers it as power on"):
            power.Power(Stage(ironic=Ironic("power on"))).stays_off("a")

    def test_fails_when_ironic_compares_nothing(self):
        power.SYNCS_WITHIN = 0
        with self.assertRaises(Failure) as found:
            power.Power(Stage(ironic=Ironic(works=False))).stays_off("a")
        self.assertEqual(str(found.exception), "Ironic did not compare the power of a 3 times within 0 s")
        self.assertEqual(found.exception.log, "ironic.log")

    def test_fails_when_a_program_ends_meanwhile(self):
        stage = Stage(ironic=Ironic(works=False))
        stage.processes.ended = Failure("ingot-agent ended with exit code 1")
        with self.assertRaisesRegex(Failure, "ingot-agent ended"):
            power.Power(stage).stays_off("a")


class SwitchingByWish(unittest.TestCase):
    def test_off_must_be_the_agents_doing(self):
        stage = Stage()
        stage.ingot.does = lambda: stage.fleet.entries.extend([request("agent", "ForceOff"), parts.power("off")])
        _, proof, said = power.Power(stage).switch_off("a")
        self.assertEqual((proof["sender"], said), ("agent", "done"))

    def test_off_by_anybody_else_is_told(self):
        for who, entries in (("nobody did", []), ("a reset ForceOff at", [request("ironic", "ForceOff")]),
                             ("a reset ForceOff at", [request("agent", "ForceOff"), request("ironic", "ForceOff")])):
            stage = Stage()
            stage.ingot.does = lambda stage=stage, entries=entries: stage.fleet.entries.extend(entries)
            with self.subTest(who), self.assertRaisesRegex(Failure, f"a was to be switched off by the agent alone; .*{who}"):
                power.Power(stage).switch_off("a")

    def test_on_must_boot_the_disk_once(self):
        for boots in (["Hdd"], [], ["Pxe"], ["Hdd", "Hdd"]):
            stage = Stage(on=True)
            stage.ingot.does = lambda stage=stage, boots=boots: stage.fleet.entries.extend(
                parts.power(device, action="boot") for device in boots)
            with self.subTest(boots):
                if boots == ["Hdd"]:
                    self.assertEqual(power.Power(stage).switch_on("a"), 1.0)
                    continue
                with self.assertRaisesRegex(Failure, "a was to boot its disk once; it booted"):
                    power.Power(stage).switch_on("a")


class WhatIronicUndoes(unittest.TestCase):
    """With force_power_state_during_sync, until its record has followed a change."""

    def setUp(self):
        for name in ("POLL", "REST_SECONDS"):
            self.addCleanup(setattr, power, name, getattr(power, name))
        power.POLL = power.REST_SECONDS = 0

    def switched_off(self, forced):
        stage = Stage(ironic=Ironic("power off"), forced=forced)
        stage.ingot.does = lambda: stage.fleet.entries.extend(
            [request("agent", "GracefulShutdown"), request("ironic", "On"), request("agent", "GracefulShutdown")])
        return power.Power(stage).switch_off("a")

    def test_is_nobodys_fault_where_it_forces_power_states_alone(self):
        self.assertEqual(self.switched_off(True)[1]["sender"], "agent")
        with self.assertRaisesRegex(Failure, "a was to be switched off by the agent alone"):
            self.switched_off(False)

    def test_boots_the_disk_once_more(self):
        for forced in (True, False):
            stage = Stage(on=True, ironic=Ironic("power on"), forced=forced)
            stage.ingot.does = lambda stage=stage: stage.fleet.entries.extend(
                [parts.power("Hdd", action="boot"), request("ironic", "ForceOff"), parts.power("Hdd", action="boot")])
            with self.subTest(forced):
                if forced:
                    self.assertEqual(power.Power(stage).switch_on("a"), 1.0)
                    continue
                with self.assertRaisesRegex(Failure, "a was to boot its disk once"):
                    power.Power(stage).switch_on("a")

    def test_is_waited_for_until_machine_and_record_agree(self):
        power.REST_SECONDS = 60
        stage = Stage(on=True, ironic=Ironic("power off"), forced=True)
        stage.fleet.on = False
        answers = iter([{"power_state": "power off"}, {"power_state": "power on"}, {"power_state": "power on"}])

        def node(_):
            answer = next(answers)
            stage.fleet.on = answer["power_state"] == "power on"
            return answer
        stage.ironic.node = node
        self.assertEqual(power.Power(stage).replug("a"), 1.0)

    def test_and_never_mended_is_a_failure(self):
        stage = Stage(on=True, ironic=Ironic("power off"), forced=True)
        stage.fleet.on = False
        with self.assertRaisesRegex(Failure, "a is said to be on and is off"):
            power.Power(stage).replug("a")


class APulledCord(unittest.TestCase):
    def test_is_told_with_its_reason(self):
        stage = Stage()
        stage.hosts.now["a"].error = "PowerOn operation failed: no input power"
        self.assertEqual(power.Power(stage).pull_cord("a"), (1.0, "PowerOn operation failed: no input power"))
        self.assertEqual(stage.fleet.faults, [("a", "cord-out", True)])

    def test_without_a_reason_is_a_failure(self):
        with self.assertRaisesRegex(Failure, "an error that tells of the missing input power"):
            power.Power(Stage()).pull_cord("a")

    def test_a_host_that_is_only_said_to_be_back_is_a_failure(self):
        stage = Stage(on=True)
        stage.fleet.on = False
        with self.assertRaisesRegex(Failure, "a is said to be on and is off"):
            power.Power(stage).replug("a")


if __name__ == "__main__":
    unittest.main()
