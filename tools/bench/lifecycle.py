#!/usr/bin/env python3
"""Hosts per minute from creation to provisioned: the coordinator with its fixture backend, on the embedded API or, with
--kubeconfig, on the API server that the file names (its CRDs installed, its namespace "default" empty of hosts).

Prints one row a fleet size: hosts/min, writes a host (Events apart), CPU a host of API and controllers together, memory.
A watcher follows the whole run and must have seen every state of every host.
"""
import argparse
import collections
import json
import pathlib
import sys
import threading
import time

from measured import HOSTS, PROGRAM, SECRETS, Api, Coordinator, host, image, print_table, secret

WANTED_STATES = {"registering", "inspecting", "preparing", "available", "provisioning", "provisioned"}


class Watcher(threading.Thread):
    """Counts the states that each host was seen in."""

    def __init__(self, api: Api, version: str, wanted: int):
        super().__init__(daemon=True)
        self.seen = collections.defaultdict(set)
        self.updates = 0
        self.wanted, self.done = wanted, threading.Event()
        connection = api.connect()
        connection.request("GET", f"{HOSTS}?watch=true&resourceVersion={version}")
        self.stream = connection.getresponse()

    def run(self):
        provisioned = 0
        for line in self.stream:
            event = json.loads(line)
            if event["type"] not in ("ADDED", "MODIFIED"):
                continue
            self.updates += 1
            state = event["object"].get("status", {}).get("provisioning", {}).get("state", "")
            states = self.seen[event["object"]["metadata"]["name"]]
            if state == "provisioned" and state not in states:
                provisioned += 1
            states.add(state)
            if provisioned == self.wanted:
                self.done.set()
                return


def measure(program: pathlib.Path, count: int, remote: pathlib.Path | None) -> dict:
    with Coordinator(program, remote) as coordinator:
        api = coordinator.api
        for number in range(count):
            api.call("POST", SECRETS, secret(number))
        version = api.call("GET", HOSTS)["metadata"]["resourceVersion"]
        watcher = Watcher(api, version, count)
        watcher.start()
        cpu, started = coordinator.cpu_seconds(), time.monotonic()
        for number in range(count):
            each = host(number)
            each["spec"]["image"] = image()
            api.call("POST", HOSTS, each)
        if not watcher.done.wait(600):
            raise RuntimeError(f"only {sum('provisioned' in s for s in watcher.seen.values())} of {count} hosts in 10 min")
        seconds = time.monotonic() - started
        time.sleep(1)  # Events that are still on their way belong to the run
        writes = int(api.call("GET", HOSTS)["metadata"]["resourceVersion"]) - int(version) - count
        events = coordinator.events()
        missed = sum(not WANTED_STATES <= states for states in watcher.seen.values())
        return {"hosts": count, "hosts/min": 60 * count / seconds, "writes/host": (writes - events) / count,
                "events/host": events / count, "CPU ms/host": 1000 * (coordinator.cpu_seconds() - cpu) / count,
                "RSS MiB": coordinator.memory_mib("VmRSS"), "peak MiB": coordinator.memory_mib("VmHWM"),
                "hosts with unseen states": missed}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("--kubeconfig", type=pathlib.Path, help="of a real API server")
    parser.add_argument("hosts", type=int, nargs="*", default=[1000, 5000])
    options = parser.parse_args()
    print_table([measure(options.binary, count, options.kubeconfig) for count in options.hosts])
    return 0


if __name__ == "__main__":
    sys.exit(main())
