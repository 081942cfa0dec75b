"""A thousand servers behind two agents, with the release programs: how soon all is known, switched and taken over."""
import signal
import time
import urllib.request

import audit
import manifests
import records
from case import SystemTest
from kube import hosts_path
from patience import within
from ports import free_port
from world import NAMESPACE, PASSWORD, USERNAME, World

SERVERS = 1000
KNOWN = 15      # seconds from the last manifest until the power of all is known
SWITCHED = 60   # … from the last wish until each is as wished
LOST = 3        # … until the loss of a server's input power is shown: BMCs push it; polls alone take up to five
PUSHED = 120    # … until every BMC's events are followed
TAKEN_OVER = 45  # … from the death of an agent until what it served is as wished: its leases last 15


class Large(World):
    """Without Ironic, with BMCs of all vendors, logs that a thousand servers do not flood, and agents that show their metrics."""

    personalities = ("plain", "idrac9", "idrac10", "ilo5", "ilo6", "xcc", "supermicro", "openbmc", "ami")

    def __init__(self, *how):
        super().__init__(*how)
        self.metrics_ports = {}

    def coordinator_command(self):
        command = super().coordinator_command()
        command[command.index("fixture")] = "agent"
        return ["info" if word == "debug" else word for word in command]

    def agent_command(self, name, folder=None, port=None):
        self.metrics_ports[name] = free_port()
        command = [*super().agent_command(name, folder, port), "--metrics-addr", f"127.0.0.1:{self.metrics_ports[name]}",
                   "--events-url", f"https://127.0.0.1:{free_port()}"]   # some BMCs have no stream
        return ["info" if word == "debug" else word for word in command]

    def agent_metric(self, name, metric):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_ports[name]}/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
        return next((float(line.split()[-1]) for line in lines if line.startswith(metric + " ")), 0)


class Thousand(SystemTest):
    machines = SERVERS
    world_type = Large

    def setUp(self):
        super().setUp()
        for name in ("east", "west"):
            self.world.start_agent(name)

    def test_all_are_known_switched_lost_and_taken_over_and_nothing_is_done_twice(self):
        world = self.world
        for name in world.names:
            manifest = manifests.host(name, world.fleet.machines[name], False, image=False, inspectionMode="disabled",
                                      automatedCleaningMode="disabled")
            world.kube.call("POST", f"/api/v1/namespaces/{NAMESPACE}/secrets", manifests.secret(name, USERNAME, PASSWORD))
            world.kube.call("POST", hosts_path(NAMESPACE), manifest)
        self.timed("the power of all is known", KNOWN, lambda: self.all_are("off") and self.states() == {"available"})

        mark = world.fleet.mark()
        self.wish(world.names, True)
        self.timed("all are on", SWITCHED, lambda: self.all_are("on"))
        records.one_command_each(world, world.names, mark, "online: True")
        self.assertEqual(set(), {host.name for host in world.hosts.now.values() if host.error})

        self.timed("all BMCs push their events", PUSHED, lambda: self.pushed() == SERVERS)
        unplugged = world.names[::100]
        for name in unplugged:
            world.fleet.set_fault(name, "cord-out", True)
        self.timed("a server without input power is shown as off", LOST,
                   lambda: all(world.hosts.now[name].power == "off" for name in unplugged))
        for name in unplugged:
            world.fleet.set_fault(name, "cord-out", False)
        self.timed("and is on again", SWITCHED, lambda: self.all_are("on"))

        shares = [world.agent(name)["status"]["hosts"] for name in ("east", "west")]
        self.assertEqual(SERVERS, sum(shares))
        self.assertEqual(shares, [world.agent_metric(name, "ingot_agent_hosts") for name in ("east", "west")])
        self.assertGreater(min(shares), SERVERS // 4, shares)
        mark = world.fleet.mark()
        world.signal(world.agents["west"], signal.SIGKILL)
        self.wish(world.names, False)
        self.timed("all are off, by the agent that is left", TAKEN_OVER, lambda: self.all_are("off"))
        records.one_command_each(world, world.names, mark, "online: False")
        records.nothing_twice(world)
        # Where there was no power to switch a BMC refuses; and some take a subscription only without VerifyCertificate or
        # with EventTypes, which the agent learns by being refused.
        strays = [entry for entry in world.fleet.journal() if entry["kind"] == "request" and not audit.accepted(entry)
                  and entry["machine"] not in unplugged and entry["action"] != "subscribe"]
        self.assertEqual([], strays[:3], f"{len(strays)} in all")

    def timed(self, what, limit, holds):
        begun = time.monotonic()
        within(limit, what, holds, self.standing)
        print(f"{what}: {time.monotonic() - begun:.1f} s", flush=True)

    def pushed(self):
        return sum(self.world.agent_metric(name, 'ingot_agent_event_streams{state="open"}') for name in ("east", "west"))

    def wish(self, names, on):
        for name in names:
            self.world.set_online(name, on)

    def all_are(self, power):
        hosts = self.world.hosts.now
        return len(hosts) == SERVERS and all(host.power == power for host in hosts.values()) and self.really(power == "on")

    def really(self, on):
        return all(is_on is on for is_on in self.world.power().values())

    def states(self):
        return {host.state for host in self.world.hosts.now.values()}

    def standing(self):
        hosts = self.world.hosts.now.values()
        counts = {}
        for host in hosts:
            counts[(host.state, host.power, host.error)] = counts.get((host.state, host.power, host.error), 0) + 1
        return "; ".join(f"{count} × {' '.join(key)}" for key, count in sorted(counts.items(), key=lambda each: -each[1])[:6])
