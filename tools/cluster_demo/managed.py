"""Ingot as the provider of a management cluster in which Cluster API's managers run."""
import base64

from cluster_api import ClusterApi
from coordinator import USER, Coordinator
from ingot import Ingot, environment_of
from ports import free_port

KEYS = "/api/v1/namespaces/default/secrets/ingot-coordinator-keys"   # of the coordinator's own namespace
START_SECONDS = 60


class ManagedIngot(Ingot):
    """`kubeconfig` is the administrator's, once the management cluster is there."""

    def __init__(self, programs, processes, folder):
        super().__init__(programs, processes, folder)
        self.coordinator = Coordinator(folder, programs)
        self.capi = None

    def start_management_cluster(self):
        self.capi = ClusterApi(self.folder, (USER,), self.coordinator.kinds(), self.processes)
        self.capi.start()
        self.kubeconfig, self.kube = self.capi.api.kubeconfig, self.capi.kube

    def start_coordinator(self, ironic_url, fleet_url):
        endpoint = f"tcp://127.0.0.1:{free_port()}"
        self.coordinator.start(self.capi, ("--agents-endpoint", endpoint), environment_of(ironic_url, fleet_url))
        process = self.coordinator.process
        process.wait_until(lambda: process.said("waiting for agents"), START_SECONDS, "waiting for agents")
        public = self.folder / "coordinator/coordinator.pub"   # as an operator copies it for the agents
        public.parent.mkdir(mode=0o700)
        public.write_bytes(base64.b64decode(self.kube.get(KEYS)["data"]["coordinator.pub"]))
        return endpoint
