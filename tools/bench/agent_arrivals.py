"""From manifests to hosts that are available, and what they cost afterwards."""
import time

from agent_site import Site
from measured import cpu_seconds, memory_mib, print_table

FIRST_READINGS_SECONDS = 50   # then sensors and logs of all have been read once
STEADY_SECONDS = 120          # as often as they are read


def measure(options, count: int) -> dict:
    with Site(options.programs, count) as site:
        coordinator = site.coordinator
        site.start_agent(*options.agent_flags)
        site.approve_agent()
        agent = site.agent.pid
        started = time.monotonic()
        site.create_hosts(inspected=True)
        seconds = time.monotonic() - started
        until_then = cpu_seconds(agent), coordinator.cpu_seconds()
        time.sleep(FIRST_READINGS_SECONDS)
        begun = cpu_seconds(agent), coordinator.cpu_seconds()
        before = time.monotonic()
        time.sleep(STEADY_SECONDS)
        steady = time.monotonic() - before
        shares = [100 * (now - then) / steady for now, then in zip((cpu_seconds(agent), coordinator.cpu_seconds()), begun)]
        return {"hosts": count, "s to available": seconds, "agent CPU ms/host": 1000 * until_then[0] / count,
                "coordinator CPU ms/host": 1000 * until_then[1] / count, "agent % of a core": shares[0],
                "coordinator % of a core": shares[1], "agent MiB": memory_mib(agent, "VmRSS"),
                "coordinator MiB": coordinator.memory_mib("VmRSS")}


def arrivals(options):
    """seconds and CPU from the first manifest to the last host that is available (registered, inspected), and what agent and
    coordinator take then"""
    print_table([measure(options, count) for count in ([options.hosts] if options.hosts else [100, 1000])])
