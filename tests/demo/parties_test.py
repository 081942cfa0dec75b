"""The programs of a demo as it starts, asks and stops them: what is told when one is late, silent, stubborn or wrong."""
import pathlib
import shutil
import signal
import socket
import tempfile
import time
import unittest
from unittest import mock

import parts  # noqa: F401  (it finds the demo's modules)

import ports
import processes
from failure import Failure
from fleet import Fleet
from ingot import PROGRAMS, Ingot
from ironic import Ironic, step_of
from ports import free_port, is_free
from processes import Processes, alive


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-parties-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.processes = Processes(self.folder)
        self.addCleanup(self.processes.stop)
        self.addCleanup(setattr, processes, "STOP_SECONDS", processes.STOP_SECONDS)


class AProgram(Folder):
    def test_that_is_late_is_told_with_what_it_was_waited_for(self):
        process = self.processes.start("ironic", ["sleep", "100"])
        with self.assertRaises(Failure) as found:
            process.wait_until(lambda: None, 0, "serving its API")
        self.assertEqual((str(found.exception), found.exception.log),
                         ("ironic: serving its API did not happen within 0 s", self.folder / "ironic.log"))

    def test_that_ends_while_it_is_waited_for_is_told_at_once(self):
        process = self.processes.start("ironic", ["sh", "-c", "echo port taken; exit 2"])
        with self.assertRaisesRegex(Failure, "^ironic ended with exit code 2: port taken$"):
            process.wait_until(lambda: None, 60, "serving its API")

    def test_that_ends_in_silence_is_told_so(self):
        process = self.processes.start("ironic", ["false"])
        process.child.wait()
        with self.assertRaisesRegex(Failure, "^ironic ended with exit code 1: it said nothing$"):
            self.processes.check()

    def test_that_is_killed_is_told_by_its_signal(self):
        process = self.processes.start("ingot-agent", ["sleep", "100"])
        process.child.send_signal(signal.SIGKILL)
        process.child.wait()
        with self.assertRaisesRegex(Failure, "^ingot-agent ended with exit code -9: "):
            self.processes.check()

    def test_that_minds_no_sigterm_is_killed_with_what_it_started(self):
        processes.STOP_SECONDS = 0.2
        process = self.processes.start("stubborn", ["sh", "-c", "trap '' TERM; sleep 100 & echo $!; while :; do wait; done"])
        child = int(process.wait_until(lambda: process.log.read_text(), 60, "starting its child"))
        self.processes.stop()
        self.assertFalse(alive(process.pid))
        end = time.monotonic() + 60   # a busy machine carries out a SIGKILL a little later
        while alive(child) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertFalse(alive(child))

    def test_knows_how_much_memory_it_took(self):
        process = self.processes.start("sleep", ["sleep", "100"])
        self.assertGreater(process.wait_until(process.peak_mib, 60, "running"), 0)
        process.child.kill()
        process.child.wait()
        self.assertEqual(process.peak_mib(), 0)


class AFreePort(unittest.TestCase):
    def test_is_none_that_the_kernel_gives_to_clients(self):
        first = int(ports.PORT_RANGE.read_text().split()[0])
        for _ in range(20):
            port = free_port()
            self.assertTrue(ports.FIRST_PORT <= port < first, port)

    def test_is_taken_by_nobody(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.assertFalse(is_free("127.0.0.1", taken.getsockname()[1]))

    def test_is_given_once_and_one_server_may_listen_there(self):
        port = free_port()
        self.assertFalse(is_free("127.0.0.1", port))
        with socket.create_server(("127.0.0.1", port)), self.assertRaises(OSError):
            socket.create_server(("127.0.0.1", port)).close()


class TheParties(Folder):
    def test_a_simulator_that_does_not_answer(self):
        fleet = Fleet("ingot-sim", self.processes, self.folder)
        fleet.url, fleet.process = f"http://127.0.0.1:{free_port()}", parts.Logged("ingot-sim.log")
        with self.assertRaises(Failure) as found:
            fleet.mark()
        self.assertRegex(str(found.exception), "^the simulator does not answer GET /control/journal")
        self.assertEqual(found.exception.log, "ingot-sim.log")

    def test_a_node_that_ironic_does_not_have(self):
        ironic = Ironic(self.folder, self.processes, self.folder)
        ironic.process = parts.Logged("ironic.log")
        with self.assertRaisesRegex(Failure, "^Ironic has no node for node-1$"):
            ironic.power_syncs("node-1")

    def test_ingotctl_that_fails_is_told_with_its_words(self):
        for name in PROGRAMS:
            (self.folder / name).write_text("#!/bin/sh\necho 'host node-9 not found' >&2\nexit 1\n")
            (self.folder / name).chmod(0o755)
        with self.assertRaisesRegex(Failure, "^ingotctl power off node-9: host node-9 not found$"):
            Ingot(self.folder, self.processes, self.folder).ctl("power", "off", "node-9")

    def test_what_ironic_does_is_said_in_its_own_words(self):
        node = {"provision_state": "clean wait", "target_provision_state": "available", "target_power_state": None, "reservation": None}
        for more, said in (({"clean_step": {"step": "erase_devices_metadata"}}, "clean wait: erase_devices_metadata"),
                           ({"clean_step": {}}, "clean wait"), ({"deploy_step": {"step": "write_image"}}, "clean wait"),
                           ({"provision_state": "active", "target_provision_state": None}, "")):
            self.assertEqual(step_of({**node, **more}), said)


class OldRuns(Folder):
    def test_all_but_the_youngest_go_and_those_that_still_run_stay(self):
        import stage
        for number in range(5):
            (self.folder / f"2026010{number}-000000-1").mkdir()
        kept = Processes(self.folder / "20260100-000000-1")
        self.addCleanup(kept.stop)
        # The kernel shows a new program's arguments a moment after its start.
        kept.start("ingot-sim", ["sh", "-c", "sleep 100; true", f"{kept.folder}/x"]).wait_until(
            lambda: processes.running(kept.folder), 60, "showing its arguments")
        fresh = stage.new_run_folder(self.folder)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir() if path.is_dir() and not path.is_symlink()),
                         ["20260100-000000-1", "20260103-000000-1", "20260104-000000-1", fresh.name])
        self.assertEqual((self.folder / "latest").resolve(), fresh.resolve())

    def test_a_death_while_the_list_of_programs_is_written_forgets_none_of_before(self):
        arguments = ["sh", "-c", "sleep 100; true", f"{self.folder}/x"]
        first = self.processes.start("ingot-sim", arguments)
        first.wait_until(lambda: processes.running(self.folder), 60, "showing its arguments")
        whole = pathlib.Path.write_text

        def half(path, text):
            whole(path, text[:len(text) // 2])
            raise KeyboardInterrupt

        with mock.patch.object(pathlib.Path, "write_text", half), self.assertRaises(KeyboardInterrupt):
            self.processes.start("ironic", arguments)
        self.assertEqual(processes.running(self.folder), [("ingot-sim", first.pid)])


if __name__ == "__main__":
    unittest.main()
