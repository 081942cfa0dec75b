#!/usr/bin/env python3
"""Machines per minute on the embedded API: from the creation of Machine and Metal3Machine to a provisioned host, with a data
template and an address of an IPPool each. The bench plays Cluster API: Machines come with their bootstrap data, the Cluster
with its infrastructure; there is no workload cluster, so Nodes are not part of it.

Prints one row a number of machines: machines/min, writes a machine (Events apart), CPU a machine of API and controllers
together, memory. Each machine must have a host, an index and an address of its own.
"""
import argparse
import pathlib
import sys
import time

from arrivals import Arrivals, is_in
from cluster_objects import (CAPI, CAPM3, LABELS, NAME, check_own, machine_spec, make_data_template, make_hosts, make_secret,
                             metal_cluster, path, reference)
from measured import HOSTS, PROGRAM, Coordinator, print_table


def make_cluster(api):
    api.call("POST", path(CAPI, "clusters"), {
        "apiVersion": CAPI, "kind": "Cluster", "metadata": {"name": NAME},
        "spec": {"infrastructureRef": reference("Metal3Cluster", NAME)}})
    now = api.call("GET", path(CAPI, "clusters", NAME))
    now["status"] = {"initialization": {"infrastructureProvisioned": True, "controlPlaneInitialized": True}}
    cluster = api.call("PUT", path(CAPI, "clusters", NAME) + "/status", now)
    owner = {"apiVersion": CAPI, "kind": "Cluster", "name": NAME, "uid": cluster["metadata"]["uid"]}
    api.call("POST", path(CAPM3, "metal3clusters"), metal_cluster([owner]))
    make_data_template(api)
    make_secret(api, "bootstrap", "#cloud-config")


def make_machine(api, number: int):
    name = f"machine-{number:05}"
    owner = api.call("POST", path(CAPI, "machines"), {
        "apiVersion": CAPI, "kind": "Machine", "metadata": {"name": name, "labels": LABELS},
        "spec": {"clusterName": NAME, "version": "v1.36.3", "bootstrap": {"dataSecretName": "bootstrap"},
                 "infrastructureRef": reference("Metal3Machine", name)}})
    api.call("POST", path(CAPM3, "metal3machines"), {
        "apiVersion": CAPM3, "kind": "Metal3Machine",
        "metadata": {"name": name, "labels": LABELS, "ownerReferences": [
            {"apiVersion": CAPI, "kind": "Machine", "name": name, "uid": owner["metadata"]["uid"], "controller": True}]},
        "spec": machine_spec()})


def measure(program: pathlib.Path, count: int) -> dict:
    with Coordinator(program) as coordinator:
        api = coordinator.api
        make_cluster(api)
        make_hosts(api, count)
        time.sleep(2)   # what follows upon the hosts is not part of it
        version, events = int(api.call("GET", HOSTS)["metadata"]["resourceVersion"]), coordinator.events()
        provisioned = Arrivals(api, HOSTS, is_in("provisioned"), count)
        cpu, started = coordinator.cpu_seconds(), time.monotonic()
        for number in range(count):
            make_machine(api, number)
        made = time.monotonic() - started
        provisioned.wait()
        seconds = time.monotonic() - started
        time.sleep(2)   # Events that are still on their way belong to the run
        cpu = coordinator.cpu_seconds() - cpu
        writes = int(api.call("GET", HOSTS)["metadata"]["resourceVersion"]) - version - 2 * count
        events = coordinator.events() - events
        check_own(api, count)
        return {"machines": count, "machines/min": 60 * count / seconds, "s to create them": made,
                "writes/machine": (writes - events) / count, "events/machine": events / count,
                "CPU ms/machine": 1000 * cpu / count,
                "RSS MiB": coordinator.memory_mib("VmRSS"), "peak MiB": coordinator.memory_mib("VmHWM")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("machines", type=int, nargs="*", default=[500, 1000, 5000])
    options = parser.parse_args()
    print_table([measure(options.binary, count) for count in options.machines])
    return 0


if __name__ == "__main__":
    sys.exit(main())
