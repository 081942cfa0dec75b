#!/usr/bin/env python3
"""Hosts that an agent alone looks after (--provisioner agent), behind simulated BMCs with TLS, all on this machine.

Prints one row a fleet size: seconds from the first manifest to the last host that is available (registered, inspected),
CPU and memory of agent and coordinator, and what both take in the steady state, with BMCs read as often as by default.
The simulator takes its share of the machine's cores, so the seconds are an upper bound.
"""
import argparse
import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from measured import HOSTS, PROGRAM, SECRETS, Coordinator, cpu_seconds, memory_mib, print_table

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "demo"))
from ports import free_port  # noqa: E402  (the path comes first)

AGENTS = "/apis/ingot.dev/v1alpha1/provisioningagents"
FIRST_READINGS_SECONDS = 50   # then sensors and logs of all have been read once
STEADY_SECONDS = 60          # as often as they are read
LIMIT_SECONDS = 900


def until(limit: float, what: str, holds):
    deadline = time.monotonic() + limit
    while not (value := holds()):
        if time.monotonic() > deadline:
            raise RuntimeError(f"not within {limit:.0f} s: {what}")
        time.sleep(0.2)
    return value


@contextlib.contextmanager
def running(argv, log: pathlib.Path):
    process = subprocess.Popen(argv, stderr=open(log, "w"), stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def manifests(number: int, machine: dict):
    """Secret and host."""
    name = f"host-{number:05}"
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name},
              "stringData": {"username": machine["username"], "password": machine["password"]}}
    host = {"apiVersion": "metal3.io/v1alpha1", "kind": "BareMetalHost", "metadata": {"name": name},
            "spec": {"online": False, "bootMACAddress": machine["macs"][0], "automatedCleaningMode": "disabled",
                     "bmc": {"address": f"redfish://{machine['address']}:{machine['port']}{machine['systemPath']}",
                             "credentialsName": name}}}
    return secret, host


def available(api) -> int:
    states = [each.get("status", {}).get("provisioning", {}).get("state") for each in api.call("GET", HOSTS)["items"]]
    return states.count("available")


def measure(programs: pathlib.Path, count: int, more: list[str]) -> dict:
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ingot-bench-")))
        ready = folder / "fleet.json"
        stack.enter_context(running([programs / "ingot-sim", "run", "--machines", str(count), "--data-dir", folder / "sim",
                                     "--http-root", folder, "--ready-file", ready], folder / "sim.log"))
        until(120, "the simulator listens", ready.exists)
        fleet = json.loads(ready.read_text())
        port = free_port()
        coordinator = stack.enter_context(Coordinator(programs / "ingot-coordinator", agents=f"tcp://127.0.0.1:{port}"))
        until(20, "the coordinator has its keys", (coordinator.folder / "data/coordinator.pub").exists)
        agent = stack.enter_context(running(
            [programs / "ingot-agent", "--server", f"tcp://127.0.0.1:{port}", "--server-key",
             coordinator.folder / "data/coordinator.pub", "--data-dir", folder / "agent", "--name", "bench",
             "--bmc-ca-file", fleet["ca"], "--log-level", "warn", *more], folder / "agent.log"))
        api = coordinator.api

        def fingerprint():
            agents = api.call("GET", AGENTS)["items"]
            return agents and agents[0].get("status", {}).get("fingerprint")

        known = until(20, "the agent shows up", fingerprint)
        api.merge(f"{AGENTS}/bench", {"spec": {"approved": True, "fingerprint": known, "allHosts": True}})
        started = time.monotonic()
        for number, machine in enumerate(fleet["machines"]):
            secret, host = manifests(number, machine)
            api.call("POST", SECRETS, secret)
            api.call("POST", HOSTS, host)
        until(LIMIT_SECONDS, "all hosts are available", lambda: available(api) == count)
        seconds = time.monotonic() - started
        until_then = cpu_seconds(agent.pid), coordinator.cpu_seconds()
        time.sleep(FIRST_READINGS_SECONDS)
        begun = cpu_seconds(agent.pid), coordinator.cpu_seconds()
        before = time.monotonic()
        time.sleep(STEADY_SECONDS)
        steady = time.monotonic() - before
        shares = [100 * (now - then) / steady for now, then in zip((cpu_seconds(agent.pid), coordinator.cpu_seconds()), begun)]
        return {"hosts": count, "s to available": seconds, "agent CPU ms/host": 1000 * until_then[0] / count,
                "coordinator CPU ms/host": 1000 * until_then[1] / count, "agent % of a core": shares[0],
                "coordinator % of a core": shares[1], "agent MiB": memory_mib(agent.pid, "VmRSS"),
                "coordinator MiB": coordinator.memory_mib("VmRSS")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=PROGRAM.parent)
    parser.add_argument("hosts", type=int, nargs="*", default=[100, 1000])
    parser.add_argument("--keep-connections", help="of the agent")
    parser.add_argument("--no-events", action="store_true", help="of the agent")
    options = parser.parse_args()
    more = ["--keep-connections", options.keep_connections] if options.keep_connections else []
    more += ["--no-events"] if options.no_events else []
    print_table([measure(options.programs, count, more) for count in options.hosts])
    return 0


if __name__ == "__main__":
    sys.exit(main())
