"""What is shown of a cluster, in order. Each act says what it shows, does it, and tells what was found."""
import time

import chapters
from cluster import CORE, INFRASTRUCTURE, infrastructure
from failure import Failure
from hosts import Hosts
from machine_table import MachineTable
from nodes import OUT_OF_SERVICE, Nodes
from objects import create, state_of
from power import says_why
from remains import DATA, data_of_machines, remains

JOIN_SECONDS = 600     # a busy machine takes four times as long as an idle one
SETTLE_SECONDS = 300
SILENT_SECONDS = 120
GIVE_UP_SECONDS = 600
NEXT = "edge-workers-next"


def management_cluster(stage, tell):
    """Cluster API's managers by a real kube-apiserver, and the API of the cluster that is to come."""
    stage.ingot.start_management_cluster()
    stage.start_workload_cluster()
    tell.fact(f"management cluster at {stage.ingot.kube.address}: kube-apiserver with Cluster API's core, kubeadm bootstrap and control-plane managers")
    tell.plain(f"the API of cluster {stage.manifests.name}, which has no Nodes yet: {stage.workload.url}")


def manifests(stage, tell):
    """Hosts and cluster are applied together; machines wait for hosts."""
    stage.manifests.fill_in(stage.fleet.machines, stage.image, stage.workload.endpoint, stage.workload.secrets(stage.manifests.namespace))
    path = stage.manifests.write(stage.folder / "manifests.yaml")
    stage.hosts = Hosts(stage.ingot.kube, stage.manifests.namespace, stage.processes)
    stage.nodes = Nodes(stage.workload.kube)
    stage.table = MachineTable(stage.hosts, stage.ironic, stage.nodes)
    stage.ingot.ctl("apply", "-f", path)
    tell.fact(f"applied {len(stage.manifests.documents)} objects: {len(stage.manifests.hosts)} hosts, and a cluster of one control plane "
              "and two workers")


def nodes_come(stage, tell):
    """From manifests to Ready Nodes."""
    with stage.table:
        _, took = machines_are_ready(stage, 3, JOIN_SECONDS)
    tell.fact(f"three machines and their Nodes are ready after {took:.0f} s")
    tell.said("ingotctl", "tree", "cluster", "-n", stage.manifests.namespace, stage.manifests.name, stage=stage)


def one_more(stage, tell):
    stage.scale_workers(3)
    with stage.table:
        _, took = machines_are_ready(stage, 4, JOIN_SECONDS)
    tell.fact(f"scaled up by one: its Node is ready after {took:.0f} s")


def two_workers_fail(stage, tell):
    """One hangs and is restarted; the other has lost its power for good, and its owner replaces it. Both at once."""
    workers = stage.workers()
    dead, hung = pick(stage, workers)
    fleet, name = stage.fleet, workers[dead]
    fleet.set_fault(name, "cord-out", True)
    pulled = time.monotonic()
    tell.plain(f"the power cord of {name} ({dead}) is pulled, and stays out")
    a_node_hangs(stage, tell, hung, workers[hung])
    a_cord_stays_out(stage, tell, dead, name, pulled)


def pick(stage, workers):
    """Machine names: whose cord is pulled (its BMC must tell of it), and which hangs."""
    dead = next((machine for machine, host in sorted(workers.items()) if stage.manifests.scheme(host) != "ipmi"), None)
    hung = next((machine for machine in sorted(workers) if machine != dead), None)
    if not dead or not hung:
        raise Failure(f"two workers are needed, one of them with Redfish; there are {workers}", None)
    return dead, hung


def a_node_hangs(stage, tell, machine, host):
    fleet, since = stage.fleet, len(stage.hosts.changes)
    fleet.set_fault(host, "os-hang", True)
    tell.plain(f"the system of {host} ({machine}) hangs")
    with stage.table:
        _, silent = stage.see(f"Node {machine} is silent", lambda: stage.nodes.now.get(machine) == "silent", SILENT_SECONDS)
        stage.hosts.wait_for_change(host, lambda seen: not seen.powered_on, SILENT_SECONDS, "switched off by its remediation", since)
        fleet.set_fault(host, "os-hang", False)   # a restart is what it needed
        stage.hosts.wait_for(host, lambda seen: seen.powered_on, SILENT_SECONDS, "on again")
        _, back = stage.see(f"Node {machine} is back", lambda: is_back(stage, machine), SETTLE_SECONDS)
    if machine not in stage.nodes.were_out:
        raise Failure(f"Node {machine} was not out of service while {host} was off", stage.processes.log_of("ingot-coordinator"))
    tell.fact(f"a worker hangs: silent after {silent:.0f} s, its host off and on, its Node out of service meanwhile and back "
              f"{back:.0f} s after the host was on")


def is_back(stage, machine):
    remediated = {each["metadata"]["name"] for each in stage.all("Metal3Remediation")}
    return (stage.nodes.now.get(machine) == "ready" and OUT_OF_SERVICE not in stage.nodes.taints[machine] and machine not in remediated
            and machine in stage.ready_machines())


def a_cord_stays_out(stage, tell, machine, host, pulled):
    """The dead machine holds its place until its host is cleaned; then a spare host takes over, for nobody trusts this one."""
    with stage.table:
        stage.see(f"the owner of {machine} deletes it", lambda: is_given_up(stage, machine), GIVE_UP_SECONDS)
        tell.fact(f"a cord stays out: two restarts fail, {machine} is handed to its owner {time.monotonic() - pulled:.0f} s after it was pulled")
        stage.see(f"{machine} says that its host has no input power, in both of its statuses and to its operator",
                  lambda: is_told_in_both(stage, machine) and says_what_it_waits_for(why(stage, machine)), SETTLE_SECONDS)
    tell.said("ingotctl", "why", "machine", "-n", stage.manifests.namespace, machine, stage=stage)
    stage.fleet.set_fault(host, "cord-out", False)
    with stage.table:
        _, took = stage.see(f"{machine} is gone", lambda: machine not in stage.machines(), JOIN_SECONDS)
        tell.fact(f"replugged: {host} is cleaned and {machine} gone after {took:.0f} s")
        _, took = machines_are_ready(stage, 4, JOIN_SECONDS)
    workers = sorted(stage.workers().values())
    if host in workers:
        raise Failure(f"{host}, which is marked unhealthy, was given to a machine again", stage.processes.log_of("ingot-coordinator"))
    tell.fact(f"a spare host takes over: its Node is ready {took:.0f} s later, the workers are on {', '.join(workers)}")
    tell.said("ingotctl", "retry", "host", "-n", stage.manifests.namespace, host, stage=stage)


def is_given_up(stage, machine):
    """Its remediation has handed it over, which nobody else says where a remediation template is named, and its owner has taken it."""
    found = stage.machines().get(machine)
    return found is not None and state_of(found, "OwnerRemediated") == "False" and "deletionTimestamp" in found["metadata"]


def says_what_it_waits_for(text):
    return "waits for its deletion" in text and says_why(text)


def is_told_in_both(stage, name):
    """By the Metal3Machine, and by Cluster API's Machine, which is all that its user looks at."""
    return is_told_by(stage.all("Metal3Machine"), name) and is_told_by(stage.machines().values(), name)


def is_told_by(machines, name):
    """Whether a condition of the machine has the reason."""
    found = [each for each in machines if each["metadata"]["name"] == name]
    return any(says_why(condition.get("message", "")) for each in found for condition in each.get("status", {}).get("conditions", []))


def why(stage, machine):
    """What it waits for, as its operator reads it."""
    return stage.ingot.ctl("why", "machine", "-n", stage.manifests.namespace, machine)


def rollout(stage, tell):
    """Every worker is replaced, on the hosts that they had though another one is free."""
    before, hosts = set(stage.workers()), set(stage.workers().values())
    stage.ingot.kube.merge(stage.path(INFRASTRUCTURE, "Metal3MachineTemplate", stage.manifests.template_of_workers()),
                           {"spec": {"nodeReuse": True}})
    create(stage.ingot.kube, stage.manifests.next_workers(NEXT, stage.next_image()))
    stage.change_workers({"template": {"spec": {"infrastructureRef": infrastructure("Metal3MachineTemplate", NEXT)}}})
    with stage.table:
        _, took = stage.see("every worker is replaced", lambda: are_new(stage, before, len(hosts)), JOIN_SECONDS)
        stage.see("there are no Nodes but those of machines", lambda: set(stage.nodes.now) == set(stage.machines()), SETTLE_SECONDS)
    if set(stage.workers().values()) != hosts:
        raise Failure(f"workers were on {sorted(hosts)} and are on {sorted(set(stage.workers().values()))}", stage.processes.log_of("ingot-coordinator"))
    tell.fact(f"{len(hosts)} workers are rolled out at once to another image, on the same hosts: ready after {took:.0f} s")


def are_new(stage, before, count):
    workers = set(stage.workers())
    return len(workers) == count and not workers & before and workers <= stage.ready_machines()


def deletion(stage, tell):
    """Hosts stay, without anything of a machine. Cluster API deletes no Node of a cluster that is deleted as a whole: they fall silent."""
    nodes, given = set(stage.nodes.now), data_of_machines(stage)
    if not given or any(len(names) < len(DATA) for names in given.values()):
        raise Failure(f"every machine has three Secrets; there are {given}", stage.processes.log_of("ingot-coordinator"))
    stage.ingot.kube.delete(stage.path(CORE, "Cluster", stage.manifests.name))
    with stage.table:
        _, took = stage.see("the Cluster is gone, its hosts are available", lambda: is_deleted(stage), JOIN_SECONDS)
        stage.see(lambda: f"the end of {', '.join(remains(stage))}", lambda: not remains(stage), SETTLE_SECONDS)
        stage.see("every Node is silent", lambda: "ready" not in stage.nodes.now.values(), SILENT_SECONDS)
    if set(stage.nodes.now) - nodes:
        raise Failure(f"a cluster that is deleted got Node {', '.join(set(stage.nodes.now) - nodes)}", stage.processes.log_of("ingot-coordinator"))
    for name in stage.manifests.hosts:
        chapters.verify_wiped(stage, name)
    tell.fact(f"deleted: {len(stage.manifests.hosts)} hosts available and clean after {took:.0f} s, no claim, address, data or Secret left")


def is_deleted(stage):
    return stage.get(CORE, "Cluster", stage.manifests.name) is None and all(
        host.state == "available" and not host.consumer for host in stage.hosts.now.values())


def machines_are_ready(stage, count, seconds):
    """With Nodes, each on a host of its own."""
    def ready():
        names = stage.ready_machines()
        hosts = [host.name for host in stage.hosts.now.values() if host.consumer in names]
        return len(names) == len(hosts) == count and all(stage.nodes.now.get(name) == "ready" for name in names)
    return stage.see(f"{count} machines are ready", ready, seconds)
