"""The file system of a data folder is full, for the kernel too. The coordinator's: writes are refused, reads go on, nothing
acknowledged is lost, not even by a kill. An agent's: no host is commanded, all are watched, also after a kill. Free space
heals both."""
import errno
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import records
from case import SystemTest, within
from failure import Failure
from health import directly
from ports import free_port
from world import NAMESPACE, World

SIZE_MIB = 24
READY_MADE = ("/dev/shm", "/run/lock")   # a container has a small one of these, and seldom the right to mount
READY_MADE_MIB = 256   # the largest that is filled
MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"


def ready_made():
    """A folder on a small file system that somebody else mounted; Failure when there is none."""
    for place in map(pathlib.Path, READY_MADE):
        if os.path.ismount(place) and os.access(place, os.W_OK):
            stat = os.statvfs(place)
            if SIZE_MIB << 20 <= stat.f_bavail * stat.f_frsize and stat.f_blocks * stat.f_frsize <= READY_MADE_MIB << 20:
                return pathlib.Path(tempfile.mkdtemp(prefix="ingot-full-disk-", dir=place))
    raise Failure(f"no file system to fill: run this with the right to mount, or where one of {', '.join(READY_MADE)} "
                  f"has {SIZE_MIB} to {READY_MADE_MIB} MiB")


class DiskToFill(World):
    """Has a file system with room for little: one of its own where run.py may mount one."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m", "tmpfs", self.disk]
        self.mounted = subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode == 0
        if not self.mounted:
            self.disk = ready_made()

    def stop(self):
        super().stop()
        if self.mounted:
            subprocess.run(["umount", self.disk], check=False)
        else:
            shutil.rmtree(self.disk, ignore_errors=True)

    @property
    def filler(self):
        return self.disk / "filler"

    def fill(self):
        """Fills the disk to the last byte."""
        with open(self.filler, "ab", buffering=0) as out:
            while True:
                for size in (1 << 20, 4096, 1):
                    try:
                        while out.write(b"x" * size) == size:
                            pass
                    except OSError as error:
                        assert error.errno == errno.ENOSPC, error
                if os.statvfs(self.disk).f_bavail == 0:   # unless the coordinator has let go of something meanwhile
                    return


class SmallDisk(DiskToFill):
    """The coordinator's data folder lies on it."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.data = self.disk / "coordinator"


class AgentsDisk(DiskToFill):
    """The agent's data folder lies on it."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.metrics_port = free_port()

    def agent_command(self, name, folder=None, port=None):
        return [*super().agent_command(name, self.disk / "agent", port), "--metrics-addr", f"127.0.0.1:{self.metrics_port}"]

    def journal_is_writable(self):
        with directly(f"http://127.0.0.1:{self.metrics_port}/metrics", seconds=60) as answer:
            return b"ingot_agent_journal_writable 1" in answer.read()


class AgentOnAFullDisk(SystemTest):
    world_type = AgentsDisk
    machines = 3

    def test_an_agent_on_a_full_file_system_commands_nobody_watches_all_and_heals(self):
        world = self.world
        agent = world.start_agent("rack")
        for name in world.names:
            world.create_host(name)
        self.wait_for_power(True, *world.names, seconds=40)
        self.assertTrue(world.journal_is_writable())
        world.fill()
        wish, mark = self.commands_until_the_disk_takes_no_more(agent)
        self.the_user_is_told_why("m0")
        self.assertEqual([], records.power_commands(world, since=mark))
        self.assertFalse(world.journal_is_writable())
        self.a_lost_power_is_seen_all_the_same("m1")

        world.signal(agent, signal.SIGKILL)
        agent = world.start_agent("rack", approve=False)
        agent.wait_until(lambda: agent.said("this start cannot be noted"), 20, "starting on the full disk")
        self.a_lost_power_is_seen_all_the_same("m2")
        self.the_user_is_told_why("m0")
        self.assertEqual([], [entry for entry in records.power_commands(world, since=mark) if entry["sender"] == "agent"])

        world.filler.unlink()
        # A command that went down with the agent is an error, which is tried again after a while.
        within(240, "every host is as wished", lambda: world.switched(wish, ["m0"]) and world.switched(True, ["m1", "m2"]),
               world.hosts.standing)
        self.assertTrue(world.journal_is_writable())
        self.assertIsNotNone(agent.said("the journal can be written again"))
        self.assertIsNone(agent.child.poll())
        records.nothing_twice(world)

    def commands_until_the_disk_takes_no_more(self, agent):
        """The last page of the journal may have room at first. Returns what m0 is wished to be and is not, and since when."""
        world = self.world
        for wish in [False, True] * 20:
            mark = world.fleet.mark()
            world.set_online("m0", wish)
            within(20, "the wish is done, or the disk takes no more", lambda: agent.said("the journal cannot be written")
                   or world.switched(wish, ["m0"]), world.hosts.standing)
            if agent.said("the journal cannot be written"):
                if world.power()["m0"] is wish:   # only its end was not recorded
                    mark = world.fleet.mark()
                    wish = not wish
                    world.set_online("m0", wish)
                return wish, mark
        raise Failure("the disk takes ever more", agent.log)

    def the_user_is_told_why(self, name):
        self.world.hosts.wait_for(name, lambda host: "No space left on device" in host.error, 40, "told that the disk is full")

    def a_lost_power_is_seen_all_the_same(self, name):
        world = self.world
        before = len(world.hosts.changes)
        world.switch_by_hand(name, False)
        world.hosts.wait_for_change(name, lambda host: not host.powered_on, 30, "seen to be off", before)


class FullDisk(SystemTest):
    world_type = SmallDisk
    machines = 1

    def setUp(self):
        super().setUp()
        self.stored = {}

    def write(self, name, size):
        """The HTTP status, and the reason where it was refused. What was acknowledged is remembered."""
        text = (name + "-") * (size // (len(name) + 1))
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"text": text}}
        status, answer = self.world.kube.ask("POST", MAPS, body)
        if status == 201:
            self.stored[name] = text
        return status, json.loads(answer)

    def all_acknowledged_are_there(self):
        held = {item["metadata"]["name"]: item["data"]["text"] for item in self.world.kube.items(MAPS) if "text" in item.get("data", {})}
        self.assertEqual(self.stored, held)

    def refused_before_long(self):
        """Writes until a write is refused: the log may have free room at first."""
        for number in range(200):
            status, answer = self.write(f"late-{number}", 200_000)
            if status != 201:
                break
        self.assertEqual((507, "InsufficientStorage"), (status, answer.get("reason")), answer)
        self.assertIn("no space left on the disk of the data folder", answer["message"])

    def test_a_full_file_system_refuses_writes_keeps_everything_and_heals(self):
        world = self.world
        for number in range(20):
            self.assertEqual(201, self.write(f"early-{number}", 50_000)[0])
        world.fill()
        self.refused_before_long()
        self.all_acknowledged_are_there()
        self.assertIsNone(world.coordinator.child.poll())

        world.filler.unlink()
        self.assertEqual(201, self.write("between", 100_000)[0])
        self.all_acknowledged_are_there()

        world.fill()
        self.refused_before_long()
        self.killed_on_a_full_disk_it_says_why_it_cannot_start()
        world.filler.unlink()
        world.start_coordinator()
        self.all_acknowledged_are_there()
        self.assertEqual(201, self.write("afterwards", 100_000)[0])
        world.create_host("m0")
        world.hosts.wait_for("m0", lambda host: host.state == "provisioned", 30, "provisioned")

    def killed_on_a_full_disk_it_says_why_it_cannot_start(self):
        """The coordinator may also start, when the log has room for its term."""
        world = self.world
        world.signal(world.coordinator, signal.SIGKILL)
        try:
            world.start_coordinator()
        except Failure as failure:
            process = world.coordinator
            world.processes.list.remove(process)
            self.assertEqual(1, process.child.wait(120), failure)
            self.assertIn("no space left on the disk of the data folder", process.last_words())
        else:
            world.signal(world.coordinator, signal.SIGKILL)
