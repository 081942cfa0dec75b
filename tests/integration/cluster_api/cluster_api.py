"""Cluster API's managers in a management cluster of their own, and workload clusters beside it."""
from api_server import ApiServer
from kube import Kube
from managers import MANAGERS, Managers
from processes import Processes
from workload import WorkloadCluster

MANAGERS_USER = "cluster-api"


class ClusterApi:
    """`api` has an administrator for each of `users`, and one for the managers, so that its audit log tells who wrote what;
    `coordinators` may do what an installation allows. `crds`: files of the kinds it serves besides Cluster API's. With
    `processes` all programs are among them, and whoever owns those ends it. `reads_of`: users whose reads the audit log has, too. `spaces`:
    as an ApiServer has them."""

    def __init__(self, folder, users=(), crds=(), processes=None, managers=MANAGERS, reads_of=(), coordinators=(), spaces=()):
        self.folder, self.processes, self.is_guest = folder, processes or Processes(folder), processes is not None
        self.api, self.users, self.crds, self.reads_of = None, users, crds, reads_of
        self.wanted, self.coordinators, self.spaces = managers, coordinators, spaces
        self.kube = self.managers = None

    def start(self):
        self.api = ApiServer(self.folder, (MANAGERS_USER, *self.users), self.crds, self.reads_of, self.coordinators, spaces=self.spaces)
        if self.is_guest:
            self.api.start_in(self.processes)
        else:
            self.api.start()
        self.kube = Kube(self.api.kubeconfig)
        self.managers = Managers(self.folder, self.processes, self.api.kubeconfig_of(MANAGERS_USER), self.wanted)
        self.managers.start()

    def add_workload_cluster(self, name):
        workload = WorkloadCluster(name, self.folder, self.processes, self.api.etcd())
        workload.start()
        return workload

    def stop(self):
        self.processes.stop()
        if self.api:
            self.api.stop()

    def memory(self):
        """Most resident memory of each program so far, in MiB."""
        return {process.name: round(process.peak_mib()) for process in self.processes.list}
