"""Ingot's own programs: a coordinator with the embedded API, an agent, and ingotctl beside them."""
import json
import re

from failure import Failure
from kube import AGENTS, Kube, environment
from processes import run

PROGRAMS = ("ingot-coordinator", "ingot-agent", "ingotctl", "ingot-sim")


def environment_of(ironic_url, fleet_url):
    """How Metal3's managers are told where Ironic is."""
    return {"IRONIC_ENDPOINT": f"{ironic_url}/v1/", "DEPLOY_KERNEL_URL": f"{fleet_url}/ipa.kernel",
            "DEPLOY_RAMDISK_URL": f"{fleet_url}/ipa.initramfs"}


class Ingot:
    def __init__(self, programs, processes, folder):
        for name in PROGRAMS:
            if not (programs / name).exists():
                raise Failure(f"{programs / name} is missing: build it with './dev build release'")
        self.programs, self.processes, self.folder = programs, processes, folder
        self.kubeconfig = folder / "kubeconfig"
        self.kube = None

    def start_coordinator(self, ironic_url, fleet_url):
        process = self.processes.start("ingot-coordinator", [
            self.programs / "ingot-coordinator", "--embedded", "--data-dir", self.folder / "coordinator",
            "--listen", "127.0.0.1:0", "--kubeconfig-out", self.kubeconfig, "--agents-endpoint", "tcp://127.0.0.1:*"],
            env=environment_of(ironic_url, fleet_url))
        line = process.wait_until(lambda: self.kubeconfig.exists() and process.said("waiting for agents"), 60,
                                  "writing its kubeconfig and waiting for agents")
        self.kube = Kube(self.kubeconfig)
        return re.search(r"endpoint=\"?(tcp://[^\s\"]+)", line).group(1)

    def start_agent(self, endpoint, bmc_ca, name="demo-agent"):
        """With the coordinator's public key; returns once its own fingerprint is known."""
        process = self.processes.start("ingot-agent", [
            self.programs / "ingot-agent", "--server", endpoint, "--server-key", self.folder / "coordinator/coordinator.pub",
            "--data-dir", self.folder / "agent", "--name", name, "--bmc-ca-file", bmc_ca])
        line = process.wait_until(lambda: process.said("fingerprint="), 60, "telling its fingerprint")
        return process, re.search(r"fingerprint=\"([^\"]+)", line).group(1)

    def agents(self):
        return self.kube.items(AGENTS)

    def ctl(self, *words, seconds=300):
        """ingotctl as a user would call it. What it printed."""
        shown = " ".join(str(word) for word in words)
        return run([self.programs / "ingotctl", *words], f"ingotctl {shown}", seconds, environment(self.kubeconfig))

    def ctl_json(self, *words):
        return json.loads(self.ctl(*words, "-o", "json"))
