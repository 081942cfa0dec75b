#!/usr/bin/env python3
"""Hosts that an agent alone looks after (--provisioner agent), behind simulated BMCs with TLS, all on this machine. The simulator
takes its share of the machine's cores, so seconds are an upper bound. Measurements, all of them unless --only says which:

"""
import argparse
import os
import pathlib
import sys
import time

import figures
from agent_arrivals import arrivals
from agent_load import ipmi, large, polls, steady
from agent_power import power_loss, power_on, restart
from measured import PROGRAM

MEASUREMENTS = {"arrivals": arrivals, "polls": polls, "steady": steady, "large": large, "ipmi": ipmi,
                "power-loss": power_loss, "power-on": power_on, "restart": restart}


def summary(measure) -> str:
    return " ".join(measure.__doc__.split())


def parsed():
    listed = "\n".join(f"  {name:<10} {summary(measure)}" for name, measure in MEASUREMENTS.items())
    parser = argparse.ArgumentParser(description=__doc__ + listed, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=PROGRAM.parent)
    parser.add_argument("--only", nargs="+", choices=MEASUREMENTS, default=list(MEASUREMENTS), metavar="NAME")
    parser.add_argument("--hosts", type=int, help="so many in each, instead of as many as the goals are for")
    parser.add_argument("--keep-connections", help="of the agent, in arrivals, power-on and restart")
    parser.add_argument("--no-events", action="store_true", help="likewise")
    options = parser.parse_args()
    options.agent_flags = ["--keep-connections", options.keep_connections] if options.keep_connections else []
    options.agent_flags += ["--no-events"] if options.no_events else []
    return options


def main() -> int:
    """1: a goal is missed."""
    options = parsed()
    missed = []
    for name in options.only:
        begun = time.monotonic()
        print(f"\n{name}: {summary(MEASUREMENTS[name])}", flush=True)
        found = MEASUREMENTS[name](options)
        for line in figures.lines(found) if found else ():
            print(line)
        missed += [f"{name}, {each.what}" for each in found or () if each.verdict() == "NO"]
        print(f"  took {time.monotonic() - begun:.0f} s; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
    if missed:
        print(f"\ngoals missed: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
