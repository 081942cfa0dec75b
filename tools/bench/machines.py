#!/usr/bin/env python3
"""Machines per minute on the embedded API: from the creation of Machine and Metal3Machine to a provisioned host, with a data
template and an address of an IPPool each. The bench plays Cluster API: Machines come with their bootstrap data, the Cluster
with its infrastructure; there is no workload cluster, so Nodes are not part of it.

Prints one row a number of machines: machines/min, writes a machine (Events apart), CPU a machine of API and controllers
together, memory. Each machine must have a host, an index and an address of its own.
"""
import argparse
import json
import pathlib
import sys
import threading
import time

from coordinator import HOSTS, PROGRAM, SECRETS, Coordinator, host, image, print_table, secret

CAPI, CAPM3, IPAM = "cluster.x-k8s.io/v1beta2", "infrastructure.cluster.x-k8s.io/v1beta2", "ipam.metal3.io/v1alpha1"
NAME = "edge"
LABELS = {"cluster.x-k8s.io/cluster-name": NAME}
MOST_SECONDS = 600


def path(api_version: str, plural: str, name: str = "") -> str:
    return f"/apis/{api_version}/namespaces/default/{plural}" + (f"/{name}" if name else "")


def reference(kind: str, name: str) -> dict:
    return {"apiGroup": CAPM3.split("/")[0], "kind": kind, "name": name}


class HostWatch(threading.Thread):
    """Tells when so many hosts have come to a state."""

    def __init__(self, api, state: str, wanted: int):
        super().__init__(daemon=True)
        self.state, self.wanted, self.there, self.done = state, wanted, set(), threading.Event()
        connection = api.connect()
        version = api.call("GET", HOSTS)["metadata"]["resourceVersion"]
        connection.request("GET", f"{HOSTS}?watch=true&resourceVersion={version}")
        self.stream = connection.getresponse()
        self.start()

    def run(self):
        for line in self.stream:
            each = json.loads(line)["object"]
            if each.get("status", {}).get("provisioning", {}).get("state") == self.state:
                self.there.add(each["metadata"]["name"])
            if len(self.there) == self.wanted:
                self.done.set()
                return

    def wait(self):
        if not self.done.wait(MOST_SECONDS):
            raise RuntimeError(f"only {len(self.there)} of {self.wanted} hosts are {self.state} after {MOST_SECONDS} s")


def make_hosts(api, count: int):
    watch = HostWatch(api, "available", count)
    for number in range(count):
        api.call("POST", SECRETS, secret(number))
        api.call("POST", HOSTS, host(number))
    watch.wait()


def make_cluster(api):
    api.call("POST", path(CAPI, "clusters"), {
        "apiVersion": CAPI, "kind": "Cluster", "metadata": {"name": NAME},
        "spec": {"infrastructureRef": reference("Metal3Cluster", NAME)}})
    now = api.call("GET", path(CAPI, "clusters", NAME))
    now["status"] = {"initialization": {"infrastructureProvisioned": True, "controlPlaneInitialized": True}}
    cluster = api.call("PUT", path(CAPI, "clusters", NAME) + "/status", now)
    owner = {"apiVersion": CAPI, "kind": "Cluster", "name": NAME, "uid": cluster["metadata"]["uid"]}
    api.call("POST", path(CAPM3, "metal3clusters"), {
        "apiVersion": CAPM3, "kind": "Metal3Cluster",
        "metadata": {"name": NAME, "labels": LABELS, "ownerReferences": [owner]},
        "spec": {"controlPlaneEndpoint": {"host": "192.0.2.1", "port": 6443}, "cloudProviderEnabled": False}})
    api.call("POST", path(IPAM, "ippools"), {
        "apiVersion": IPAM, "kind": "IPPool", "metadata": {"name": NAME},
        "spec": {"clusterName": NAME, "namePrefix": NAME, "prefix": 16, "gateway": "10.9.0.1",
                 "pools": [{"start": "10.9.0.10", "end": "10.9.255.250"}]}})
    pool = {"apiGroup": IPAM.split("/")[0], "kind": "IPPool", "name": NAME}
    api.call("POST", path(CAPM3, "metal3datatemplates"), {
        "apiVersion": CAPM3, "kind": "Metal3DataTemplate", "metadata": {"name": NAME},
        "spec": {"clusterName": NAME,
                 "metaData": {"objectNames": [{"key": "name", "object": "machine"}],
                              "ipAddressesFromPool": [{"key": "address", **pool}]},
                 "networkData": {
                     "links": {"ethernets": [{"type": "phy", "id": "eth0", "mtu": 1500,
                                              "macAddress": {"fromHostInterface": "nic-1"}}]},
                     "networks": {"ipv4": [{"id": "net", "link": "eth0", "ipAddressFromIPPool": NAME}]}}}})


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
        "spec": {"image": image(), "dataTemplate": {"name": NAME}}})


def check_own(api, count: int):
    """That nothing is used twice."""
    consumers = [each["spec"].get("consumerRef", {}).get("name") for each in api.call("GET", HOSTS)["items"]]
    indexes = [each["spec"]["index"] for each in api.call("GET", path(CAPM3, "metal3datas"))["items"]]
    addresses = [each["spec"]["address"] for each in api.call("GET", path(IPAM, "ipaddresses"))["items"]]
    for what, values in (("machine with a host", consumers), ("index", indexes), ("address", addresses)):
        if len(set(values)) != count or None in values:
            raise RuntimeError(f"{len(set(values))} times another {what} for {count} machines")


def measure(program: pathlib.Path, count: int) -> dict:
    with Coordinator(program) as coordinator:
        api = coordinator.api
        make_cluster(api)
        api.call("POST", SECRETS, {"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
                                   "metadata": {"name": "bootstrap", "labels": LABELS}, "stringData": {"value": "#cloud-config"}})
        make_hosts(api, count)
        time.sleep(2)   # what follows upon the hosts is not part of it
        version, events = int(api.call("GET", HOSTS)["metadata"]["resourceVersion"]), coordinator.events()
        watch = HostWatch(api, "provisioned", count)
        cpu, started = coordinator.cpu_seconds(), time.monotonic()
        for number in range(count):
            make_machine(api, number)
        made = time.monotonic() - started
        watch.wait()
        seconds = time.monotonic() - started
        time.sleep(2)   # Events that are still on their way belong to the run
        writes = int(api.call("GET", HOSTS)["metadata"]["resourceVersion"]) - version - 2 * count
        events = coordinator.events() - events
        check_own(api, count)
        return {"machines": count, "machines/min": 60 * count / seconds, "s to create them": made,
                "writes/machine": (writes - events) / count, "events/machine": events / count,
                "CPU ms/machine": 1000 * (coordinator.cpu_seconds() - cpu) / count,
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
