"""What every test of Metal3's manifests starts from: Ingot beside Cluster API's managers, hosts that do at once what is asked
of them, and machines that are played."""
import cluster
import coordinator
import metal3
from cluster_api import ClusterApi
from cluster_case import NAMESPACE, ClusterApiTest
from objects import create, place

NAME = "edge"
MACHINES = "machines"   # the user of ingot-sim, which only reads
FAULT = "sim.ingot.dev/fault"
CLUSTER_LABEL = "cluster.x-k8s.io/cluster-name"
HOSTS_PATH = place(metal3.BMH, "BareMetalHost", NAMESPACE)
MACHINE_KINDS = ("Metal3Machine", "Metal3DataClaim", "Metal3Data")


class Metal3Case(ClusterApiTest):
    """`self.workload`: the API of Cluster NAME, which has no machine yet."""

    def setUp(self):
        super().setUp()
        self.ingot.start(self.capi)
        self.workload = self.capi.add_workload_cluster(NAME)
        self.machines_are_played()

    def cluster_api(self):
        self.ingot = coordinator.Coordinator(self.folder)
        return ClusterApi(self.folder, (coordinator.USER, MACHINES), self.ingot.kinds())

    def machines_are_played(self):
        """With nothing but what their hosts were given."""
        machines = self.capi.processes.start("ingot-sim", [
            self.ingot.programs / "ingot-sim", "nodes", f"--kubeconfig={self.capi.api.kubeconfig_of(MACHINES)}",
            "--namespace", NAMESPACE, "--cluster", NAME])
        machines.wait_until(lambda: machines.said("ready"), 30, "being ready")

    def hosts_are_available(self, names):
        for number, name in enumerate(names, 1):
            for each in metal3.host(name, NAMESPACE, number):
                create(self.kube, each)
        self.see("the hosts are available", lambda: self.hosts_in("available") == set(names))

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
        return metal if metal["status"].get("initialization", {}).get("provisioned") else None

    def host(self, name):
        return self.get(metal3.BMH, "BareMetalHost", name)

    def hosts_in(self, state):
        return {each["metadata"]["name"] for each in self.kube.items(HOSTS_PATH)
                if each.get("status", {}).get("provisioning", {}).get("state") == state}

    def left_on(self, name):
        """What that host still has of a machine."""
        host = self.host(name)
        return ({"consumerRef", "image", "userData", "metaData", "networkData"} & set(host["spec"])
                | {CLUSTER_LABEL} & set(host["metadata"].get("labels", {})))

    def standing(self):
        return super().standing() + "".join(
            f"\n{kind} {each['metadata']['name']}: {each.get('status', {}).get('conditions', each.get('status'))}"
            for kind in ("Metal3Cluster", *MACHINE_KINDS) for each in self.of(kind))
