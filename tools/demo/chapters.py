"""The nine points of the demo, in order. Each says what it shows, does it, and tells what was found."""
import audit
import verify
from evidence import Evidence
from failure import Failure
from hosts import Hosts
from kube import hosts_path
from power import SYNC_SECONDS, SYNCS, Power
from table import Table

WALK = ["registering", "inspecting", "preparing", "available", "provisioning", "provisioned"]
PROVISION_SECONDS = 600   # a busy machine takes four times as long as an idle one


def servers(stage, tell):
    """1: simulated servers whose BMCs have addresses, certificates and passwords of their own."""
    stage.fleet.start(stage.manifests.protocols())
    stage.start_ironic()   # takes the longest: it starts while the rest is made ready
    stage.make_image()
    for name, machine in stage.fleet.machines.items():
        tell.plain(f"{name:<10} {machine.bmc_address(stage.manifests.scheme(name))}")
    tell.fact(f"{len(stage.fleet.machines)} simulated servers; BMC certificates of a private CA, verification on")


def coordinator(stage, tell):
    """3: the coordinator serves the Kubernetes API; an agent shows up and is approved."""
    endpoint = stage.ingot.start_coordinator(stage.ironic.url, stage.fleet.url)
    tell.fact(f"Kubernetes API at {stage.ingot.kube.address}, agents at {endpoint}")
    process, fingerprint = stage.ingot.start_agent(endpoint, stage.fleet.ca)
    name = process.wait_until(lambda: pending(stage), 60, "showing up as pending")
    tell.fact(f"agent '{name}' is pending, fingerprint {fingerprint}")
    stage.ingot.ctl("agents", "approve", name, "--fingerprint", fingerprint, "--all")
    process.wait_until(lambda: serving(stage, name), 60, "connecting once approved")
    tell.fact(f"approved with 'ingotctl agents approve {name} --fingerprint … --all': connected")
    if where := stage.ingot.place.seen(stage.ingot.started):
        tell.fact(where)


def pending(stage):
    return next((agent["metadata"]["name"] for agent in stage.ingot.agents() if not agent["spec"].get("approved")), None)


def serving(stage, name):
    return any(agent["metadata"]["name"] == name and agent.get("status", {}).get("connected") for agent in stage.ingot.agents())


def ironic(stage, tell):
    """2: real Ironic."""
    stage.ironic.ready()
    tell.fact(f"Ironic {stage.ironic.version()} at {stage.ironic.url}, power sync every {SYNC_SECONDS} s, "
              f"force_power_state_during_sync = {stage.force_power_state}")


def manifests(stage, tell):
    """4: ordinary Metal3 manifests are applied."""
    stage.manifests.fill_in(stage.fleet.machines, stage.image)
    path = stage.manifests.write(stage.folder / "manifests.yaml")
    stage.hosts = Hosts(stage.ingot.kube, stage.manifests.namespace, stage.processes)
    stage.table = Table(stage.hosts, stage.ironic, {name: stage.manifests.scheme(name) for name in stage.manifests.hosts})
    stage.ingot.ctl("apply", "-f", path)
    tell.fact(f"applied {len(stage.manifests.documents)} objects, {len(stage.manifests.hosts)} of them BareMetalHosts")


def provisioning(stage, tell):
    """5 and 6: each host walks to provisioned while the table shows it."""
    hosts = stage.hosts
    wanted = set(stage.manifests.hosts)
    with stage.table:
        took = hosts.wait(lambda now: all(name in now and now[name].state == "provisioned" and now[name].powered_on
                                          for name in wanted), PROVISION_SECONDS, "provisioning every host")
    for name in sorted(wanted):
        walked = [state for state in hosts.states[name] if state in WALK]
        if walked != WALK:
            raise Failure(f"{name} went {' → '.join(hosts.states[name])}", stage.processes.log_of("ingot-coordinator"))
    tell.fact(f"{len(wanted)} hosts went {' → '.join(WALK)} in {took:.0f} s")


def disks(stage, tell):
    """7: the disks, judged by tools that are not ours."""
    for name, machine in stage.fleet.machines.items():
        digest = verify.image_is_on(machine.disk, stage.image)
        drive = verify.config_drive(machine.disk, stage.folder)
        verify.config_is(drive, name, stage.manifests)
        tell.plain(f"{name:<10} sha256sum {digest[:16]}…  blkid config-2 iso9660  isoinfo {', '.join(drive)}")
    tell.fact(f"image bytes, partition table, config drive and its three files are right on {len(stage.fleet.machines)} disks")


def power_by_wish(stage, tell, name):
    """8: off through spec.online, off to stay, on again."""
    power = Power(stage)
    took, proof, said = power.switch_off(name)
    tell.plain(f"$ ingotctl power off {name}: {said}")
    tell.plain(f"simulator's journal: {audit.told(proof)}, sender: {proof['sender']}")
    tell.fact(f"'ingotctl power off {name}': off after {took:.1f} s, by the agent")
    power.stays_off(name)
    tell.fact(f"still off after {SYNCS} of Ironic's power syncs, and Ironic's record agrees")
    tell.fact(f"'ingotctl power on {name}': on after {power.switch_on(name):.1f} s, booted from its disk")


def pulled_cord(stage, tell, name):
    """8: a dead host behind a living BMC is seen, explained, and comes back."""
    power = Power(stage)
    took, error = power.pull_cord(name)
    tell.fact(f"pulled the power cord of {name}: poweredOn: false after {took:.1f} s")
    tell.plain(error)
    tell.fact(f"replugged: back by itself after {power.replug(name):.1f} s")


def withdraw_image(stage, tell, name):
    """8: the host is to be deprovisioned and cleaned; that takes a while, retire() sees to the rest."""
    stage.ingot.kube.merge(hosts_path(stage.manifests.namespace, name), {"spec": {"image": None}})
    stage.hosts.wait_for(name, lambda host: host.state == "deprovisioning", 30, "deprovisioning")
    tell.plain(f"meanwhile: the image of {name} is withdrawn, it is being deprovisioned")


def retire(stage, tell, name):
    """8: cleaned, deleted."""
    with stage.table:
        stage.hosts.wait_for(name, lambda host: host.state == "available", 300, "deprovisioned and cleaned")
        wiped = verify_wiped(stage, name)
        stage.ingot.kube.delete(hosts_path(stage.manifests.namespace, name))
        gone = stage.hosts.wait(lambda now: name not in now, 180, f"{name}: deleted")
        stage.hosts.wait(lambda _: name not in stage.ironic.nodes, 60, f"{name}: removed from Ironic")
    tell.fact(f"{name}: image withdrawn, deprovisioned, cleaned ({wiped}), deleted within {gone:.1f} s, gone from Ironic")


def verify_wiped(stage, name):
    disk = stage.fleet.machines[name].disk
    if verify.table_type(disk):
        raise Failure(f"{name}: cleaning left a partition table on {disk}", stage.fleet.process.log)
    return "blkid finds nothing on its disk"


def journal(stage, tell, agent_leaves_ipmi_alone=True):
    """9: the whole journal obeys the rule of the single writer."""
    evidence = gathered(stage)
    if not agent_leaves_ipmi_alone:
        evidence.ipmi = []   # nobody can be told apart there
    file = evidence.write(stage.folder / "evidence.json")
    try:
        count = audit.judge(evidence)
    except Failure as found:
        raise Failure(str(found), file) from None
    asked = ", ".join(f"{sender} {number}" for sender, number in sorted(audit.senders(evidence.journal).items()))
    tell.fact(f"journal of {len(evidence.journal)} entries (changes asked for by {asked}): none of the agent's {count} writes "
              "fell into an interval that Ironic owned, no command was sent twice")


def gathered(stage):
    """The journal so far, and the witness's looks until after its last entry: an earlier end would leave that one unjudged."""
    entries = stage.fleet.journal()
    ipmi = [name for name, machine in stage.fleet.machines.items() if machine.is_ipmi]
    if entries and not stage.ironic.witness.wait_for_look_after(audit.when(entries[-1])):
        raise Failure("Ironic no longer answers the witness who looks at its nodes", stage.ironic.log())
    return Evidence(entries, stage.ironic.witness.looks.copy(), ipmi)
