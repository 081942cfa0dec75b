"""deploy/default with three replicas on a real kube-apiserver, servers and an agent: what a cluster does for them is played
here (Services, a kubelet that starts ended containers anew)."""
import re
import signal
import threading
import time

import endings
from coordinator_keys import hand_out
from faulty_api import FaultyApi
from health import healthy
from hosts import Hosts
from installation import NAMESPACE as OWN
from installation import Installation
from patience import within
from ports import free_port
from service import Service
from webhook_calls import WebhookCalls
from world import NAMESPACE, World

REPLICAS = "one", "two", "three"
SECONDS = 60


class ReplicatedWorld(World):
    """`site`: the installation; `calls`: what is written through its webhooks; `deaths`: (moment, name) of each replica that
    was killed; `ends`: (name, process) of those that ended by themselves. One port stands for the Service that agents come by:
    only who leads listens."""

    ends_within = 15   # 10 of --shutdown-delay-duration
    site = service = front = calls = None

    def __init__(self, *words):
        super().__init__(*words)
        self.deaths, self.ends, self.closing = [], [], threading.Event()

    def start(self):
        self.start_fleet()
        self.site = Installation(self.folder, self.programs, run=self.run)
        self.site.start()
        self.front = FaultyApi(self.site.api)
        self.site.front = self.front.url
        self.kube = self.site.kube
        self.site.create(self.site.documents)
        self.service = Service(self.site.webhook_port, self.is_ready)
        for name in REPLICAS:
            self.site.start_replica(name, "--provisioner=fixture", agents_port=self.agents_port, webhook_port=free_port())
            self.service.add(name, self.site.ports[name])
        within(SECONDS, "all are ready", lambda: len(self.service.ready) == len(REPLICAS))
        within(SECONDS, "webhooks are believed everywhere", self.site.webhooks_are_believed)
        within(SECONDS, "webhooks answer", self.site.webhooks_answer)
        self.hosts = Hosts(self.kube, NAMESPACE, self.processes)
        self.calls = WebhookCalls(self.kube)
        within(SECONDS, "one leads", self.leader)
        self.data.mkdir(mode=0o700)   # what an operator copied for the agents
        threading.Thread(target=self._tend, daemon=True).start()

    def stop(self):
        self.closing.set()
        if self.calls and self.calls.thread.is_alive():
            self.calls.stop()
        super().stop()
        for each in (self.service, self.front):
            if each:
                each.close()
        if self.site:
            self.site.stop()

    def start_agent(self, name, folder=None, approve=True, port=None):
        hand_out(self.kube, OWN, self.data / "coordinator.pub")
        return super().start_agent(name, folder, approve, port)

    def metrics(self):
        pages = [re.search(r"serving metrics .*?port=(\d+)", process.log.read_text()) for process in self.site.replicas.values()]
        return [f"http://127.0.0.1:{page[1]}/metrics" for page in pages] + [self.site.urls[name] for name in self.site.replicas]

    # Replicas

    def is_ready(self, name):
        process = self.site.replicas.get(name)
        return process is not None and process.child.poll() is None and healthy(self.site.urls[name])

    def leader(self):
        """Who holds the Lease and works; None: nobody."""
        holder = self.site.lease().partition("_")[0]
        process = self.site.replicas.get(holder)
        leads = process and process.child.poll() is None and process.said(" leading term=") and not process.said("leadership lost")
        return holder if leads else None

    def kill(self, name):
        """For good; the container is started anew once the Service has lost it."""
        process = self.site.replicas.pop(name)
        self.deaths.append((time.monotonic(), name))
        self.signal(process, signal.SIGKILL)
        self._start_again(name)

    def terminate(self, name):
        """As a node that is drained does; returns once the container has ended, and was started anew."""
        process = self.site.replicas.pop(name)
        endings.terminate(self, [process], self.ends_within)
        self._start_again(name)

    def _start_again(self, name):
        within(SECONDS, f"{name} is no endpoint any more", lambda: name not in self.service.ready)
        self.site.start_container(name)

    def _tend(self):
        """What the kubelet does with a container that has ended by itself."""
        for name, process in self.site.ended(self.closing):
            self.ends.append((name, process))
            self.processes.list.remove(process)
            self._start_again(name)
