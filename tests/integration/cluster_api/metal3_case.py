"""What every test of Metal3's manifests starts from: Ingot beside Cluster API's managers, hosts that do at once what is asked
of them, and machines that are played."""
import collections

import cluster
import coordinator
import metal3
import rights
from cluster_api import ClusterApi
from cluster_case import NAMESPACE, SECONDS, ClusterApiTest
from objects import create, holds, place

NAME = "edge"
VERSION = "v1.36.3"
POOL = "provisioning"
WORKERS = "workers"
MACHINES = "machines"   # the user of ingot-sim, which only reads
FAULT = "sim.ingot.dev/fault"
CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name"
REUSE_LABEL = "infrastructure.cluster.x-k8s.io/node-reuse"
HOSTS_PATH = place(metal3.BMH, "BareMetalHost", NAMESPACE)
NODES = place("v1", "Node")
MACHINE_KINDS = ("Metal3Machine", "Metal3DataClaim", "Metal3Data")
OF_ALL_MACHINES = ("metal3clusters", "ippools", "metal3datatemplates")


class Metal3Case(ClusterApiTest):
    """`self.workload`: the API of Cluster NAME, which has no machine yet. `spaces`: the only namespaces that Ingot looks at, and has
    rights in; none: all."""

    spaces = ()

    def setUp(self):
        super().setUp()
        self.provider_starts()
        self.workload = self.capi.add_workload_cluster(NAME)
        self.machines_are_played()

    def tearDown(self):
        super().tearDown()
        if not self._failed():
            rights.nothing_is_denied(self, self.capi.api)

    def cluster_api(self):
        self.ingot = coordinator.Coordinator(self.folder)
        return ClusterApi(self.folder, (MACHINES,), self.ingot.kinds(), reads_of=(MACHINES,), coordinators=(coordinator.USER,),
                          spaces=self.spaces)

    def provider_starts(self):
        flags = [f"--namespace={','.join(self.spaces)}"] if self.spaces else []
        self.ingot.start(self.capi, (*coordinator.FIXTURE, *flags))

    def machines_are_played(self):
        """With nothing but what their hosts were given."""
        machines = self.capi.processes.start("ingot-sim", [
            self.ingot.programs / "ingot-sim", "nodes", f"--kubeconfig={self.capi.api.kubeconfig_of(MACHINES)}",
            "--namespace", NAMESPACE, "--cluster", NAME])
        machines.wait_until(lambda: machines.said("ready"), 30, "being ready")

    def machines_had_only_their_drives(self, fewest):
        """So many machines or more, of whose hosts each was given three Secrets: nothing else was read, and nothing written."""
        reads = self.capi.api.reads(MACHINES)
        self.assertEqual({each.what for each in reads}, {"baremetalhosts", "secrets"})
        self.assertGreaterEqual(len({each.name for each in reads if each.what == "secrets"}), 3 * fewest)
        self.assertEqual(self.capi.api.writes(MACHINES), [])

    def hosts_are_available(self, names):
        for number, name in enumerate(names, 1):
            for each in metal3.host(name, NAMESPACE, number):
                create(self.kube, each)
        self.see("the hosts are available", lambda: self.hosts_in("available") == set(names))

    def a_cluster_is_wanted(self, workers):
        """One control plane and a MachineDeployment of so many workers, as its operator writes them."""
        for each in (*self.workload.secrets(NAMESPACE), metal3.infrastructure(NAME, NAMESPACE, self.workload.endpoint),
                     metal3.pool(POOL, NAME, NAMESPACE), metal3.data_template(NAME, NAME, NAMESPACE, POOL),
                     metal3.machine_template(NAME, NAMESPACE, NAME), metal3.machine_template(WORKERS, NAMESPACE, NAME),
                     cluster.control_plane(NAME, NAMESPACE, VERSION, provider="Metal3", kubeadm={
                         "initConfiguration": {"nodeRegistration": metal3.KUBELET},
                         "joinConfiguration": {"nodeRegistration": metal3.KUBELET}}),
                     cluster.worker_bootstrap(WORKERS, NAMESPACE, metal3.KUBELET_WITH_PROVIDER_ID),
                     cluster.workers(WORKERS, NAME, NAMESPACE, VERSION, replicas=workers, provider="Metal3"),
                     cluster.cluster(NAME, NAMESPACE, provider="Metal3")):
            create(self.kube, each)

    def workers_are_wanted(self, count):
        self.kube.merge(place(cluster.CORE, "MachineDeployment", NAMESPACE, WORKERS), {"spec": {"replicas": count}})

    def machines_are_ready(self, count, seconds=SECONDS):
        """Each with a host, an index, an address and a Node of its own."""
        def ready():
            machines = self.kube.items(place(cluster.CORE, "Machine", NAMESPACE))
            return len(machines) == count and all(holds(each, "Ready") for each in machines)
        self.see(f"{count} machines are ready", ready, seconds)
        self.see("each has everything for itself", lambda: self.have_their_own(count))

    def have_their_own(self, count):
        """What a former machine had may be on its way out yet, but nothing is ever somebody else's, too."""
        addresses = [each["spec"]["address"] for each in self.kube.items(place(metal3.IPAM, "IPAddress", NAMESPACE))]
        indexes = [each["spec"].get("index", 0) for each in self.of("Metal3Data")]
        users = [each["spec"]["consumerRef"]["name"] for each in self.kube.items(HOSTS_PATH) if "consumerRef" in each["spec"]]
        for several in (addresses, indexes, users):
            self.assertEqual(len(several), len(set(several)), several)
        nodes = self.workload_nodes()
        return (sorted(users) == sorted(self.machines()) and len(users) == len(indexes) == count
                and all(holds(node, "Ready") for node in nodes)
                and sorted(addresses) == sorted(internal_address(node) for node in nodes))

    def workload_nodes(self):
        """The Nodes of the workload cluster."""
        return self.workload.kube.items(NODES)

    def own_writes(self, since, machines):
        """Ingot's writes after the first `since`, those of Events and Leases aside: of each of these machines, and of all of
        them together, are told."""
        writes = [each for each in self.capi.api.writes(coordinator.USER)[since:] if each.what not in ("events", "leases")]
        own = [each for each in writes if each.what not in OF_ALL_MACHINES]
        for what, some in (("of each machine", own), ("of all of them together", [each for each in writes if each not in own])):
            count = collections.Counter(f"{each.verb} {each.what}" for each in some)
            share = len(some) / (machines if some is own else 1)
            print(f"  {share:.1f} writes {what}: {dict(count.most_common())}")
        self.assertFalse([each for each in writes if each.code not in (200, 201, 409)])
        return own

    def the_cluster_is_deleted(self, hosts, seconds=SECONDS):
        """And nothing of it is left."""
        self.the_cluster_goes(hosts, seconds)
        self.no_address_is_left()
        for api_version, kind, name in ((metal3.IPAM, "IPPool", POOL), (cluster.INFRASTRUCTURE, "Metal3DataTemplate", NAME)):
            self.see(f"{kind} {name} has given everything back",
                     lambda each=(api_version, kind, name): not self.get(*each)["status"].get("indexes"))
        for name in hosts:
            self.see(f"{name} holds nothing of a machine", lambda name=name: not self.left_on(name))

    def the_cluster_goes(self, hosts, seconds=SECONDS):
        """With its machines, whose hosts are available again."""
        path = place(cluster.CORE, "Cluster", NAMESPACE, NAME)
        self.kube.delete(path)
        self.see("the Cluster is gone", lambda: self.kube.get(path) is None, seconds)
        self.see("the hosts are available", lambda: self.hosts_in("available") == set(hosts), seconds)
        for kind in ("Metal3Cluster", "Metal3Remediation", *MACHINE_KINDS):
            self.see(f"no {kind} is left", lambda kind=kind: not self.of(kind))

    def no_address_is_left(self):
        for kind in ("IPClaim", "IPAddress"):
            self.see(f"no {kind} is left", lambda kind=kind: not self.kube.items(place(metal3.IPAM, kind, NAMESPACE)))

    def hang(self, name, on):
        """Whether that host's machine does nothing while its power is on."""
        self.kube.merge(f"{HOSTS_PATH}/{name}", {"metadata": {"annotations": {FAULT: "os-hang" if on else None}}})

    # What the API says

    def get(self, api_version, kind, name):
        return self.kube.get(place(api_version, kind, NAMESPACE, name))

    def of(self, kind):
        return self.kube.items(place(cluster.INFRASTRUCTURE, kind, NAMESPACE))

    def machines(self):
        return [each["metadata"]["name"] for each in self.of("Metal3Machine")]

    def provisioned(self, name):
        metal = self.get(cluster.INFRASTRUCTURE, "Metal3Machine", name)
        return metal if metal.get("status", {}).get("initialization", {}).get("provisioned") else None

    def host(self, name):
        return self.get(metal3.BMH, "BareMetalHost", name)

    def hosts_in(self, state):
        return {each["metadata"]["name"] for each in self.kube.items(HOSTS_PATH)
                if each.get("status", {}).get("provisioning", {}).get("state") == state}

    def left_on(self, name):
        """What that host still has of a machine."""
        host = self.host(name)
        return ({"consumerRef", "image", "userData", "metaData", "networkData"} & set(host["spec"])
                | {CLUSTER_LABEL, REUSE_LABEL} & set(host["metadata"].get("labels", {})))

    def standing(self):
        return super().standing() + "".join(
            f"\n{kind} {each['metadata']['name']}: {each.get('status', {}).get('conditions', each.get('status'))}"
            for kind in ("Metal3Cluster", *MACHINE_KINDS) for each in self.of(kind))


def internal_address(node):
    return next((each["address"] for each in node["status"].get("addresses", ()) if each["type"] == "InternalIP"), "")
