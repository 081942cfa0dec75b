"""Cluster API's managers as plain processes with an administrator's kubeconfig: their kinds, their webhooks, themselves."""
import json
import pathlib
import subprocess
import typing

from authority import Authority
from health import healthy
from kube import Kube
from objects import CRD, create, install_kinds, with_webhooks_at
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[3]
PEERS = ROOT / ".cache/peers"
START_SECONDS = 180

class Manager(typing.NamedTuple):
    name: str   # of the program, and of the list of what it needs
    flags: tuple = ()


TOPOLOGY = "--feature-gates=ClusterTopology=true"
MANAGERS = (Manager("core-manager", (TOPOLOGY,)),
            Manager("bootstrap-manager", ("--bootstrap-token-ttl=2h",)),
            Manager("control-plane-manager", (TOPOLOGY,)))


class Managers:
    """Those of one management cluster. Kinds and webhooks are installed first: a manager ends when its kinds are missing."""

    def __init__(self, folder, processes, kubeconfig, managers=MANAGERS):
        subprocess.run([ROOT / "tools/peers/cluster_api.sh"], check=True, stdout=subprocess.DEVNULL)
        self.processes, self.kubeconfig, self.managers = processes, kubeconfig, managers
        self.kube = Kube(kubeconfig)
        self.authority = Authority.new(folder / "webhooks", "webhooks")
        serving = self.authority.server("tls")   # tls.crt and tls.key are what a manager looks for
        self.certificates = serving.certificate.parent
        self.ports = {manager.name: free_port() for manager in managers}
        self.health = {manager.name: f"http://127.0.0.1:{free_port()}" for manager in managers}

    def start(self):
        self._install()
        running = [(manager, self._start(manager)) for manager in self.managers]
        for manager, process in running:
            process.wait_until(lambda name=manager.name: healthy(f"{self.health[name]}/readyz"), START_SECONDS, "being ready")

    def _start(self, manager):
        return self.processes.start(manager.name, [
            PEERS / "bin" / manager.name, f"--kubeconfig={self.kubeconfig}", f"--webhook-port={self.ports[manager.name]}",
            f"--webhook-cert-dir={self.certificates}", f"--health-addr={self.health[manager.name].removeprefix('http://')}",
            "--diagnostics-address=0", *manager.flags])

    def _install(self):
        objects = [with_webhooks_at(f"https://127.0.0.1:{self.ports[manager.name]}", self.authority, each) for manager in self.managers
                   for each in json.loads((PEERS / "cluster-api" / f"{manager.name}.json").read_text())]
        install_kinds(self.kube, [each for each in objects if each["kind"] == CRD])
        for each in objects:
            if each["kind"] != CRD:
                create(self.kube, each)
