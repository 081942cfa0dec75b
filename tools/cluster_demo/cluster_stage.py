"""Everything that runs while a cluster is shown."""
import time

from cluster import CORE, INFRASTRUCTURE
from failure import Failure
from image import Image
from managed import ManagedIngot
from objects import complaints_of, holds, place
from patience import Stopwatch
from stage import Stage

LOOK = 0.5   # seconds


class ClusterStage(Stage):
    """`workload` is the API of the cluster whose Nodes the servers become; `nodes` what it says of them."""

    workload = nodes = None

    def ingot_of(self, programs):
        return ManagedIngot(programs, self.processes, self.folder)

    def start_workload_cluster(self):
        self.workload = self.ingot.capi.add_workload_cluster(self.manifests.name)

    def next_image(self):
        image = Image(self.fleet.http_root, self.fleet.url, "next-image.raw")
        image.make()
        return image

    def look_away(self):
        super().look_away()
        if self.nodes:
            self.nodes.close()

    # What the management cluster says

    def path(self, api_version, kind, name=None):
        return place(api_version, kind, self.manifests.namespace, name)

    def get(self, api_version, kind, name):
        return self.ingot.kube.get(self.path(api_version, kind, name))

    def all(self, kind, api_version=INFRASTRUCTURE):
        return self.ingot.kube.items(self.path(api_version, kind))

    def machines(self):
        return {each["metadata"]["name"]: each for each in self.all("Machine", CORE)}

    def ready_machines(self):
        return {name for name, each in self.machines().items() if holds(each, "Ready") and "deletionTimestamp" not in each["metadata"]}

    def workers(self):
        """Name of its host by the machine of each worker that has one."""
        label = "cluster.x-k8s.io/deployment-name"
        names = {name for name, each in self.machines().items() if each["metadata"]["labels"].get(label) == self.manifests.workers}
        return {host.consumer: host.name for host in self.hosts.now.values() if host.consumer in names}

    def scale_workers(self, replicas):
        self.change_workers({"replicas": replicas})

    def change_workers(self, spec):
        self.ingot.kube.merge(self.path(CORE, "MachineDeployment", self.manifests.workers), {"spec": spec})

    # Waiting

    def see(self, what, condition, seconds):
        """The first true answer, and the seconds it took; meanwhile the table shows what happens. `what`: words, or who finds them
        when it is too late."""
        watch = Stopwatch()
        while True:
            answer = condition()
            if answer:
                return answer, watch.seconds()
            self.processes.check()
            if watch.over(seconds):
                raise Failure(f"{what() if callable(what) else what} did not happen within {seconds} s ({self.standing()})", self.processes.log_of("ingot-coordinator"))
            time.sleep(LOOK)

    def standing(self):
        found = [f"{kind} {each['metadata']['name']}: {complaint}" for kind, version in (
            ("Cluster", CORE), ("KubeadmControlPlane", "controlplane.cluster.x-k8s.io/v1beta2"), ("MachineDeployment", CORE), ("Machine", CORE),
            ("Metal3Machine", INFRASTRUCTURE)) for each in self.all(kind, version) for complaint in complaints_of(each)]
        return "; ".join([self.hosts.standing(), *found])
