"""A management cluster as clusterctl finds it: one whose pods run (../nodes), cert-manager's kinds, and repositories of all providers
in a folder: Cluster API's own, and the releases of ours. Of images there is ours only: pods of Cluster API's managers wait."""
import os
import shutil
import subprocess
import sys

import yaml

import cert_manager
from api_server import ROOT
from installation import ACCOUNT, images
from kubectl import kubectl
from nodes.cluster import Cluster
from patience import within
from processes import clean_environment
from world import SANITIZERS

PEERS = ROOT / ".cache/peers"
SECONDS = 60
# Where clusterctl wants them, and what they are called there.
CLUSTER_API = {"core-manager": ("cluster-api", "core", "CoreProvider"),
               "bootstrap-manager": ("bootstrap-kubeadm", "bootstrap", "BootstrapProvider"),
               "control-plane-manager": ("control-plane-kubeadm", "control-plane", "ControlPlaneProvider")}


class ManagementCluster:
    """`nodes`: what runs its pods. `number`: where a test has several."""

    def __init__(self, folder, programs, number=0):
        subprocess.run([ROOT / "tools/peers/cluster_api.sh"], check=True, stdout=subprocess.DEVNULL)
        self.folder = folder
        self.repositories = folder / "repositories"
        self.nodes = Cluster(folder, images(programs), number=number, reads_of=(ACCOUNT,), environment=SANITIZERS)

    @property
    def api(self):
        return self.nodes.api

    @property
    def kube(self):
        return self.nodes.kube

    def start(self):
        self.nodes.start().start_nodes()
        for each in cert_manager.definitions():
            self.kube.call("POST", cert_manager.CRDS, each)
        self._copy_cluster_api()
        return self

    def stop(self):
        self.nodes.stop()

    def release(self, version, *words):
        """A release of ours beside those that there are. Returns what ./dev release printed."""
        done = subprocess.run([sys.executable, ROOT / "tools/release", self.repositories, "--version", version, *words],
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise AssertionError(done.stderr)
        return done.stdout

    def clusterctl(self, *words, variables=None):
        """What it prints; AssertionError with its words when it fails."""
        self.see("what clusterctl tried cert-manager with is gone", lambda: not self.kube.get("/api/v1/namespaces/cert-manager-test"))
        done = self.tried(*words, variables=variables)
        if done.returncode:
            raise AssertionError(f"clusterctl {' '.join(words)}: {done.stderr}")
        return done.stdout + done.stderr

    def tried(self, *words, variables=None):
        home = {"HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder), "CLUSTERCTL_DISABLE_VERSIONCHECK": "true",
                "KUBECONFIG": str(self.api.kubeconfig)}
        return subprocess.run([PEERS / "bin/clusterctl", "--config", self._config(), *words], capture_output=True, text=True, timeout=480,
                              check=False, env={**clean_environment(), **home, **(variables or {})})

    def apply(self, text):
        kubectl("--kubeconfig", self.api.kubeconfig, "apply", "--server-side", "-f", "-", text=text)

    def providers(self):
        """Installed ones, with their versions."""
        found = self.kube.items("/apis/clusterctl.cluster.x-k8s.io/v1alpha3/providers")
        return {each["metadata"]["name"]: each["version"] for each in found}

    def see(self, what, condition):
        within(SECONDS, what, condition)

    def _config(self):
        """What the last release wrote, and Cluster API's own."""
        providers = yaml.safe_load((self.repositories / "clusterctl.yaml").read_text())["providers"]
        providers += [{"name": "cluster-api" if kind == "core" else "kubeadm", "type": provider,
                       "url": str(self.repositories / folder / "latest" / f"{kind}-components.yaml")}
                      for folder, kind, provider in CLUSTER_API.values()]
        path = self.folder / "clusterctl.yaml"
        path.write_text(yaml.safe_dump({"providers": providers}))
        return path

    def _copy_cluster_api(self):
        version = next(line.split()[1] for line in (ROOT / "tools/peers/cluster-api/go.mod").read_text().splitlines()
                       if line.strip().startswith("sigs.k8s.io/cluster-api v"))
        for program, (folder, kind, _) in CLUSTER_API.items():
            place = self.repositories / folder / version
            os.makedirs(place)
            shutil.copyfile(PEERS / "cluster-api" / f"{program}.yaml", place / f"{kind}-components.yaml")
            shutil.copyfile(PEERS / "cluster-api/metadata.yaml", place / "metadata.yaml")
