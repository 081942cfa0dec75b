#!/usr/bin/env python3
"""Machines per minute on a real kube-apiserver with etcd and Cluster API's core manager, all of them without client limits: a
MachineDeployment is scaled from nothing, the manager makes its Machines and Metal3Machines, the coordinator with its fixture
backend gives each a host, data and an address, and the bench a Node with its providerID, as a kubelet would bring it. The
cluster runs on itself: its Nodes are in the same API.

Prints one row a number of machines: how many a minute are provisioned (Metal3Machine with its providerID), and how many run
(Machine with its Node); of the coordinator alone its writes and reads a machine, Events and Leases apart, what it writes for all
machines together, CPU a machine, and the most memory for everything since its start.
"""
import argparse
import collections
import datetime
import pathlib
import sys
import tempfile
import time

from arrivals import Arrivals, is_in
from cluster_objects import (CAPI, CAPM3, NAME, check_own, machine_spec, make_data_template, make_hosts, make_secret, metal_cluster,
                             path, reference)
from measured import HOSTS, PROGRAM, Api, cpu_seconds, memory_mib, print_table

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/integration/cluster_api", "tests/integration/system", "tools/demo")]

from cluster_api import ClusterApi   # noqa: E402
from coordinator import FIXTURE, USER, Coordinator   # noqa: E402
from managers import Manager   # noqa: E402
from patience import within   # noqa: E402

WORKLOAD = "workload"   # who the managers are to the Nodes
UNLIMITED = ("--kube-api-qps=10000", "--kube-api-burst=10000", "--clustercache-client-qps=10000",
             "--clustercache-client-burst=10000")
CORE = (Manager("core-manager", UNLIMITED),)
OF_ALL_MACHINES = ("metal3clusters", "ippools", "metal3datatemplates")
NODES = "/api/v1/nodes"


class Site:
    """The servers of one measurement, with a cluster that has no machine yet. To be used with `with`."""

    def __init__(self, program: pathlib.Path):
        self.folder = tempfile.TemporaryDirectory(prefix="ingot-bench-")
        folder = pathlib.Path(self.folder.name)
        self.coordinator = Coordinator(folder, program.resolve().parent)
        self.capi = ClusterApi(folder, (USER, WORKLOAD), self.coordinator.kinds(), managers=CORE, reads_of=(USER,))
        self.api = None

    def __enter__(self):
        try:
            self.capi.start()
            self.coordinator.start(self.capi, (*FIXTURE, "--log-level=warn"))
            self.api = Api(self.capi.api.kubeconfig)
            self._make_cluster()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.capi.stop()
        self.folder.cleanup()

    def _make_cluster(self):
        make_secret(self.api, f"{NAME}-kubeconfig", self.capi.api.kubeconfig_of(WORKLOAD).read_text())
        self.api.call("POST", path(CAPM3, "metal3clusters"), metal_cluster())
        self.api.call("POST", path(CAPI, "clusters"), {
            "apiVersion": CAPI, "kind": "Cluster", "metadata": {"name": NAME},
            "spec": {"infrastructureRef": reference("Metal3Cluster", NAME)}})
        within(60, "its infrastructure is there", self._has_infrastructure)
        self._control_plane_is_up()
        make_data_template(self.api)
        make_secret(self.api, "bootstrap", "#cloud-config")
        self.api.call("POST", path(CAPM3, "metal3machinetemplates"), {
            "apiVersion": CAPM3, "kind": "Metal3MachineTemplate", "metadata": {"name": NAME},
            "spec": {"template": {"spec": machine_spec()}}})
        self.api.call("POST", path(CAPI, "machinedeployments"), {
            "apiVersion": CAPI, "kind": "MachineDeployment", "metadata": {"name": NAME},
            "spec": {"clusterName": NAME, "replicas": 0, "template": {"spec": {
                "clusterName": NAME, "version": "v1.36.3", "bootstrap": {"dataSecretName": "bootstrap"},
                "infrastructureRef": reference("Metal3MachineTemplate", NAME)}}}})

    def _has_infrastructure(self):
        status = self.api.call("GET", path(CAPI, "clusters", NAME)).get("status", {})
        return status.get("initialization", {}).get("infrastructureProvisioned")

    def _control_plane_is_up(self):
        """As the manager says once a control plane has a Node; it does not look again."""
        moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.api.merge(path(CAPI, "clusters", NAME) + "/status", {"status": {
            "initialization": {"controlPlaneInitialized": True},
            "conditions": [{"type": "ControlPlaneInitialized", "status": "True", "reason": "Initialized", "message": "",
                            "lastTransitionTime": moment}]}})

    def scale(self, count: int):
        self.api.merge(path(CAPI, "machinedeployments", NAME), {"spec": {"replicas": count}})

    def make_node(self, api, host: dict):
        machine = host["spec"]["consumerRef"]["name"]
        api.call("POST", NODES, {"apiVersion": "v1", "kind": "Node",
                                 "metadata": {"name": machine, "labels": {"metal3.io/uuid": host["metadata"]["uid"]}},
                                 "spec": {"providerID": f"metal3://default/{host['metadata']['name']}/{machine}"}})

    def requests(self):
        """What the coordinator has written and read so far, by kinds."""
        return [collections.Counter(f"{each.verb} {each.what}" for each in some if each.what not in ("events", "leases"))
                for some in (self.capi.api.writes(USER), self.capi.api.reads(USER))]


def is_provisioned(metal) -> bool:
    return "providerID" in metal["spec"] and metal.get("status", {}).get("initialization", {}).get("provisioned", False)


def runs(machine) -> bool:
    return "nodeRef" in machine.get("status", {})


def measure(program: pathlib.Path, count: int) -> dict:
    with Site(program) as site:
        api, pid = site.api, site.coordinator.process.pid
        make_hosts(api, count)
        time.sleep(2)   # what follows upon the hosts is not part of it
        kubelets = Api(site.capi.api.kubeconfig)
        Arrivals(api, HOSTS, is_in("provisioned"), count, lambda host: site.make_node(kubelets, host))
        waits = [Arrivals(api, path(CAPM3, "metal3machines"), is_provisioned, count),
                 Arrivals(api, path(CAPI, "machines"), runs, count)]
        before, cpu, started = site.requests(), cpu_seconds(pid), time.monotonic()
        site.scale(count)
        seconds = []
        for wait in waits:
            wait.wait()
            seconds.append(time.monotonic() - started)
        time.sleep(2)   # what is still on its way belongs to the run
        cpu = cpu_seconds(pid) - cpu
        writes, reads = (now - then for now, then in zip(site.requests(), before))
        shared = sum(number for what, number in writes.items() if what.split()[1] in OF_ALL_MACHINES)
        check_own(api, count)
        print(f"{count} machines: {dict(writes)}, reads {dict(reads)}, memory {site.capi.memory()}", file=sys.stderr)
        return {"machines": count, "provisioned/min": 60 * count / seconds[0], "running/min": 60 * count / seconds[1],
                "writes/machine": (writes.total() - shared) / count, "writes for all": shared, "reads/machine": reads.total() / count,
                "own CPU ms/machine": 1000 * cpu / count, "own peak MiB": memory_mib(pid, "VmHWM")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("machines", type=int, nargs="*", default=[100])
    options = parser.parse_args()
    print_table([measure(options.binary, count) for count in options.machines])
    return 0


if __name__ == "__main__":
    sys.exit(main())
