"""Judges the simulator's journal: who wrote to which BMC, and whether they were allowed to."""
import datetime

from failure import Failure

SESSION = ("login", "logout")   # they change nothing of the machine


def when(entry):
    """Wall time of a journal entry."""
    return datetime.datetime.fromisoformat(entry["time"].replace("Z", "+00:00")).timestamp()


def writes(journal, sender, machine=None):
    return [entry for entry in journal if entry["kind"] == "request" and entry["sender"] == sender
            and (machine is None or entry["machine"] == machine)]


def resets(entries):
    return [entry for entry in entries if entry["action"] == "reset"]


def changes(entries):
    """Requests that may change the machine: its power, boot, media, disks or settings."""
    return [entry for entry in entries if entry["action"] not in SESSION]


def accepted(entry):
    return entry["status"] < 400


def told(entry):
    return f"{entry['machine']} {entry['action']} {entry['detail']} at {entry['time']} (journal {entry['sequence']})"


def no_write_while_ironic_owned(evidence):
    """What the agent changes falls outside the intervals that Ironic owns. ipmi_sim hides who asked, and nobody but Ironic
    has business with those servers in the demo: there every change of power must fall inside. How many the agent made."""
    mine = changes(writes(evidence.journal, "agent"))
    for entry in mine:
        if evidence.looks.owned_at(entry["machine"], when(entry)):
            raise Failure(f"the agent wrote to a BMC that Ironic owned: {told(entry)}")
    for machine in evidence.ipmi:
        for entry in resets(writes(evidence.journal, "ipmi", machine)):
            if not evidence.looks.owned_around(machine, when(entry)):
                raise Failure(f"somebody changed the power of an IPMI host that Ironic did not own: {told(entry)}")
    return len(mine)


def no_command_twice(journal):
    """Between two accepted power commands of the agent that are the same, the machine's power changed by other hands."""
    last = {}
    for entry in journal:
        machine = entry["machine"]
        if entry["kind"] == "event" and entry["action"] in ("power", "fault"):
            if not follows(last.get(machine), entry):
                last.pop(machine, None)
        elif entry["kind"] == "request" and entry["action"] == "reset" and accepted(entry):
            before = last.get(machine)
            same = before and before["sender"] == entry["sender"] == "agent" and before["detail"] == entry["detail"]
            if same:
                raise Failure(f"the agent sent one command twice: {told(before)}, {told(entry)}")
            last[machine] = entry


def follows(request, event):
    """Whether the event is what that request asked for."""
    if request is None or event["action"] != "power":
        return False
    if request["detail"].endswith("Restart") or request["detail"] == "PowerCycle":
        return True   # off and on again are one command's doing
    wants_on = request["detail"] in ("On", "ForceOn")
    return event["detail"].startswith("on" if wants_on else "off")


def senders(journal):
    """How many changes each party asked for."""
    count = {}
    for entry in changes(journal):
        if entry["kind"] == "request" and entry["sender"] != "ramdisk":
            count[entry["sender"]] = count.get(entry["sender"], 0) + 1
    return count


def judge(evidence):
    """Both rules; how many changes the agent made."""
    count = no_write_while_ironic_owned(evidence)
    no_command_twice(evidence.journal)
    return count
