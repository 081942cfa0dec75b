"""Ingot's coordinator as the infrastructure provider of a management cluster, and the kinds that it looks after."""
import json
import pathlib

import yaml

from authority import Authority
from health import healthy
from objects import with_webhooks_at
from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[3]
USER = "ingot"
START_SECONDS = 180
# Hosts are played by the coordinator: whatever is asked of them is done at once.
FIXTURE = ("--provisioner=fixture", "--agents-endpoint", "")


class Coordinator:
    def __init__(self, folder, programs=ROOT / "build/dev/bin"):
        self.folder, self.programs = folder, programs
        self.authority = Authority.new(folder / "ingot-webhooks", "ingot-webhooks")
        self.certificates = self.authority.server("tls").certificate.parent
        self.port, self.health = free_port(), f"127.0.0.1:{free_port()}"
        self.process = None

    def kinds(self):
        """Files of the kinds, whose versions are converted by the coordinator."""
        files = []
        for crd in sorted((ROOT / "crds").rglob("*_*.yaml")):
            files.append(self.folder / crd.name)
            each = with_webhooks_at(f"https://127.0.0.1:{self.port}", self.authority, yaml.safe_load(crd.read_text()))
            files[-1].write_text(json.dumps(each))
        return files

    def start(self, capi, flags=FIXTURE, environment=None, *, name="ingot-coordinator", converts=True):
        """`converts`: whether it is the one that the kinds' versions are converted by."""
        self.process = capi.processes.start(name, [
            self.programs / "ingot-coordinator", f"--kubeconfig={capi.api.kubeconfig_of(USER)}",
            f"--webhook-port={self.port if converts else 0}", f"--webhook-cert-dir={self.certificates}",
            f"--health-addr={self.health}", "--metrics-addr=0", *flags], environment)
        self.process.wait_until(lambda: healthy(f"http://{self.health}/readyz"), START_SECONDS, "being ready")

    def stop(self, capi):
        if self.process:
            capi.processes.end(self.process)
            self.process = None
