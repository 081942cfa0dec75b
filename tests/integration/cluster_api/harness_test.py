"""The managers, the workload cluster and the played kubeadm go together: proof of the harness, without Ingot."""
import functools

import cluster
import kubeadm
from cluster_case import NAMESPACE, ClusterApiTest
from objects import create, holds, place, state_of
from provider import PlayedProvider, infrastructure, machine_template

NAME = "edge"
VERSION = "v1.36.3"
WORKERS = "edge-workers"


class HarnessTest(ClusterApiTest):
    def test_machines_of_both_kinds_live_and_die(self):
        self.provider = PlayedProvider(self.kube, NAMESPACE)
        self.provider.install()
        self.workload = self.capi.add_workload_cluster(NAME)
        self.tell("the workload cluster's API and controllers are ready")
        self.kubelets = []
        self.addCleanup(lambda: [kubelet.fall_silent() for kubelet in self.kubelets])

        self.an_operator_applies_everything()
        self.the_control_plane_runs()
        self.a_worker_runs()
        self.older_versions_are_served()
        self.a_silent_node_is_declared_unknown()
        self.fewer_workers_are_wanted()
        self.the_cluster_is_deleted()
        print(f"  most memory, MiB: {self.capi.memory()}")

    def an_operator_applies_everything(self):
        for each in (*self.workload.secrets(NAMESPACE), infrastructure(NAME, NAMESPACE),
                     machine_template(NAME, NAMESPACE), cluster.control_plane(NAME, NAMESPACE, VERSION),
                     machine_template(WORKERS, NAMESPACE), cluster.worker_bootstrap(WORKERS, NAMESPACE),
                     cluster.workers(WORKERS, NAME, NAMESPACE, VERSION), cluster.cluster(NAME, NAMESPACE)):
            create(self.kube, each)

    def the_control_plane_runs(self):
        self.see("the infrastructure belongs to the Cluster", lambda: self.owned("GenericCluster", NAME))
        self.provider.cluster_is_there(NAME, self.workload.endpoint)
        self.a_machine_comes_to_life("cluster.x-k8s.io/control-plane", kubeadm.init)
        self.see("the control plane is initialized and available", lambda: self.control_plane_is("Initialized", "Available"))

    def a_worker_runs(self):
        self.a_machine_comes_to_life("cluster.x-k8s.io/deployment-name", functools.partial(
            kubeadm.join, version=VERSION, authority=self.workload.authority.own.certificate))
        self.see("the Cluster is available", lambda: holds(self.get(cluster.CORE, "Cluster", NAME), "Available"))

    def a_machine_comes_to_life(self, label, boot):
        """Plays the provider and the machine itself, in the order in which things happen to a real one."""
        machine = self.see(f"a Machine with {label} has bootstrap data", lambda: self.machine_with_data(label))
        name, data = machine["metadata"]["name"], machine["spec"]["bootstrap"]["dataSecretName"]
        self.assertTrue(self.owned("GenericMachine", machine["spec"]["infrastructureRef"]["name"]))
        provider_id = f"generic://{name}"
        kubelet = boot(kubeadm.BootstrapData(self.get("v1", "Secret", data)), self.folder / name, name, provider_id)
        self.kubelets.append(kubelet)
        self.provider.machine_is_there(name, provider_id, "192.0.2.1")
        machine = self.see(f"Machine {name} is running", lambda: self.machine_in(name, "Running"))
        self.assertEqual(machine["status"]["nodeRef"]["name"], name)
        self.see(f"Machine {name} is ready", lambda: holds(self.machine(name), "Ready"))

    def a_silent_node_is_declared_unknown(self):
        worker = self.kubelets[-1]
        worker.fall_silent()
        self.see("the silent worker's Machine says so", lambda: state_of(self.machine(worker.name), "NodeHealthy") == "Unknown")
        worker.speak()
        self.see("the worker is well again", lambda: holds(self.machine(worker.name), "NodeHealthy"))

    def older_versions_are_served(self):
        """Each manager converts its own kinds: these fields have another shape in v1beta2."""
        def v1beta1(api_version, kind, name):
            return self.get(api_version.replace("v1beta2", "v1beta1"), kind, name)
        self.assertEqual(v1beta1(cluster.CORE, "Cluster", NAME)["spec"]["infrastructureRef"]["apiVersion"], cluster.INFRASTRUCTURE)
        self.assertTrue(v1beta1(cluster.BOOTSTRAP, "KubeadmConfig", self.kubelets[0].name)["status"]["ready"])
        template = v1beta1(cluster.CONTROL_PLANE, "KubeadmControlPlane", NAME)["spec"]["machineTemplate"]
        self.assertEqual(template["infrastructureRef"]["name"], NAME)

    def fewer_workers_are_wanted(self):
        self.kube.merge(place(cluster.CORE, "MachineDeployment", NAMESPACE, WORKERS), {"spec": {"replicas": 0}})
        worker = self.kubelets.pop()
        self.see("the worker's Machine is gone", lambda: self.machine(worker.name) is None)
        worker.fall_silent()
        self.assertIsNone(self.workload.kube.get(worker.path))

    def the_cluster_is_deleted(self):
        self.kube.delete(place(cluster.CORE, "Cluster", NAMESPACE, NAME))
        self.see("the Cluster is gone", lambda: self.get(cluster.CORE, "Cluster", NAME) is None)
        for api_version, kind in ((cluster.CORE, "Machine"), (cluster.INFRASTRUCTURE, "GenericMachine"), (cluster.INFRASTRUCTURE, "GenericCluster")):
            self.see(f"every {kind} is gone", lambda path=place(api_version, kind, NAMESPACE): self.kube.items(path) == [])

    # What the API says

    def get(self, api_version, kind, name):
        return self.kube.get(place(api_version, kind, NAMESPACE, name))

    def machine(self, name):
        return self.get(cluster.CORE, "Machine", name)

    def machine_in(self, name, phase):
        machine = self.machine(name)
        return machine if machine.get("status", {}).get("phase") == phase else None

    def machine_with_data(self, label):
        return next((each for each in self.kube.items(place(cluster.CORE, "Machine", NAMESPACE))
                     if label in each["metadata"]["labels"] and each["spec"]["bootstrap"].get("dataSecretName")), None)

    def owned(self, kind, name):
        return self.get(cluster.INFRASTRUCTURE, kind, name)["metadata"].get("ownerReferences")

    def control_plane_is(self, *kinds):
        seen = self.get(cluster.CONTROL_PLANE, "KubeadmControlPlane", NAME)
        return all(holds(seen, kind) for kind in kinds)
