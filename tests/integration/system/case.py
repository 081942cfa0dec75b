"""What every system test starts from: a world of its own, and at the end the checks that hold for all of them."""
import pathlib
import shutil
import tempfile
import unittest

import endings
import leaks
from patience import within
from world import World

programs = None   # set by run.py


class LoggedTest(unittest.TestCase):
    """Has a folder of its own, which is kept when the test fails. No log in it may hold a secret."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-system-"))
        self.addCleanup(self._put_away)

    def _failed(self):
        result = self._outcome.result
        return any(test is self for test, _ in result.errors + result.failures)

    def _put_away(self):
        found = leaks.secrets_in_logs(self.folder)
        if found or self._failed():
            kept = self.folder.with_name(self.folder.name + "-failed")
            self.folder.rename(kept)
            print(f"logs are kept in {kept}", flush=True)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.assertEqual([], found)


class SystemTest(LoggedTest):
    """`self.world` runs simulated servers and a coordinator; agents are started by the test."""

    world_type = World
    machines = 3
    timing = {"powerOn": 200, "powerOff": 200, "softOff": 300, "boot": 200}

    def setUp(self):
        super().setUp()
        self.world = self.world_type(programs, self.folder, self.machines, self.timing)
        self.addCleanup(self.world.stop)
        self.world.start()

    def tearDown(self):
        if self._failed():
            return
        leaks.nothing_leaks(self.world)
        endings.all_end_well(self.world)

    def wait_for_power(self, on, *names, seconds):
        """Until each of these servers is on (off), and the API says so."""
        within(seconds, f"{', '.join(names)}: {'on' if on else 'off'}, and said to be", lambda: self.world.switched(on, names),
               self.world.hosts.standing)
