"""A cluster that is made from a ClusterClass: three control planes, workers that grow, are rolled out and replaced."""
import cluster
import metal3
from cluster_case import NAMESPACE
from metal3_case import HOSTS_PATH, NAME, POOL, VERSION, WORKERS, Metal3Case
from objects import create, holds, place
from occupancy import HostsOverTime, MachinesOverTime

HOSTS = tuple(f"host-{number}" for number in range(9))
CLUSTER = place(cluster.CORE, "Cluster", NAMESPACE, NAME)
NEXT_IMAGE = "http://192.0.2.1/next.img"
MACHINES_EVER = 14   # three control planes, five workers and their successors, and one that takes the place of another
FEWEST = 7   # of eight machines, of whom one at most is away while the workers are rolled out


class ClusterClassTest(Metal3Case):
    spaces = (NAMESPACE,)   # no other Secret may be read in all that time

    def test_a_class_makes_a_cluster(self):
        self.hosts_are_available(HOSTS)
        self.all_changes_are_followed()
        for each in (*self.workload.secrets(NAMESPACE), metal3.pool(POOL, NAME, NAMESPACE),
                     metal3.data_template(NAME, NAME, NAMESPACE, POOL), *self.a_class(),
                     cluster.from_class(NAME, NAMESPACE, VERSION, WORKERS, replicas=3)):
            create(self.kube, each)
        self.machines_are_ready(4)
        self.three_control_planes_run()
        self.the_workers_are_five()
        self.the_workers_are_rolled_out()
        self.a_worker_that_hangs_is_replaced()
        self.see("the Cluster is as its class says", self.is_settled)
        self.see("there are no Nodes but those of machines", lambda: self.nodes() == self.node_references())
        self.the_cluster_is_deleted(HOSTS)
        self.each_machine_had_a_host_of_its_own()
        self.machines_had_only_their_drives(MACHINES_EVER)
        print(f"  most memory, MiB: {self.capi.memory()}")

    def all_changes_are_followed(self):
        self.hosts_over_time = HostsOverTime(self.kube, HOSTS_PATH)
        self.machines_over_time = MachinesOverTime(self.kube, place(cluster.INFRASTRUCTURE, "Metal3Machine", NAMESPACE))
        for each in (self.hosts_over_time, self.machines_over_time):
            self.addCleanup(each.close)
            each.follow()

    def all_changes_are_seen(self):
        newest = max(int(each["metadata"]["resourceVersion"]) for each in self.kube.items(HOSTS_PATH))
        self.see("what became of the hosts", lambda: self.hosts_over_time.version >= newest)

    def each_machine_had_a_host_of_its_own(self):
        self.all_changes_are_seen()
        self.see("what became of the machines", lambda: not self.machines_over_time.now)
        pairs = self.machines_over_time.pairs
        self.assertGreaterEqual(len({machine for machine, _ in pairs}), MACHINES_EVER)
        self.assertLessEqual(pairs, self.hosts_over_time.pairs)
        self.assertEqual((self.hosts_over_time.handed_over, self.hosts_over_time.doubled, self.machines_over_time.shared), ([], [], []))

    def a_class(self):
        return (metal3.cluster_template(NAME, NAMESPACE, self.workload.endpoint),
                metal3.machine_template(NAME, NAMESPACE, NAME), metal3.machine_template(WORKERS, NAMESPACE, NAME),
                cluster.control_plane_template(NAME, NAMESPACE, {
                    "initConfiguration": {"nodeRegistration": metal3.KUBELET_WITH_PROVIDER_ID},
                    "joinConfiguration": {"nodeRegistration": metal3.KUBELET_WITH_PROVIDER_ID}}),
                cluster.worker_bootstrap(WORKERS, NAMESPACE, metal3.KUBELET_WITH_PROVIDER_ID),
                cluster.cluster_class(NAME, NAMESPACE, WORKERS, "Metal3"))

    def three_control_planes_run(self):
        self.kube.merge(CLUSTER, {"spec": {"topology": {"controlPlane": {"replicas": 3}}}})
        self.machines_are_ready(6)

    def the_workers_are_five(self):
        self.workers_become({"replicas": 5})
        self.machines_are_ready(8)

    def the_workers_are_rolled_out(self):
        """Another image: every worker is replaced, each on a host that has room for it, and never is more than one away."""
        create(self.kube, metal3.machine_template("workers-next", NAMESPACE, NAME, image=NEXT_IMAGE))
        self.all_changes_are_seen()
        self.hosts_over_time.mark()
        path = place(cluster.CORE, "ClusterClass", NAMESPACE, NAME)
        deployments = self.kube.get(path)["spec"]["workers"]["machineDeployments"]
        deployments[0]["infrastructure"]["templateRef"]["name"] = "workers-next"
        self.kube.merge(path, {"spec": {"workers": {"machineDeployments": deployments}}})
        self.see("five workers run the next image", lambda: len(self.hosts_with(NEXT_IMAGE)) == 5)
        self.machines_are_ready(8)
        self.all_changes_are_seen()
        self.assertGreaterEqual(self.hosts_over_time.fewest, FEWEST)

    def a_worker_that_hangs_is_replaced(self):
        """By its owner: no remediation of Metal3's is named. It alone, and its successor is as it was."""
        before = set(self.machines())
        name = sorted(self.hosts_with(NEXT_IMAGE))[0]
        machine = self.host(name)["spec"]["consumerRef"]["name"]
        self.hang(name, True)
        self.see(f"machine {machine} is gone", lambda: machine not in self.machines())
        self.see("its host is available", lambda: name in self.hosts_in("available"))
        self.hang(name, False)
        self.machines_are_ready(8)
        self.assertEqual(before - set(self.machines()), {machine})
        self.assertEqual(len(self.hosts_with(NEXT_IMAGE)), 5)

    def workers_become(self, change):
        deployments = self.kube.get(CLUSTER)["spec"]["topology"]["workers"]["machineDeployments"]
        deployments[0].update(change)
        self.kube.merge(CLUSTER, {"spec": {"topology": {"workers": {"machineDeployments": deployments}}}})

    def hosts_with(self, image):
        return {name for name in self.hosts_in("provisioned")
                if self.host(name)["status"]["provisioning"]["image"]["url"] == image}

    def nodes(self):
        return {each["metadata"]["name"] for each in self.workload.kube.items(place("v1", "Node"))}

    def node_references(self):
        return {each["status"]["nodeRef"]["name"] for each in self.kube.items(place(cluster.CORE, "Machine", NAMESPACE))}

    def is_settled(self):
        now = self.kube.get(CLUSTER)
        return holds(now, "Available") and holds(now, "TopologyReconciled")
