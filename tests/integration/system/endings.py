"""SIGTERM ends every program soon and cleanly, and leaves no BMC session behind."""
import base64
import json
import signal
import ssl
import time
import urllib.request

from health import directly
from patience import Stopwatch

SECONDS = 5   # unless it was told to take its time (--shutdown-delay-duration)


def all_end_well(world):
    """Everything that still runs, all at once, as when a machine goes down; the simulator last, as a witness."""
    programs = [each for each in world.processes.list if each is not world.fleet.process]
    names = [name for name in world.names if not world.fleet.machines[name].is_ipmi]   # ipmitool has no session that stays
    no_login_is_under_way(world, names)
    open_before = sum(sessions(world, name) for name in names)
    assert open_before or not world.agents or not serving(world, names), "no agent holds a BMC session: nothing to prove"
    terminate(world, programs, world.ends_within)
    left = {name: sessions(world, name) for name in names}
    orphans = world.killed_agents   # those that were killed for good, or before they had written their sessions down
    assert max(left.values(), default=0) <= orphans, f"BMC sessions that nobody closed: {left}"
    assert world.signal(world.fleet.process, signal.SIGTERM) == 0, f"the simulator did not end well ({world.fleet.process.log})"
    no_sanitizer_report(world)


def no_login_is_under_way(world, names):
    """An agent that ends reads no answer any more, and a session that it was given in that moment stays until its BMC ends it."""
    watch = Stopwatch()
    while not watch.over(SECONDS) and not all(sessions(world, name) for name in serving(world, names)):
        time.sleep(0.2)


def serving(world, names):
    return [name for name, host in world.hosts.now.items() if name in names and host.power_known == "True" and not host.error]


def terminate(world, programs, seconds=SECONDS):
    """Ends them, and checks that each ended with 0 and in time; a dead one counts with the code it died with."""
    watch = Stopwatch()
    for process in programs:
        world.processes.list.remove(process)
        process.child.send_signal(signal.SIGTERM)
    for process in programs:
        code, late = process.child.wait(60), watch.over(seconds)
        assert code == 0, f"{process.name} ended with exit code {code} at SIGTERM: {process.last_words()} ({process.log})"
        assert not late, f"{process.name} took {watch.seconds():.1f} s to end at SIGTERM ({process.log})"


def sessions(world, name):
    """Open Redfish sessions at the machine's BMC, as the BMC itself says."""
    machine = world.fleet.machines[name]
    login = base64.b64encode(f"{machine.username}:{machine.password}".encode()).decode()
    request = urllib.request.Request(f"https://{machine.address}:{machine.port}/redfish/v1/SessionService/Sessions",
                                     headers={"Authorization": f"Basic {login}"})
    with directly(request, ssl.create_default_context(cafile=world.fleet.ca), seconds=60) as answer:
        return len(json.loads(answer.read())["Members"])


def no_sanitizer_report(world):
    for log in world.every_log:
        text = log.read_text(errors="replace")
        for sign in ("Sanitizer", "runtime error:"):
            assert sign not in text, f"{log} holds a sanitizer report"
