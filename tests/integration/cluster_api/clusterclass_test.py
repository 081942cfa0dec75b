"""A cluster that is made from a ClusterClass: three control planes, workers that grow, are rolled out and replaced."""
import cluster
import metal3
from cluster_case import NAMESPACE
from metal3_case import MACHINE_KINDS, NAME, Metal3Case
from objects import create, holds, place

VERSION = "v1.36.3"
POOL = "provisioning"
WORKERS = "workers"
HOSTS = tuple(f"host-{number}" for number in range(9))
CLUSTER = place(cluster.CORE, "Cluster", NAMESPACE, NAME)


class ClusterClassTest(Metal3Case):
    def test_a_class_makes_a_cluster(self):
        self.hosts_are_available(HOSTS)
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
        self.the_cluster_is_deleted()
        print(f"  most memory, MiB: {self.capi.memory()}")

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
        """Another image: every worker is replaced, each on a host that has room for it."""
        create(self.kube, metal3.machine_template("workers-next", NAMESPACE, NAME, image="http://192.0.2.1/next.img"))
        path = place(cluster.CORE, "ClusterClass", NAMESPACE, NAME)
        deployments = self.kube.get(path)["spec"]["workers"]["machineDeployments"]
        deployments[0]["infrastructure"]["templateRef"]["name"] = "workers-next"
        self.kube.merge(path, {"spec": {"workers": {"machineDeployments": deployments}}})
        self.see("five workers run the next image", lambda: len(self.hosts_with("http://192.0.2.1/next.img")) == 5)
        self.machines_are_ready(8)

    def a_worker_that_hangs_is_replaced(self):
        """By its owner: no remediation of Metal3's is named."""
        name = sorted(self.hosts_with("http://192.0.2.1/next.img"))[0]
        machine = self.host(name)["spec"]["consumerRef"]["name"]
        self.hang(name, True)
        self.see(f"machine {machine} is gone", lambda: machine not in self.machines())
        self.see("its host is available", lambda: name in self.hosts_in("available"))
        self.hang(name, False)
        self.machines_are_ready(8)

    def the_cluster_is_deleted(self):
        self.kube.delete(CLUSTER)
        self.see("the Cluster is gone", lambda: self.kube.get(CLUSTER) is None)
        self.see("the hosts are available", lambda: self.hosts_in("available") == set(HOSTS))
        for kind in ("Metal3Cluster", *MACHINE_KINDS):
            self.see(f"no {kind} is left", lambda kind=kind: not self.of(kind))
        self.see("no claim is left", lambda: not self.kube.items(place(metal3.IPAM, "IPClaim", NAMESPACE)))

    def workers_become(self, change):
        deployments = self.kube.get(CLUSTER)["spec"]["topology"]["workers"]["machineDeployments"]
        deployments[0].update(change)
        self.kube.merge(CLUSTER, {"spec": {"topology": {"workers": {"machineDeployments": deployments}}}})

    def machines_are_ready(self, count):
        def ready():
            machines = self.kube.items(place(cluster.CORE, "Machine", NAMESPACE))
            return len(machines) == count and all(holds(each, "Ready") for each in machines)
        self.see(f"{count} machines are ready", ready)
        hosts = [metal["metadata"]["annotations"]["metal3.io/BareMetalHost"] for metal in self.of("Metal3Machine")]
        self.assertEqual(len(set(hosts)), count)   # each has a host of its own

    def hosts_with(self, image):
        return {name for name in self.hosts_in("provisioned")
                if self.host(name)["status"]["provisioning"]["image"]["url"] == image}

    def is_settled(self):
        now = self.kube.get(CLUSTER)
        return holds(now, "Available") and holds(now, "TopologyReconciled")
