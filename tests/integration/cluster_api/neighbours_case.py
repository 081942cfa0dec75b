"""Metal3's managers at work: Ingot takes the place of one after the other, and each takes its work back; then Ingot has all."""
import collections

import cluster
import coordinator
import metal3
from cluster_api import ClusterApi
from cluster_case import NAMESPACE
from metal3_case import HOSTS_PATH, MACHINES, WORKERS, Metal3Case
from neighbours import MANAGERS, OF_ALL, PROVIDER, Neighbours
from objects import place

HOSTS = tuple(f"host-{number}" for number in range(4))
LEFT_BY_METAL3 = {"metaData", "networkData"}   # on a host that its provider lets go (spec/capm3.md §21 Q16)


class NeighboursCase(Metal3Case):
    """A case gives programs() and what it expects of them."""

    def programs(self):
        """The folder of the managers."""
        raise NotImplementedError

    def cluster_api(self):
        self.ingot, self.turn = coordinator.Coordinator(self.folder), 0
        self.neighbours = Neighbours(self.programs(), self.ingot.certificates, self.ingot.port)
        return ClusterApi(self.folder, (coordinator.USER, MACHINES, *(manager.name for manager in MANAGERS)), self.ingot.kinds())

    def provider_starts(self):
        self.ingot_is_in_place_of([])

    def each_is_replaced_in_turn(self):
        """In each turn a worker comes, and the one that has been there longest goes: others let it go than made it."""
        self.hosts_are_available(HOSTS)
        self.a_cluster_is_wanted(workers=1)
        self.kube.merge(place(cluster.CORE, "MachineDeployment", NAMESPACE, WORKERS), {"spec": {"deletion": {"order": "Oldest"}}})
        self.machines_are_ready(2)
        for manager in MANAGERS:
            settled = self.settled(machines=2)
            self.ingot_is_in_place_of([manager])
            self.workers_are_wanted(2)
            self.machines_are_ready(3)
            self.assert_untouched(settled)
            self.a_worker_goes(set() if manager is PROVIDER else LEFT_BY_METAL3)
        settled = self.settled(machines=2)
        self.ingot_is_in_place_of(MANAGERS)
        self.workers_are_wanted(len(HOSTS) - 1)
        self.machines_are_ready(len(HOSTS))
        self.assert_untouched(settled)
        self.the_cluster_is_deleted(HOSTS)
        self.ingot_keeps_to_its_part(MANAGERS)

    def a_worker_goes(self, may_leave):
        """And its host is available again, with no more of a machine than that."""
        before = self.hosts_in("available")
        self.workers_are_wanted(1)
        self.machines_are_ready(2)
        self.see("a host is available again", lambda: len(self.hosts_in("available") - before) == 1)
        name, = self.hosts_in("available") - before
        self.see(f"{name} holds nothing of a machine", lambda: self.left_on(name) <= may_leave)

    def ingot_is_in_place_of(self, managers):
        """From now on; the others do their work themselves."""
        if self.turn:
            self.ingot_keeps_to_its_part(self.managers)
        self.ingot.stop(self.capi)
        for manager in managers:
            self.neighbours.stop(self.capi, manager)
        self.turn, self.managers, self.written = self.turn + 1, managers, len(self.capi.api.writes(coordinator.USER))
        for manager in MANAGERS:
            if manager not in managers:
                self.neighbours.start(self.capi, manager, self.turn)
        if managers:
            controllers = ",".join(manager.controllers for manager in managers)
            self.ingot.start(self.capi, (*coordinator.FIXTURE, f"--controllers={controllers}"),
                             name=f"{self.turn}-ingot-coordinator", converts=PROVIDER in managers)
        self.tell(f"Ingot is in place of {', '.join(manager.name for manager in managers) or 'none'}")

    def ingot_keeps_to_its_part(self, managers):
        """It has worked, and on nothing else."""
        kinds = {each.what for each in self.capi.api.writes(coordinator.USER)[self.written:]} - OF_ALL
        self.assertEqual(bool(kinds), bool(managers))
        self.assertLessEqual(kinds, set().union(*(manager.writes for manager in managers)))

    def settled(self, machines):
        """What so many machines that are ready have, which must not change under them; nothing is left of any other."""
        wanted = {"host": machines, "address": machines, "data": machines, "secret": 2 * machines, "node": machines}
        return self.see(f"there is what {machines} machines have, and no more", lambda: self.found_if(wanted))

    def found_if(self, wanted):
        found = self.found()
        return found if collections.Counter(what for what, _ in found) == wanted else None

    def found(self):
        found = {}
        for host in self.kube.items(HOSTS_PATH):
            if "consumerRef" in host["spec"]:
                found["host", host["metadata"]["name"]] = [
                    host["spec"][each] for each in ("consumerRef", "image", "userData", "metaData", "networkData")]
        for address in self.kube.items(place(metal3.IPAM, "IPAddress", NAMESPACE)):
            found["address", address["spec"]["claim"]["name"]] = address["spec"]["address"]
        data = {each["metadata"]["uid"]: each for each in self.of("Metal3Data")}
        for uid, each in data.items():
            found["data", each["metadata"]["name"]] = (uid, each["spec"].get("index", 0))
        for secret in self.kube.items(place("v1", "Secret", NAMESPACE)):
            # Metal3's provider leaves those of Metal3Data that are gone to the garbage collector, which does not run here.
            if any(owner["uid"] in data for owner in secret["metadata"].get("ownerReferences", ())):
                found["secret", secret["metadata"]["name"]] = (secret["metadata"]["uid"], secret["data"])
        for node in self.workload_nodes():
            found["node", node["metadata"]["name"]] = (node["metadata"]["uid"], node["spec"]["providerID"])
        return found

    def assert_untouched(self, settled):
        now = self.found()
        self.assertEqual({what: (was, now.get(what)) for what, was in settled.items() if now.get(what) != was}, {})
