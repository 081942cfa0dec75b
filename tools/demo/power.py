"""Power, the ways it changes: by wish, by a pulled cord, and not by Ironic's memory."""
import time

import audit
from failure import Failure
from patience import Stopwatch

SYNC_SECONDS = 5     # Ironic compares power with its record that often here; its default is a minute
SYNCS = 3
SYNCS_WITHIN = 120   # seconds
POLL = 0.5
CORD_SECONDS = 10    # a dead host must be seen within
REST_SECONDS = 60    # until the machine, the API and Ironic say the same


class Power:
    def __init__(self, stage):
        self.stage = stage

    def switch_off(self, name):
        """`ingotctl power off`; the journal proves who did it. Seconds it took, the journal entry, and what ingotctl said."""
        stage = self.stage
        mark = stage.fleet.mark()
        said = stage.ingot.ctl("power", "off", "-n", stage.manifests.namespace, name).strip()
        took = stage.hosts.wait_for(name, lambda host: not host.powered_on and not host.online, 60, "power off")
        self._comes_to_rest(name, False)
        news = stage.fleet.journal(name, mark)
        mine = audit.resets(audit.writes(news, "agent"))
        undone = self._undone_by_ironic(news, "On")
        others = [entry for entry in news if entry["kind"] == "request" and entry["sender"] != "agent" and entry not in undone]
        if not mine or others:
            raise Failure(f"{name} was to be switched off by the agent alone; the simulator's journal says "
                          f"{'; '.join(audit.told(entry) for entry in mine + others) or 'nobody did'}",
                          stage.processes.log_of("ingot-agent"))
        return took, mine[-1], said

    def stays_off(self, name):
        """Checks that the host stays off during three power syncs of Ironic, counted in Ironic's own log."""
        stage = self.stage
        mark, syncs, watch = stage.fleet.mark(), stage.ironic.power_syncs(name), Stopwatch()
        while syncs.count() < SYNCS:
            self._is_off(name, mark)
            if watch.over(SYNCS_WITHIN):
                raise Failure(f"Ironic did not compare the power of {name} {SYNCS} times within {SYNCS_WITHIN} s", stage.ironic.log())
            time.sleep(POLL)
        self._is_off(name, mark)
        remembered = stage.ironic.node(name)["power_state"]
        if remembered != "power off":
            raise Failure(f"{name} is off, and Ironic still remembers it as {remembered}", stage.processes.log_of("ingot-coordinator"))

    def _is_off(self, name, mark):
        """Checks that the simulator and the API have shown no power since the mark, and that all programs run."""
        stage = self.stage
        stage.processes.check()
        changed = [entry for entry in stage.fleet.journal(name, mark) if entry["kind"] == "event" and entry["action"] == "power"]
        if changed or stage.hosts.now[name].powered_on:
            what = "; ".join(audit.told(entry) for entry in changed) or "the API says that it is on"
            raise Failure(f"{name} did not stay off: {what}", stage.processes.log_of("ingot-coordinator"))

    def switch_on(self, name):
        stage = self.stage
        mark = stage.fleet.mark()
        stage.ingot.ctl("power", "on", "-n", stage.manifests.namespace, name)
        took = stage.hosts.wait_for(name, lambda host: host.powered_on and host.online, 60, "power on")
        self._comes_to_rest(name, True)
        news = stage.fleet.journal(name, mark)
        boots = [entry["detail"] for entry in news if entry["action"] == "boot"]
        if boots != ["Hdd"] * (1 + len(self._undone_by_ironic(news, "ForceOff"))):
            raise Failure(f"{name} was to boot its disk once; it booted {boots or 'nothing'}", stage.fleet.process.log)
        return took

    def pull_cord(self, name):
        """Seconds until the API said so, and what it said."""
        stage = self.stage
        stage.fleet.set_fault(name, "cord-out", True)
        took = stage.hosts.wait_for(name, lambda host: not host.powered_on, CORD_SECONDS, "poweredOn: false after the cord was pulled")
        stage.hosts.wait_for(name, lambda host: says_why(host.error), 30, "an error that tells of the missing input power")
        return took, stage.hosts.now[name].error

    def replug(self, name):
        """Restores the input power; Ingot must switch the host on by itself. Returns the seconds until it was on."""
        stage = self.stage
        stage.fleet.set_fault(name, "cord-out", False)
        took = stage.hosts.wait_for(name, lambda host: host.powered_on and not host.error, 60, "back by itself after replugging")
        self._comes_to_rest(name, True)
        return took

    def _undone_by_ironic(self, news, reset):
        """Where Ironic forces power states, its power sync may undo a change before its record has followed it
        (docs/decisions/0009); nowhere else."""
        if not self.stage.force_power_state:
            return []
        return [entry for entry in audit.resets(audit.writes(news, "ironic")) if entry["detail"] == reset]

    def _comes_to_rest(self, name, on):
        """The machine is as the API has just said; where Ironic may undo a change, as soon as all three say the same."""
        stage, watch = self.stage, Stopwatch()
        while stage.force_power_state and not self._all_say(name, on):
            stage.processes.check()
            if watch.over(REST_SECONDS):
                break
            time.sleep(POLL)
        if stage.fleet.is_on(name) != on:
            said, found = ("on", "off") if on else ("off", "on")
            raise Failure(f"{name} is said to be {said} and is {found}", stage.processes.log_of("ingot-coordinator"))

    def _all_say(self, name, on):
        stage = self.stage
        remembered = stage.ironic.node(name)["power_state"] == "power on"
        return {stage.fleet.is_on(name), stage.hosts.now[name].powered_on, remembered} == {on}


def says_why(text):
    return "power" in text.lower() and any(word in text.lower() for word in ("input", "cord", "supply", "supplies"))
