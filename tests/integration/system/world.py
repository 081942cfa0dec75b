"""One installation on loopback: simulated servers, a coordinator with the embedded API, agents."""
import pathlib
import re
import signal
import subprocess

from failure import Failure
from fleet import Fleet
from health import directly
from hosts import Hosts
from kube import AGENTS, Kube, hosts_path
from patience import within
from ports import free_port
from processes import Processes

import manifests

NAMESPACE = "default"
USERNAME = "bmc-operator-3e9a71"
PASSWORD = "never-print-7c41d0e2b95f"
# Sanitizers forbid core dumps by themselves; here the programs must do so.
SANITIZERS = {"ASAN_OPTIONS": "disable_coredump=0:exitcode=86", "UBSAN_OPTIONS": "print_stacktrace=1"}


class World:
    personalities = ("plain",)   # of the servers, in turn
    ends_within = 5              # seconds after SIGTERM
    agents_host = "127.0.0.1"    # where agents find the coordinator

    def __init__(self, programs, folder, machines, timing):
        self.programs, self.folder = programs, folder
        self.processes = Processes(folder)
        self.every_log = []
        self.fleet = Fleet(programs / "ingot-sim", self.processes, folder)
        self.names = [f"m{number}" for number in range(machines)]
        self.timing = timing
        self.listen, self.agents_port = f"127.0.0.1:{free_port()}", free_port()
        self.data = folder / "coordinator"
        self.kubeconfig = folder / "kubeconfig"
        self.agents, self.coordinator, self.kube, self.hosts = {}, None, None, None
        self.starts = self.killed_agents = 0

    def start(self):
        self.start_fleet()
        self.start_coordinator()

    def start_fleet(self):
        self.fleet.start_with([{"name": name, "username": USERNAME, "password": PASSWORD, "timing": self.timing,
                                "personality": self.personalities[number % len(self.personalities)]}
                               for number, name in enumerate(self.names)])
        self.every_log.append(self.fleet.process.log)

    def stop(self):
        if self.hosts:
            self.hosts.close()
        self.processes.stop()

    # Programs

    def coordinator_command(self):
        return [self.programs / "ingot-coordinator", "--embedded", "--data-dir", self.data, "--listen", self.listen,
                "--kubeconfig-out", self.kubeconfig, "--agents-endpoint", f"tcp://127.0.0.1:{self.agents_port}",
                "--provisioner", "fixture", "--log-level", "debug"]

    def coordinator_environment(self):
        return {}

    def start_coordinator(self):
        """Always on the same data folder and the same ports. Returns once agents may come."""
        self.coordinator = self.run("ingot-coordinator", self.coordinator_command(), self.coordinator_environment())
        self.coordinator.wait_until(lambda: self.coordinator.said("waiting for agents"), 30, "waiting for agents")
        self.kube = Kube(self.kubeconfig)
        if self.hosts is None:
            self.hosts = Hosts(self.kube, NAMESPACE, self.processes)
        return self.coordinator

    def agent_command(self, name, folder=None, port=None):
        trust = ["--bmc-ca-file", self.fleet.ca] if pathlib.Path(self.fleet.ca).exists() else []   # none signs ipmi_sim's
        return [self.programs / "ingot-agent", "--server", f"tcp://{self.agents_host}:{port or self.agents_port}", "--server-key",
                self.data / "coordinator.pub", "--data-dir", self.folder / (folder or f"agent-{name}"), "--name", name,
                "--log-level", "debug", *trust]

    def start_agent(self, name, folder=None, approve=True, port=None):
        """The agent's process; its keys and journal are in `folder`, by default one of its name. `port`: where it believes
        the coordinator to be."""
        process = self.run(f"ingot-agent-{name}", self.agent_command(name, folder, port))
        if folder is None:
            self.agents[name] = process
        if approve:
            process.wait_until(lambda: self.fingerprint(name), 15, "showing up")
            self.approve(name)
        return process

    def run(self, name, argv, environment=None):
        self.starts += 1
        process = self.processes.start(f"{self.starts:02}-{name}", argv, {**SANITIZERS, **(environment or {})})
        self.every_log.append(process.log)
        return process

    def signal(self, process, number):
        """Sends a signal that is to end the program, whose end is then no failure. Returns its exit code."""
        self.processes.list.remove(process)
        self.killed_agents += number == signal.SIGKILL and process in self.agents.values()
        process.child.send_signal(number)
        return process.child.wait(120)

    # What the API says

    def agent(self, name):
        return self.kube.get(f"{AGENTS}/{name}")

    def approve(self, name):
        fingerprint, _ = within(15, "the agent's fingerprint is recorded", lambda: self.fingerprint(name))
        self.kube.merge(f"{AGENTS}/{name}", {"spec": {"approved": True, "fingerprint": fingerprint, "allHosts": True}})

    def fingerprint(self, name):
        """Of the agent's key, as the coordinator has recorded it; None before."""
        return ((self.agent(name) or {}).get("status") or {}).get("fingerprint")

    def host(self, name):
        return self.kube.get(hosts_path(NAMESPACE, name))

    def events(self, reason):
        return [event for event in self.kube.items("/api/v1/events") if event["reason"] == reason]

    def ingotctl(self, *words):
        """The program run in the hosts' namespace, ended."""
        return subprocess.run([self.programs / "ingotctl", "--kubeconfig", self.kubeconfig, "-n", NAMESPACE, *words],
                              capture_output=True, text=True, timeout=30, check=False)

    def set_online(self, name, online):
        self.kube.merge(hosts_path(NAMESPACE, name), {"spec": {"online": online}})

    def create_host(self, name, password=PASSWORD, online=True, image=True, **spec):
        machine = self.fleet.machines[name]
        self.kube.call("POST", f"/api/v1/namespaces/{NAMESPACE}/secrets", manifests.secret(name, USERNAME, password))
        self.kube.call("POST", hosts_path(NAMESPACE), manifests.host(name, machine, online, image=image, **spec))

    # What is real

    def power(self):
        """Name → whether the machine is on, as the simulator knows it."""
        return {each["name"]: each["power"] == "on" for each in self.fleet.call("GET", "/control/fleet")["machines"]}

    def switch_by_hand(self, name, on):
        self.fleet.call("POST", f"/control/machines/{name}/chassis", {"words": ["set", "power", "1" if on else "0"]})

    def switched(self, on, names):
        """Whether each is on (off), and the API says so."""
        real = self.power()
        return all(real[name] is on for name in names) and self.right(names)

    def right(self, names=None):
        """Whether the API tells the truth about the power of each, and knows that it does."""
        real = self.power()
        named = names or list(self.hosts.now)
        return bool(named) and all(
            name in self.hosts.now and self.hosts.now[name].power == ("on" if real[name] else "off") for name in named)

    def metrics(self):
        """Text of every metrics and health page of the coordinator, by URL."""
        ports = re.findall(r"serving health and metrics.*?port=\"?(\d+)", self.coordinator.log.read_text())
        if not ports:
            raise Failure("the coordinator serves no metrics", self.coordinator.log)
        return [f"http://127.0.0.1:{port}{path}" for port in ports for path in ("/metrics", "/healthz", "/readyz")]

    def pages(self):
        """What the coordinator shows, and where."""
        for url in self.metrics():
            with directly(url, seconds=60) as answer:
                yield url, answer.read()


