"""An installation in a Kubernetes cluster: several coordinators by one kube-apiserver, of which one leads."""
import datetime

from api_server import ApiServer
from coordinator_keys import hand_out
from hosts import Hosts
from kube import Kube
from world import NAMESPACE, World

LEASE = f"/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/ingot-coordinator"


class ClusterWorld(World):
    """`coordinators` by name; `coordinator` is the one that was started last. Agents find whoever leads at one endpoint, as
    through a Service."""

    users = ("one", "two")
    api = None

    def start(self):
        self.start_fleet()
        self.api = ApiServer(self.folder, coordinators=self.users).start()
        self.kube = Kube(self.api.kubeconfig)
        self.hosts = Hosts(self.kube, NAMESPACE, self.processes)
        self.coordinators = {}
        self.data.mkdir(mode=0o700)   # what an operator copied for the agents

    def stop(self):
        super().stop()
        if self.api:
            self.api.stop()

    def start_candidate(self, name, with_agents=True):
        endpoint = f"tcp://127.0.0.1:{self.agents_port}" if with_agents else ""
        self.coordinator = self.coordinators[name] = self.run(f"ingot-coordinator-{name}", [
            self.programs / "ingot-coordinator", "--kubeconfig", self.api.kubeconfig_of(name), "--provisioner", "fixture",
            "--agents-endpoint", endpoint, "--webhook-port", "0", "--log-level", "debug"], {"POD_NAME": name})
        return self.coordinator

    def start_agent(self, name, folder=None, approve=True):
        hand_out(self.kube, NAMESPACE, self.data / "coordinator.pub")
        return super().start_agent(name, folder, approve)

    # Who leads

    def lease(self):
        found = self.kube.get(LEASE)
        return found["spec"] if found else {}

    def leads(self, name):
        """Whether this coordinator holds the Lease, and works."""
        return self.lease().get("holderIdentity", "").startswith(f"{name}_") and self.coordinators[name].said(" leading term=")


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
