"""How soon power that is lost is seen, that is wished comes, and that is known is known again."""
import pathlib
import random
import sys
import threading
import time

from agent_site import host_name, site_with_hosts
from figures import Figure, most_within, percentile
from host_watch import until

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "demo"))
import audit  # noqa: E402  (the path comes first)
from ports import free_port  # noqa: E402
from processes import run  # noqa: E402

LOSSES = 100
BETWEEN_LOSSES = 1.0     # seconds, give or take half of it
SEEN_WITHIN = 60         # or the measurement fails
ALL_ON_WITHIN = 300
FORGOTTEN_WITHIN = 300
LIMITED_RATE = 5         # requests a second
SETTLED_SECONDS = 75     # from the agent's start: then all has been read once


class Losses:
    """Pulls the cord of one machine after the other, plugs it in again once the watch has shown the loss."""

    def __init__(self, site, count: int):
        self.site, self.pulled, self.seen = site, {}, {}
        self.names = random.sample(sorted(site.machines), min(count, len(site.machines)))

    def run(self) -> list[float]:
        """Seconds from each loss until the watch showed it."""
        for name in self.names:
            self.pulled[name] = time.monotonic()
            self.site.set_fault(name, "cord-out", True)
            time.sleep(BETWEEN_LOSSES * random.uniform(0.5, 1.5))
            self._restore()
        until(SEEN_WITHIN, "every loss is seen", self._restore)
        return list(self.seen.values())

    def _restore(self) -> bool:
        for name in [name for name in self.pulled if name not in self.seen]:
            moment = self.site.watch.look(lambda: self.site.watch.seen.get((name, "off"), 0))
            if moment > self.pulled[name]:
                self.seen[name] = moment - self.pulled[name]
                self.site.set_fault(name, "cord-out", False)
        return len(self.seen) == len(self.names)


def power_loss(options):
    """seconds from the loss of a machine's input power until a watch on the API shows it off"""
    count = options.hosts or 1000
    ways = [("polled every 5 s", ["--no-events"], 7), ("pushed by streams", [], 1),
            ("pushed by subscriptions", ["--events-url", f"https://127.0.0.1:{free_port()}"], 1)]
    figures = []
    with site_with_hosts(options.programs, count, online=True) as site:
        for what, flags, goal in ways:
            site.restart_agent(*flags)
            if "--no-events" not in flags:
                site.wait_for_events()
            site.watch.wait_for_power(ALL_ON_WITHIN, "on", count)
            seconds = Losses(site, LOSSES).run()
            site.watch.wait_for_power(ALL_ON_WITHIN, "on", count)
            figures += [Figure(f"{what}: p{share}", percentile(seconds, share), f"s ({len(seconds)} losses)", most=goal)
                        for share in (50, 99)]
    return figures


class LeaseWatch(threading.Thread):
    """The fewest hosts that the agent might change at any time, as its metrics say, and whether it ever was not connected."""

    def __init__(self, site):
        super().__init__(daemon=True)
        self.site, self.fewest, self.looks, self.stopping = site, site.count, 0, threading.Event()
        self.start()

    def run(self):
        while not self.stopping.wait(0.2):
            now = self.site.agent_metrics()
            self.fewest = min(self.fewest, int(now.get("ingot_agent_hosts_acting", 0)) if now.get("ingot_agent_connected") else 0)
            self.looks += 1

    def stop(self):
        self.stopping.set()
        self.join()


def power_on(options):
    """`ingotctl power on HOST… --at-once N`, N all hosts: when the commands reach the BMCs, by the simulator's journal"""
    count = options.hosts or 1000
    with site_with_hosts(options.programs, count, options.agent_flags) as site:
        site.wait_for_leases()
        status, marks = site.agent_status(), [fleet.mark() for fleet in site.fleets]
        leases, begun, wall = LeaseWatch(site), time.monotonic(), time.time()
        run([site.programs / "ingotctl", "--kubeconfig", site.kubeconfig(), "-n", "default", "power", "on",
             f"host-[{0:05}-{count - 1:05}]", "--at-once", str(count)], "ingotctl power on")
        done = time.monotonic() - begun
        leases.stop()
        entries = [entry for fleet, mark in zip(site.fleets, marks) for entry in fleet.journal(since=mark)]
        commands = [entry for entry in audit.resets(audit.writes(entries, "agent")) if audit.accepted(entry)]
        reached = {entry["machine"] for entry in commands}
        kept = all(site.agent_status().get(field) == status.get(field) for field in ("bootID", "connectedSince"))
        ordered = max(site.watch.look(site.watch.ordered.values)) - begun
        return [Figure("last order in the API after", ordered, "s"),
                Figure("last command at its BMC after", max(map(audit.when, commands)) - wall, "s", most=10),
                Figure("all on, says ingotctl, after", done, "s"),
                Figure("hosts commanded", len(reached), least=count),
                Figure("commands sent twice", len(commands) - len(reached), most=0),
                Figure("leases held, fewest at any time", leases.fewest, f"({leases.looks} looks)", least=count),
                Figure("connections of the agent lost", 0 if kept else 1, most=0)]


def restart(options):
    """an agent that starts with all hosts known: until the coordinator knows the power of each, and how hard it presses"""
    count = options.hosts or 1000
    figures = []
    with site_with_hosts(options.programs, count, access_log=True) as site:
        for what, flags, most in (("", [], None),
                                  (f", --bmc-max-rate {LIMITED_RATE}", ["--bmc-max-rate", str(LIMITED_RATE)], LIMITED_RATE)):
            site.stop_agent()
            site.watch.wait_for_power(FORGOTTEN_WITHIN, "unknown", count)
            begun, wall = time.monotonic(), time.time()
            site.start_agent(*flags, *options.agent_flags)
            site.watch.wait_for_power(FORGOTTEN_WITHIN, "off", count)
            known = max(site.watch.seen[host_name(number), "off"] for number in range(count)) - begun
            site.settle(SETTLED_SECONDS - known)
            figures += [Figure(f"power of all known after{what}", known, "s", most=15),
                        Figure(f"requests to one BMC within a second, most{what}", hardest(site.requests(wall)), most=most)]
    return figures


def hardest(requests) -> int:
    """The largest number within a second that one BMC saw."""
    by_machine = {}
    for name, moment in requests:
        by_machine.setdefault(name, []).append(moment)
    return max((most_within(moments, 1) for moments in by_machine.values()), default=0)
