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


class AsTheyAre:
    """Programs where they were built."""

    def __init__(self, programs):
        self.programs = programs

    def program(self, name):
        return [self.programs / name]

    def give(self, name, path):
        """Every program may read every file."""

    def leave(self, name, path):
        """And what it writes is there."""

    def seen(self, processes):
        """Nothing that was worth a look."""


class Ingot:
    """`place`: where coordinator and agent are started; by default from the folder of programs."""

    def __init__(self, programs, processes, folder, place=None):
        for name in PROGRAMS:
            if not (programs / name).exists():
                raise Failure(f"{programs / name} is missing: build it with './dev build release'")
        self.programs, self.processes, self.folder = programs, processes, folder
        self.place = place or AsTheyAre(programs)
        self.kubeconfig = folder / "kubeconfig"
        self.kube = None
        self.started = []

    def start_coordinator(self, ironic_url, fleet_url):
        for path in (self.kubeconfig, self.folder / "coordinator"):
            self.place.leave("ingot-coordinator", path)
        process = self.processes.start("ingot-coordinator", [
            *self.place.program("ingot-coordinator"), "--embedded", "--data-dir", self.folder / "coordinator",
            "--listen", "127.0.0.1:0", "--kubeconfig-out", self.kubeconfig, "--agents-endpoint", "tcp://127.0.0.1:*"],
            env=environment_of(ironic_url, fleet_url))
        self.started.append(process)
        line = process.wait_until(lambda: self.kubeconfig.exists() and process.said("waiting for agents"), 60,
                                  "writing its kubeconfig and waiting for agents")
        self.kube = Kube(self.kubeconfig)
        return re.search(r"endpoint=\"?(tcp://[^\s\"]+)", line).group(1)

    def start_agent(self, endpoint, bmc_ca, name="demo-agent"):
        """With the coordinator's public key; returns once its own fingerprint is known."""
        server_key = self.folder / "coordinator/coordinator.pub"
        for path in (server_key, bmc_ca):
            self.place.give("ingot-agent", path)
        self.place.leave("ingot-agent", self.folder / "agent")
        process = self.processes.start("ingot-agent", [
            *self.place.program("ingot-agent"), "--server", endpoint, "--server-key", server_key,
            "--data-dir", self.folder / "agent", "--name", name, "--bmc-ca-file", bmc_ca])
        self.started.append(process)
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
