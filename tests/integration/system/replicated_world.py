"""deploy/default with three replicas in a management cluster whose pods run, and beside it servers and an agent."""
import time

from coordinator_keys import hand_out
from faulty_api import FaultyApi
from hosts import Hosts
from installation import NAMESPACE as OWN
from installation import SERVICE, Installation
from patience import within
from webhook_calls import WebhookCalls
from world import NAMESPACE, World

REPLICAS = 3
SECONDS = 60
SEEN_SECONDS = 1   # after which everybody has heard who is no endpoint any more


class ReplicatedWorld(World):
    """`site`: the installation; `calls`: what is written through its webhooks; `deaths`: (moment, pod) of each replica that was
    killed; `gaps`: (began, ended) of times in which one had ended, and nobody could be told. Agents come by the Service that selects who leads. `base`: what is installed."""

    ends_within = 15   # 10 of --shutdown-delay-duration
    agents_port = 7460
    base = "default"
    site = front = calls = None

    def __init__(self, *words):
        super().__init__(*words)
        self.agents_port, self.deaths, self.gaps = type(self).agents_port, [], []

    def start(self):
        self.start_fleet()
        self.site = Installation(self.folder, self.programs, self.base, REPLICAS)
        self.site.cluster.start()
        self.front = FaultyApi(self.site.api)
        self.site.cluster.start_nodes(api_of_pods=self.front.address)
        self.kube = self.site.kube
        self.install()
        self.site.wait_until_ready()
        within(SECONDS, "webhooks are believed everywhere", self.site.webhooks_are_believed)
        within(SECONDS, "webhooks answer", self.site.webhooks_answer)
        self.agents_host = self.kube.get(f"/api/v1/namespaces/{OWN}/services/ingot-agents")["spec"]["clusterIP"]
        self.hosts = Hosts(self.kube, NAMESPACE, self.processes)
        self.calls = WebhookCalls(self.kube)
        self.site.let_read_metrics("prometheus")
        within(SECONDS, "one leads", self.site.leader)
        self.data.mkdir(mode=0o700)   # what an operator copied for the agents

    def install(self):
        self.site.create(self.site.documents)

    def stop(self):
        if self.calls and self.calls.thread.is_alive():
            self.calls.stop()
        super().stop()
        if self.front:
            self.front.close()
        if self.site:
            self.site.stop()

    def start_agent(self, name, folder=None, approve=True, port=None):
        hand_out(self.kube, OWN, self.data / "coordinator.pub")
        return super().start_agent(name, folder, approve, port)

    def metrics(self):
        return [self.site.url(name) for name in self.site.replicas()]

    def pages(self):
        yield from super().pages()
        for name in self.site.replicas():
            status, page = self.site.metrics(name, "prometheus")
            assert status == 200, f"{name} shows no metrics: {status}"
            yield f"metrics of {name}", page

    def hand_over(self):
        """No kubelet starts anything anew; its containers are ours to end."""
        self.processes.list += self.site.cluster.leave()
        self.site.cluster.containers.list.clear()
        self.every_log += self.site.cluster.logs

    # Replicas

    def kill(self, name):
        """Its process, which is an endpoint until the kubelet has seen its end."""
        self.deaths.append((time.monotonic(), name))
        self.site.kill(name)

    def removals(self):
        """(began, ended) of the times in which a replica that was no more was an endpoint yet."""
        left = [(moment, self.site.cluster.services.left_after(moment, OWN, SERVICE, name)) for moment, name in self.deaths]
        return [(began, ended + SEEN_SECONDS) for began, ended in [*left, *self.gaps]]
