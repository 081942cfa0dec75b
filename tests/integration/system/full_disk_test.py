"""The file system of the data folder is full, for the kernel too: writes are refused, reads go on, nothing acknowledged is
lost, not even by a kill, and free space heals."""
import errno
import json
import os
import signal
import subprocess

from case import SystemTest
from failure import Failure
from world import NAMESPACE, World

SIZE_MIB = 24
MAPS = f"/api/v1/namespaces/{NAMESPACE}/configmaps"


class SmallDisk(World):
    """Its data folder lies on a file system of its own, with room for little (run.py sees to the right to mount one)."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.mount = self.folder / "disk"
        self.data = self.mount / "coordinator"

    def start(self):
        self.mount.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_MIB}m", "tmpfs", self.mount], check=True)
        super().start()

    def stop(self):
        super().stop()
        subprocess.run(["umount", self.mount], check=False)

    @property
    def filler(self):
        return self.mount / "filler"

    def fill(self):
        """To the last byte."""
        with open(self.filler, "ab", buffering=0) as out:
            for size in (1 << 20, 4096, 1):
                try:
                    while out.write(b"x" * size) == size:
                        pass
                except OSError as error:
                    assert error.errno == errno.ENOSPC, error
        assert os.statvfs(self.mount).f_bavail == 0


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
        status, answer = self.world.kube._ask("POST", MAPS, body, "application/json")
        if status == 201:
            self.stored[name] = text
        return status, json.loads(answer)

    def all_acknowledged_are_there(self):
        held = {item["metadata"]["name"]: item["data"]["text"] for item in self.world.kube.items(MAPS) if "text" in item.get("data", {})}
        self.assertEqual(self.stored, held)

    def refused_before_long(self):
        """The log may have room from before: it is used up."""
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
        """Or starts, where the log has room for its term."""
        world = self.world
        world.signal(world.coordinator, signal.SIGKILL)
        try:
            world.start_coordinator()
        except Failure as failure:
            process = world.coordinator
            world.processes.list.remove(process)
            self.assertEqual(1, process.child.wait(20), failure)
            self.assertIn("no space left on the disk of the data folder", process.last_words())
        else:
            world.signal(world.coordinator, signal.SIGKILL)
