"""A server with an agent that finds its coordinator by an address which an operator moves."""
import manifests
from coordinator_keys import hand_out
from fleet import Fleet
from installation import NAMESPACE
from kube import AGENTS
from patience import within
from processes import Processes
from relay import Relay

SECONDS = 60
USERNAME, PASSWORD = "bmc-operator-3e9a71", "never-print-7c41d0e2b95f"


class MovedAgent:
    """`end`: the installation that it comes to first, with `kube` and `agents()`, where agents find its coordinator."""

    def __init__(self, folder, programs, end, name):
        folder.mkdir()
        self.processes, self.name = Processes(folder), name
        self.fleet = Fleet(programs / "ingot-sim", self.processes, folder)
        self.fleet.start_with([{"name": name, "username": USERNAME, "password": PASSWORD, "timing": {"powerOn": 200, "powerOff": 200}}])
        hand_out(end.kube, NAMESPACE, folder / "coordinator.pub")
        self.relay = Relay(end.agents())
        self.process = self.processes.start("ingot-agent", [
            programs / "ingot-agent", "--server", f"tcp://127.0.0.1:{self.relay.port}", "--server-key", folder / "coordinator.pub",
            "--data-dir", folder / "data", "--name", "rack", "--log-level", "debug", "--bmc-ca-file", self.fleet.ca])

    def stop(self):
        self.relay.close()
        self.processes.stop()

    def approve(self, end):
        """For the server, and for no address of a host that has none."""
        fingerprint, _ = within(SECONDS, "the agent shows up", lambda: self._status(end).get("fingerprint"))
        network = f"{self.fleet.machines[self.name].address}/32"
        end.kube.merge(f"{AGENTS}/rack", {"spec": {"approved": True, "fingerprint": fingerprint, "networks": [network]}})

    def host(self):
        return manifests.host(self.name, self.fleet.machines[self.name], True, image=False)

    def move(self, end):
        """What an operator does: the address leads there, and who was connected to the old one is not any more."""
        self.relay.goal = end.agents()
        self.relay.drop()

    def serves(self, end):
        status = self._status(end)
        return status.get("connected") and status.get("hosts") == 1

    def is_on(self):
        return self.fleet.is_on(self.name)

    @staticmethod
    def _status(end):
        return (end.kube.get(f"{AGENTS}/rack") or {}).get("status") or {}
