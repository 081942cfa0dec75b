"""Limits on a busy machine, by what the kernel counts there."""
import http.client
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

import parts  # noqa: F401  (it finds the demo's modules)

import patience
from failure import Failure, Unanswered
from hosts import Hosts
from kube import is_for_now
from patience import Stopwatch, within


class AStopwatch(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-patience-"))
        self.addCleanup(shutil.rmtree, folder)
        self.cpu, self.io = folder / "cpu", folder / "io"
        self.now = 0
        for patch in (mock.patch.object(patience, "PRESSURE", [self.cpu, self.io]),
                      mock.patch("patience.time.monotonic", lambda: self.now)):
            patch.start()
            self.addCleanup(patch.stop)
        self.kernel_says(7, 1)

    def kernel_says(self, cpu, io):
        for file, seconds in ((self.cpu, cpu), (self.io, io)):
            file.write_text(f"some avg10=0.00 avg60=0.00 avg300=0.00 total={seconds * 1000000}\n"
                            "full avg10=0.00 avg60=0.00 avg300=0.00 total=99\n")

    def over_at(self, now, limit):
        self.now = now
        return self.watch.over(limit)

    def test_on_an_idle_machine_holds_to_the_limit(self):
        self.watch = Stopwatch()
        self.assertFalse(self.over_at(10, 10))
        self.assertTrue(self.over_at(10.1, 10))

    def test_on_a_busy_machine_gives_what_was_waited_for_cores_and_disks(self):
        self.watch = Stopwatch()
        self.kernel_says(7 + 4, 1 + 2)
        self.assertFalse(self.over_at(16, 10))
        self.assertTrue(self.over_at(16.1, 10))

    def test_does_not_wait_for_ever(self):
        self.watch = Stopwatch()
        self.kernel_says(1000, 1000)
        self.assertFalse(self.over_at(60, 10))
        self.assertTrue(self.over_at(60.1, 10))

    def test_gives_most_where_the_kernel_counts_nothing(self):
        self.cpu.unlink()
        self.watch = Stopwatch()
        self.assertFalse(self.over_at(59, 10))
        self.assertTrue(self.over_at(61, 10))

    def test_of_this_machine_goes_on(self):
        self.assertGreaterEqual(patience.stalled() or 0, 0)


class Waiting(unittest.TestCase):
    def test_asks_again_whoever_gives_no_answer(self):
        for trouble in (ConnectionRefusedError("nobody"), http.client.IncompleteRead(b""), subprocess.TimeoutExpired("x", 1),
                        Unanswered("a storage that is late")):
            with self.subTest(type(trouble)):
                answer, _ = within(60, "it answers", mock.Mock(side_effect=[trouble, trouble, "here"]))
                self.assertEqual("here", answer)

    def test_tells_at_the_end_why_there_was_no_answer_and_what_a_describer_can(self):
        def describe():
            return {}["of a status"]
        with self.assertRaisesRegex(AssertionError, r"^not within -1 s: it answers \(KeyError\('of a status'\); nobody\)$"):
            within(-1, "it answers", mock.Mock(side_effect=OSError("nobody")), describe)

    def test_ends_with_what_no_waiting_mends(self):
        for trouble in (Failure("refused"), AssertionError("a breach"), KeyError("status")):
            with self.subTest(type(trouble)), self.assertRaises(type(trouble)):
                within(60, "it answers", mock.Mock(side_effect=trouble))

    def test_knows_of_an_api_what_is_for_now(self):
        for status, message, for_now in ((503, "", True), (504, "", True), (500, "etcdserver: request timed out", True), (409, "", False),
                                         (500, "conversion webhook for x failed", True), (500, "a bug", False), (403, "webhook", False)):
            with self.subTest(status=status, message=message):
                self.assertEqual(for_now, is_for_now(status, json.dumps({"message": message}).encode()))


class AHost(unittest.TestCase):
    def test_that_was_off_for_a_moment_is_seen_afterwards(self):
        hosts = Hosts.__new__(Hosts)
        hosts.now, hosts.states, hosts.since, hosts.changes, hosts.began = {}, {}, {}, [], 0
        hosts.changed, hosts.processes = mock.MagicMock(), parts.Processes()
        for on in (True, False, True):
            hosts.note({"metadata": {"name": "a"}, "spec": {}, "status": {
                "provisioning": {"state": "provisioned"}, "poweredOn": on}})
        hosts.wait_for_change("a", lambda host: not host.powered_on, 0, "off", since=1)
        with self.assertRaises(Failure):
            hosts.wait_for_change("a", lambda host: not host.powered_on, 0, "off", since=2)


if __name__ == "__main__":
    unittest.main()
