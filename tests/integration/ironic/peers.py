"""Starts a simulator and a real Ironic on free loopback ports, and stops them."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tools/demo"))
from patience import Stopwatch
from ports import free_port


class Process:
    """A child whose output goes to a file; dies with the test."""

    def __init__(self, argv, log, env=None):
        self.log = pathlib.Path(log)
        self.name = pathlib.Path(argv[0]).name
        with open(self.log, "wb") as out:
            self.child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                                          env={**os.environ, **(env or {})})

    def wait_for(self, path, seconds):
        watch = Stopwatch()
        while not path.exists():
            if self.child.poll() is not None or watch.over(seconds):
                raise RuntimeError(f"{self.name} did not come up:\n{self.tail()}")
            time.sleep(0.1)

    def tail(self, lines=40):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def stop(self, seconds=60):
        """The exit code; killed when it does not end in time."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            return self.child.wait()


class IronicProcess(Process):
    """A real Ironic at `url`, which keeps what it has in `folder`."""

    def __init__(self, folder, http_url, http_root, *options, env=None):
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.state = folder / "ironic"
        super().__init__([str(ROOT / "tools/peers/run_ironic.sh"), "--state", str(self.state), "--api-port", str(port),
                          "--http-url", http_url, "--http-root", str(http_root), *options], folder / "ironic.out", env)

    def wait(self):
        self.wait_for(self.state / "ready", 600)  # the first run installs it


class Stage:
    """A scratch folder with a simulator (`fleet`) and, once started, an Ironic (`ironic_url`)."""

    def __init__(self, simulator, machines, keep=False):
        self.simulator = str(pathlib.Path(simulator).resolve())
        self.keep = keep
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-ironic-"))
        self.http_root = self.folder / "http"
        self.http_root.mkdir()
        fleet_file = self.folder / "fleet.yaml"
        fleet_file.write_text(json.dumps({"machines": machines}))  # JSON is YAML
        ready = self.folder / "fleet.json"
        self.processes = []
        sim = self.start([self.simulator, "run", "--config", str(fleet_file), "--data-dir", str(self.folder / "sim"),
                          "--http-root", str(self.http_root), "--ready-file", str(ready)], "sim.log")
        sim.wait_for(ready, 30)
        self.fleet = json.loads(ready.read_text())
        self.ironic_url = None

    def start(self, argv, log, env=None):
        process = Process(argv, self.folder / log, env)
        self.processes.append(process)
        return process

    def start_ironic(self, *options):
        ironic = IronicProcess(self.folder, self.fleet["url"], self.http_root, "--verify-ca", self.fleet["ca"], *options)
        self.processes.append(ironic)
        ironic.wait()
        self.ironic_url = ironic.url

    def sim(self, *words):
        return subprocess.run([self.simulator, words[0], "--control", self.fleet["url"], *words[1:]], check=True,
                              capture_output=True, text=True, timeout=120).stdout

    def journal(self, machine):
        return [json.loads(line) for line in self.sim("journal", "--json", "--machine", machine).splitlines()]

    def close(self, failed):
        for process in reversed(self.processes):
            code = process.stop()
            if failed or code not in (0, -signal.SIGTERM):
                print(f"--- {process.name} (exit {code})\n{process.tail()}")
        if self.keep:
            print("kept:", self.folder)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
