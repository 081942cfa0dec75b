"""Simulated BMCs, a coordinator with the embedded API and one agent, all on this machine, as the measurements of agents.py need
them."""
import concurrent.futures
import contextlib
import json
import pathlib
import sys
import tempfile
import time
import urllib.request

from host_watch import HostWatch, until
from measured import HOSTS, SECRETS, Api, Coordinator, cpu_seconds, memory_mib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "demo"))
from audit import when  # noqa: E402  (the path comes first)
from fleet import NO_PROXY, Fleet  # noqa: E402
from ports import free_port  # noqa: E402
from processes import Processes  # noqa: E402

AGENTS = "/apis/ingot.dev/v1alpha1/provisioningagents"
AGENT = "bench"
MACHINES_A_SIMULATOR = 4000   # each has a listening socket and a few connections, a process some 20,000 files
READY_SECONDS = 900
CREATED_AT_ONCE = 8
HOSTS_A_BATCH = 2000   # those of the next are created once these are known


def host_name(number: int) -> str:
    return f"host-{number:05}"


def machine(number: int, protocol: str) -> dict:
    """As a fleet file has it."""
    mac = "52:54:%02x:%02x:%02x:%02x" % tuple(number.to_bytes(4, "big"))
    return {"name": host_name(number), "protocol": protocol, "nics": [{"mac": mac}]}


def manifests(machine, online: bool, inspected: bool):
    """Secret and host, which is never cleaned."""
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": machine.name},
              "stringData": {"username": machine.username, "password": machine.password}}
    host = {"apiVersion": "metal3.io/v1alpha1", "kind": "BareMetalHost", "metadata": {"name": machine.name},
            "spec": {"online": online, "bootMACAddress": machine.mac, "automatedCleaningMode": "disabled",
                     **({} if inspected else {"inspectionMode": "disabled"}),
                     "bmc": {"address": machine.bmc_address("ipmi" if machine.is_ipmi else "redfish"),
                             "credentialsName": machine.name}}}
    return secret, host


class Site:
    """To be used with `with`. `poll_seconds`: between two readings of a host's power. `access_log`: the simulator keeps
    one, for requests()."""

    def __init__(self, programs: pathlib.Path, count: int, protocol="redfish", poll_seconds=5, access_log=False):
        self.programs, self.count, self.protocol = programs.resolve(), count, protocol
        self.poll_seconds, self.has_access_log = poll_seconds, access_log
        self.port, self.metrics_port = free_port(), free_port()
        self.agent = self.watch = self.api = self.coordinator = None
        self.fleets, self.machines = [], {}

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ingot-bench-")))
            self.processes = Processes(self.folder)
            stack.callback(self.processes.stop)
            self._start_fleets()
            self.coordinator = stack.enter_context(Coordinator(
                self.programs / "ingot-coordinator", agents=f"tcp://127.0.0.1:{self.port}",
                flags=["--power-poll-seconds", str(self.poll_seconds)]))
            until(20, "the coordinator has its keys", self._server_key().exists)
            self.api = self.coordinator.api
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *what):
        return self.stack.__exit__(*what)

    def kubeconfig(self):
        return self.coordinator.folder / "kubeconfig"

    def _server_key(self):
        return self.coordinator.folder / "data/coordinator.pub"

    def _start_fleets(self):
        for first in range(0, self.count, MACHINES_A_SIMULATOR):
            folder = self.folder / f"fleet-{len(self.fleets)}"
            folder.mkdir()
            fleet = Fleet(self.programs / "ingot-sim", self.processes, folder)
            fleet.start_with([machine(number, self.protocol)
                              for number in range(first, min(first + MACHINES_A_SIMULATOR, self.count))],
                             ["--access-log", folder / "access.log"] if self.has_access_log else [])
            self.fleets.append(fleet)
            self.machines.update({name: (fleet, each) for name, each in fleet.machines.items()})
        if self.protocol == "redfish":
            (self.folder / "ca.pem").write_text("".join(pathlib.Path(fleet.ca).read_text() for fleet in self.fleets))

    def set_fault(self, name: str, fault: str, on: bool):
        self.machines[name][0].set_fault(name, fault, on)

    def requests(self, since: float = 0):
        """Machine and wall time of each request that has reached a BMC after `since`."""
        for fleet in self.fleets:
            for line in (fleet.folder / "access.log").read_text().splitlines():
                entry = json.loads(line)
                if (moment := when(entry)) >= since:
                    yield entry["machine"], moment

    # The agent

    def start_agent(self, *flags):
        trust = ["--bmc-ca-file", self.folder / "ca.pem"] if self.protocol == "redfish" else []
        self.agent = self.processes.start("ingot-agent", [
            self.programs / "ingot-agent", "--server", f"tcp://127.0.0.1:{self.port}", "--server-key", self._server_key(),
            "--data-dir", self.folder / "agent", "--name", AGENT, "--log-level", "warn", "--metrics-addr",
            f"127.0.0.1:{self.metrics_port}", *trust, *flags])

    def approve_agent(self):
        def fingerprint():
            agents = self.api.call("GET", AGENTS)["items"]
            return agents and agents[0].get("status", {}).get("fingerprint")

        known = until(20, "the agent shows up", fingerprint)
        self.api.merge(f"{AGENTS}/{AGENT}", {"spec": {"approved": True, "fingerprint": known, "allHosts": True}})

    def stop_agent(self):
        self.processes.end(self.agent)
        self.agent = None

    def restart_agent(self, *flags):
        self.stop_agent()
        self.start_agent(*flags)

    def agent_status(self) -> dict:
        return self.api.call("GET", f"{AGENTS}/{AGENT}").get("status", {})

    def agent_metrics(self) -> dict[str, float]:
        """By name with labels; nothing while it starts."""
        try:
            with NO_PROXY.open(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=30) as answer:
                lines = answer.read().decode().splitlines()
        except OSError:
            return {}
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}

    def wait_for_events(self):
        """Until every BMC pushes its events."""
        until(READY_SECONDS, "all events are followed",
              lambda: self.agent_metrics().get('ingot_agent_event_streams{state="open"}') == self.count)

    def wait_for_leases(self):
        """Until the agent may change every host."""
        until(READY_SECONDS, "the agent may change all hosts",
              lambda: self.agent_metrics().get("ingot_agent_hosts_acting") == self.count)

    def settle(self, seconds: float):
        time.sleep(max(0, seconds))
        self.processes.check()

    def agent_memory_mib(self) -> float:
        return memory_mib(self.agent.pid, "VmRSS")

    def agent_cpu_percent(self, seconds: float) -> float:
        """Of a core, from now on, with the programs that it runs."""
        before, begun = cpu_seconds(self.agent.pid, with_children=True), time.monotonic()
        self.settle(seconds)
        return 100 * (cpu_seconds(self.agent.pid, with_children=True) - before) / (time.monotonic() - begun)

    # The hosts

    def create_hosts(self, online: bool = False, inspected: bool = False):
        """Returns once each is available and its power as wished."""
        self.watch = HostWatch(self.api)
        machines = [each for _, each in self.machines.values()]
        for first in range(0, self.count, HOSTS_A_BATCH):
            batch = machines[first:first + HOSTS_A_BATCH]
            with concurrent.futures.ThreadPoolExecutor(CREATED_AT_ONCE) as pool:
                list(pool.map(lambda some: self._create(some, online, inspected),
                              [batch[each::CREATED_AT_ONCE] for each in range(CREATED_AT_ONCE)]))
            wanted = first + len(batch)
            until(READY_SECONDS, f"{wanted} hosts are available and as wished",
                  lambda: self.watch.look(lambda: self._are_ready(wanted, online)))

    def _create(self, machines, online, inspected):
        api = Api(self.kubeconfig())
        for each in machines:
            secret, host = manifests(each, online, inspected)
            api.call("POST", SECRETS, secret)
            api.call("POST", HOSTS, host)

    def _are_ready(self, count: int, online: bool):
        states = list(self.watch.states.values())
        return self.watch.count("on" if online else "off") == count and states.count("available") == count


@contextlib.contextmanager
def site_with_hosts(programs, count, agent_flags=(), online=False, **how):
    with Site(programs, count, **how) as site:
        site.start_agent(*agent_flags)
        site.approve_agent()
        site.create_hosts(online)
        yield site
