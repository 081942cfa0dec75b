"""Real Ironic beside the simulator, under the eyes of a witness."""
from failure import Failure
from power_syncs import PowerSyncs
from ports import free_port
from witness import Witness, owned_by_ironic

STEPS = {"clean_step": ("cleaning", "clean wait"), "deploy_step": ("deploying", "wait call-back")}


def step_of(node):
    """What Ironic is doing with a node, in its own words; empty when nothing."""
    if not owned_by_ironic(node):
        return ""
    state = node["provision_state"] or ""
    for field, states in STEPS.items():
        name = (node.get(field) or {}).get("step")
        if name and state in states:
            return f"{state}: {name}"
    return state


class Ironic:
    """One Ironic process on a free port; `nodes` is what the witness saw last, by host name."""

    def __init__(self, root, processes, folder):
        self.root, self.processes, self.folder = root, processes, folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.witness = Witness(self.port)
        self.process = None

    @property
    def nodes(self):
        return self.witness.nodes

    def start(self, fleet, power_sync_seconds, force_power_state):
        """Begins; ready() waits for it. The simulator serves its HTTP root."""
        self.process = self.processes.start("ironic", [
            self.root / "tools/peers/run_ironic.sh", "--state", self.folder / "ironic", "--api-port", self.port,
            "--http-url", fleet.url, "--http-root", fleet.http_root, "--verify-ca", fleet.ca,
            "--power-sync-interval", power_sync_seconds, "--force-power-state", str(force_power_state), "--log-locks"])

    def ready(self):
        self.process.wait_until((self.folder / "ironic/ready").exists, 300, "serving its API")
        self.witness.start()

    def close(self):
        self.witness.close()

    def version(self):
        python = self.root / ".cache/peers/ironic/lib"
        found = sorted(python.glob("python3*/site-packages/ironic-*.dist-info"))
        return found[0].name.split("-")[1].removesuffix(".dist") if found else "?"

    def node(self, name):
        if name not in self.nodes:
            raise Failure(f"Ironic has no node for {name}", self.process.log)
        return self.nodes[name]

    def power_syncs(self, name):
        """The power syncs of that node from now on."""
        return PowerSyncs(self.folder / "ironic/ironic.log", self.node(name)["uuid"])
