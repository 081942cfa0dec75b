"""Ironic's database is deleted: every host comes back, and none is deployed again, switched off or cleaned."""
import pathlib

import verify
from case import within
from ironic_world import IronicTest, PROVISION_SECONDS
from kube import AGENTS
from power_syncs import PowerSyncs
from world import NAMESPACE

SYNCS = 3
SYNCS_WITHIN = 60   # many times what they take
IN_USE = ("ipxe", "virtual", "ipmi", "served")
SPARE = ("spare",)


class Database(IronicTest):
    machines = {"ipxe": "redfish", "virtual": "redfish-virtualmedia", "ipmi": "ipmi", "served": "redfish", "spare": "redfish"}

    def setUp(self):
        super().setUp()
        world = self.world
        world.start_agent("rack")
        world.kube.merge(f"{AGENTS}/rack", {"spec": {"hostLabels": {"name": "served"}, "allHosts": False}})
        for name in IN_USE:   # cleaning is on: an undue one would be seen
            inspected = {"inspectionMode": "fast"} if name == "served" else {}
            world.create_host(name, image=world.image_spec(), automatedCleaningMode="metadata", **inspected)
        for name in SPARE:
            world.create_host(name, image=None, online=False, automatedCleaningMode="metadata")
        world.provisioned(*IN_USE, seconds=2 * PROVISION_SECONDS)
        for name in SPARE:
            world.hosts.wait_for(name, lambda host: host.state == "available" and host.power == "off", PROVISION_SECONDS,
                                 "available and off")
        self.the_agent_alone_has_inspected("served")
        within(30, "the agent serves its host", lambda: world.agent("rack")["status"].get("hosts") == 1)

    def test_every_host_comes_back_untouched(self):
        world = self.world
        before = {name: self.facts(name) for name in world.names}
        walked = {name: list(states) for name, states in world.hosts.states.items()}
        changes, old = len(world.hosts.changes), {name: node["uuid"] for name, node in world.nodes().items()}
        mark = world.fleet.mark()

        world.stop_ironic()
        world.delete_database()
        world.start_ironic()
        _, took = within(180, "Ironic knows every host again, as it was", self.all_are_back, self.as_ironic_says)
        print(f"all back after {took:.1f} s", flush=True)
        self.power_syncs_pass(SYNCS, world.names)

        new = {name: node["uuid"] for name, node in world.nodes().items()}
        self.assertFalse(set(old.values()) & set(new.values()), "the database was not deleted")
        self.assertEqual([], undue(world, mark))
        self.assertEqual(walked, world.hosts.states)
        self.assertEqual(before, {name: self.facts(name) for name in world.names})
        self.no_host_was_said_to_be_off(changes)
        for name in IN_USE:
            verify.image_is_on(world.fleet.machines[name].disk, world.image)
        self.they_still_obey()

    def the_agent_alone_has_inspected(self, name):
        """What the BMC knows is on record, and Ironic, which deployed the host, was not asked for an inspection."""
        found = self.world.kube.get(f"/apis/metal3.io/v1alpha1/namespaces/{NAMESPACE}/hardwaredata/{name}")["spec"]["hardware"]
        self.assertEqual([self.world.fleet.machines[name].mac], [nic["mac"] for nic in found["nics"]][:1])
        self.assertIsNone(self.world.nodes()[name]["inspection_started_at"])

    def facts(self, name):
        world, host = self.world, self.world.host(name)
        disk = pathlib.Path(world.fleet.machines[name].disk)
        return {"written": disk.stat().st_mtime_ns if disk.exists() else None, "on": world.power()[name],
                "image": host["status"]["provisioning"].get("image"), "error": host["status"].get("errorMessage", "")}

    def all_are_back(self):
        nodes, hosts = self.world.nodes(), self.world.hosts.now
        return (all(self.state_of(nodes, name) == "active" for name in IN_USE)
                and all(self.state_of(nodes, name) in ("manageable", "available") for name in SPARE)
                and all(hosts[name].power_known == "True" and not hosts[name].error for name in self.world.names)
                and all(self.world.host(name)["status"]["provisioning"]["ID"] == nodes[name]["uuid"] for name in self.world.names))

    @staticmethod
    def state_of(nodes, name):
        node = nodes.get(name)
        settled = node and not node["reservation"] and not node["target_provision_state"]
        return node["provision_state"] if settled else None

    def as_ironic_says(self):
        states = {name: (node["provision_state"], node["last_error"]) for name, node in self.world.nodes().items()}
        return f"{states}; {self.world.hosts.standing()}"

    def power_syncs_pass(self, wanted, names):
        """Ironic compares the power of each node with its record, and puts right what differs: counted in its log."""
        world, nodes = self.world, self.world.nodes()
        syncs = {name: PowerSyncs(world.ironic_folder / "ironic.log", nodes[name]["uuid"]) for name in names}

        def all_have_passed():
            world.processes.check()
            return all(counted.count() >= wanted for counted in syncs.values())

        within(SYNCS_WITHIN, f"{wanted} power syncs of every node", all_have_passed,
               lambda: {name: counted.count() for name, counted in syncs.items()})

    def no_host_was_said_to_be_off(self, since):
        off = [(at, host.name) for at, host in self.world.hosts.changes[since:] if host.name in IN_USE and not host.powered_on]
        self.assertEqual([], off)

    def they_still_obey(self):
        """A host is operated on as before: one without an agent, and the one that an agent serves."""
        world = self.world
        for name in ("ipxe", "served"):
            self.power_syncs_pass(1, [name])   # one that came between the agent's change and Ironic's record would undo it (0009)
            world.set_online(name, False)
            within(60, f"{name} is off by wish", lambda n=name: not world.power()[n] and world.right([n]), world.hosts.standing)
        world.patch_host("virtual", {"image": None, "online": False})
        world.hosts.wait_for("virtual", lambda host: host.state == "available" and host.power == "off" and not host.error,
                             PROVISION_SECONDS, "deprovisioned")
        self.assertEqual("", verify.table_type(world.fleet.machines["virtual"].disk))


def undue(world, mark):
    """The requests that have changed a machine since the mark."""
    harmless = ("login", "logout")
    return [entry for entry in world.fleet.journal(since=mark) if entry["action"] not in harmless]
