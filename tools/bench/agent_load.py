"""What reading BMCs costs the agent: a poll, and many hosts in the steady state."""
import json
import subprocess

from agent_site import Site, site_with_hosts
from figures import Figure

POLLED_AT_ONCE = 32
SETTLED_SECONDS = 75    # from the agent's start: then all has been read once, and the events are followed
STEADY_SECONDS = 120    # sensors and logs are read once in that time, health twice
SLOW = 30               # seconds between two readings of the power, as behind IPMI


def polls(options):
    """power polls of 32 BMCs at once: session, governor and message to the coordinator included, beside bare libcurl on the
    same loop with the same headers"""
    with Site(options.programs, POLLED_AT_ONCE) as site:
        output = subprocess.run([options.programs / "poll_bench", "--fleet", site.fleets[0].folder / "fleet.json", "--json"],
                                stdout=subprocess.PIPE, text=True, check=True).stdout
    row = next(row for row in map(json.loads, output.splitlines()) if row["bmcs"] == POLLED_AT_ONCE)
    return [Figure("throughput of bare libcurl", row["barePerWall"], "polls/s"),
            Figure("throughput of the agent's connection", row["ingotPerWall"], "polls/s"),
            Figure("that is, of bare libcurl's", row["percentPerWall"], "%", least=90),
            Figure("bare libcurl, a second of its CPU", row["barePerCpu"], "polls"),
            Figure("the agent's connection, a second of its CPU", row["ingotPerCpu"], "polls"),
            Figure("that is, of bare libcurl's", row["percentPerCpu"], "%", least=90)]


def steady_figures(site, what: str, most_percent=None, most_mib=None):
    cpu = site.agent_cpu_percent(STEADY_SECONDS)
    return [Figure(f"agent's CPU, {what}", cpu, "% of a core", most=most_percent),
            Figure(f"agent's RSS, {what}", site.agent_memory_mib(), "MiB", most=most_mib)]


def steady(options):
    """CPU and memory of the agent in the steady state, power read every 10 s"""
    ways = [("connections kept, polled only", ["--no-events"], 5, 96),
            ("connections kept, events followed", [], 5, 96),
            ("100 connections kept, polled only", ["--keep-connections", "100", "--no-events"], 15, 48),
            ("100 connections kept, events followed", ["--keep-connections", "100"], 15, 48)]
    figures = []
    with site_with_hosts(options.programs, options.hosts or 1000, poll_seconds=10) as site:
        for what, flags, percent, mib in ways:
            site.restart_agent(*flags)
            site.settle(SETTLED_SECONDS)
            if "--no-events" not in flags:
                site.wait_for_events()
            figures += steady_figures(site, what, percent, mib)
    return figures


def large(options):
    """memory of the agent with 10,000 BMCs, power read every 30 s"""
    count = options.hosts or 10_000
    figures = []
    with site_with_hosts(options.programs, count, ["--no-events"], poll_seconds=SLOW) as site:
        site.settle(SETTLED_SECONDS)
        figures += steady_figures(site, "polled only", most_mib=700)
    return figures


def ipmi(options):
    """CPU of the agent and the ipmitools that it runs, power read every 30 s"""
    with site_with_hosts(options.programs, options.hosts or 200, protocol="ipmi") as site:
        site.settle(SETTLED_SECONDS)
        return steady_figures(site, "with its ipmitools", most_percent=15)
