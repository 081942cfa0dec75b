"""Real Ironic beside the simulator, and a witness of which nodes it owned when."""
import http.client
import json
import threading
import time

from failure import Failure
from processes import free_port

FIELDS = ("uuid,name,provision_state,target_provision_state,power_state,target_power_state,reservation,"
          "clean_step,deploy_step,last_error")
RESTING = {"enroll", "manageable", "available", "active", "inspect failed", "clean failed", "deploy failed", "error",
           "adopt failed"}
BLIND_SECONDS = 10   # without a look at Ironic for longer the witness is worth nothing
STEPS = {"clean_step": ("cleaning", "clean wait"), "deploy_step": ("deploying", "wait call-back")}


def owned_by_ironic(node):
    """Ironic may be changing power, boot or disks of this node right now."""
    return bool(node["provision_state"] not in RESTING or node["target_provision_state"] or node["target_power_state"]
                or node["reservation"])


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
        self.nodes, self.sightings = {}, []   # sightings: (wall time asked, wall time answered, {name: owned})
        self.process = None
        self.stopping = threading.Event()

    def start(self, fleet, power_sync_seconds, force_power_state):
        """Begins; ready() waits for it. The simulator serves its HTTP root."""
        self.process = self.processes.start("ironic", [
            self.root / "tools/peers/run_ironic.sh", "--state", self.folder / "ironic", "--api-port", self.port,
            "--http-url", fleet.url, "--http-root", fleet.http_root, "--verify-ca", fleet.ca,
            "--power-sync-interval", power_sync_seconds, "--force-power-state", str(force_power_state)])

    def ready(self):
        self.process.wait_until((self.folder / "ironic/ready").exists, 120, "serving its API")
        threading.Thread(target=self._witness, daemon=True).start()

    def close(self):
        self.stopping.set()

    def version(self):
        python = self.root / ".cache/peers/ironic/lib"
        found = sorted(python.glob("python3*/site-packages/ironic-*.dist-info"))
        return found[0].name.split("-")[1].removesuffix(".dist") if found else "?"

    def _witness(self):
        """Looks at all nodes twice a second over one kept connection."""
        connection = None
        while not self.stopping.wait(0.5):
            connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                asked = time.time()
                connection.request("GET", f"/v1/nodes?fields={FIELDS}", headers={"X-OpenStack-Ironic-API-Version": "1.110"})
                nodes = json.loads(connection.getresponse().read())["nodes"]
            except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
                connection = None
                continue
            self.nodes = {node["name"].split("~")[-1]: node for node in nodes if node.get("name")}
            self.sightings.append((asked, time.time(), {name: owned_by_ironic(node) for name, node in self.nodes.items()}))

    def owned_at(self, name, when):
        """Whether Ironic owned the node at that wall time: seen so right before and right after it."""
        return all(self._beside(name, when))

    def owned_around(self, name, when):
        """Whether it may have: seen so right before or right after it."""
        return any(self._beside(name, when))

    def _beside(self, name, when):
        before = next((seen for seen in reversed(self.sightings) if seen[1] <= when), None)
        after = next((seen for seen in self.sightings if seen[0] >= when), None)
        if not before or not after or after[0] - before[1] > BLIND_SECONDS:
            raise Failure(f"nobody looked at Ironic when the BMC of {name} was written to", self.log())
        return before[2].get(name, False), after[2].get(name, False)

    def log(self):
        return self.process.log

    def node(self, name):
        if name not in self.nodes:
            raise Failure(f"Ironic has no node for {name}", self.process.log)
        return self.nodes[name]
