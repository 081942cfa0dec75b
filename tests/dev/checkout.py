"""A checkout of which only ./dev and its scripts are real, and a PATH of programs that only write down how they were called."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
KUBERNETES = ("kubectl", "etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
MANAGERS = ("core-manager", "bootstrap-manager", "control-plane-manager", "clusterctl")
MANAGERS_MODULE = "tools/peers/cluster-api/go.mod"
ENGINE_MODULE = "tests/tools/promql/go.mod"
SCRIPTS = ("dev", "tools/dev", "tools/peers", "tools/packages.txt", "tests/tools")

sys.path.insert(0, str(ROOT / "tests/demo"))   # its screen


class Checkout(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-dev-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root, self.bin, self.calls = self.folder / "checkout", self.folder / "bin", self.folder / "calls"
        for name in SCRIPTS:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / name, self.root / name)
        self.bin.mkdir()
        self.calls.touch()

    def program(self, name, does="exit 0", folder=None):
        """A stand-in that notes its call and then does that."""
        path = (folder or self.bin) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/bash\necho "{name} $*" >> {self.calls}\n{does}\n')
        path.chmod(0o755)

    def called(self):
        return self.calls.read_text().splitlines()

    def environment(self, **more):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("INGOT_")}
        return {**kept, "PATH": f"{self.bin}:{os.environ['PATH']}", **more}

    def dev(self, *words, **environment):
        return subprocess.run([self.root / "dev", *words], cwd=self.root, env=self.environment(**environment), timeout=300,
                              capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)

    def bash(self, script, **environment):
        """With the functions of ./dev at hand, as its commands have them."""
        return subprocess.run(["bash", "-euo", "pipefail", "-c", f". tools/dev/common.sh\n{script}"], cwd=self.root, timeout=300,
                              env=self.environment(**environment), capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)

    def packages(self):
        lines = (self.root / "tools/packages.txt").read_text().splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    def everything_is_installed(self, but=()):
        """Packages, Ironic, the Redfish validator, kubectl; and whatever might install them fails."""
        listed = "\n".join(f"installed {name}" for name in self.packages() if name not in but)
        self.program("dpkg-query", f"cat <<'END'\n{listed}\nEND")
        peers = self.root / ".cache/peers/bin"
        for name in ("apt-get", "apt", "pip", "pip3", "go", "sudo", "curl", "wget"):
            self.program(name, "echo 'this must not run' >&2; exit 97")
        for name in ("ironic", "redfish"):
            venv = self.root / ".cache/peers" / name
            self.program("pip", "exit 97", venv / "bin")
            shutil.copy(self.root / f"tests/tools/{name}-constraints.txt", venv / ".constraints")
        peers.mkdir(parents=True)
        for name in KUBERNETES:
            self.stamp(peers / f".{name}.stamp", "tests/tools/go.mod")
        for name in MANAGERS:
            self.stamp(peers / f".{name}.stamp", MANAGERS_MODULE)
        self.stamp(peers / ".promql.stamp", ENGINE_MODULE)
        objects = self.root / ".cache/peers/cluster-api"
        objects.mkdir()
        self.stamp(objects / ".stamp", MANAGERS_MODULE, "tools/peers/cluster_api_objects.py")

    def stamp(self, file, *made_from):
        """Says that what it stands for was made from these files."""
        contents = b"".join((self.root / each).read_bytes() for each in made_from)
        file.write_text(hashlib.sha256(contents).hexdigest()[:16] + "\n")
