"""How a demo ends: what the audience reads, which exit code a caller gets, and that nothing is left running."""
import contextlib
import importlib.util
import io
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import parts
from leftovers import left_running
from screen import Screen, run_on_terminal

from failure import Failure
from processes import Processes, running

spec = importlib.util.spec_from_file_location("demo_main", parts.DEMO / "__main__.py")
main = importlib.util.module_from_spec(spec)
spec.loader.exec_module(main)

PYTHON = "/usr/bin/python3"
PROGRAMS = ("ingot-coordinator", "ingot-agent", "ingotctl", "ingot-sim")


class Folder(unittest.TestCase):
    """A folder for runs, one with stand-ins for Ingot's programs, and the manifests of the examples."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-endings-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.runs, self.programs = self.folder / "runs", self.folder / "bin"
        self.programs.mkdir()
        for name in PROGRAMS:
            self.program(name, "sleep 1000; true")

    def program(self, name, does):
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{does}\n")
        path.chmod(0o755)

    def arguments(self, *more):
        return ["--programs", str(self.programs), "--runs", str(self.runs), *more]

    def latest(self):
        return (self.runs / "latest").resolve()


class InProcess(Folder):
    """main() with a play of the test's choice."""

    def run_main(self, play, *more):
        out, err, kept = io.StringIO(), io.StringIO(), (main.play, sys.argv)
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        main.play, sys.argv = play, ["demo", *self.arguments(*more)]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                self.code = main.main()
        finally:
            main.play, sys.argv = kept
            for number, handler in handlers.items():
                signal.signal(number, handler)
        self.out, self.err = out.getvalue(), err.getvalue()

    def program_of(self, stage):
        return stage.processes.start("sleeper", ["sleep", "1000"]).pid

    def test_a_failure_is_one_sentence_with_the_log_to_read_and_exit_code_1(self):
        pids = []

        def play(stage, _):
            pids.append(self.program_of(stage))
            raise Failure("node-1 did not stay off", stage.folder / "ironic.log")

        self.run_main(play)
        self.assertEqual(self.code, 1)
        self.assertEqual(self.err, f"\ndemo: node-1 did not stay off; read {self.latest()}/ironic.log\n")
        self.assertFalse(pathlib.Path(f"/proc/{pids[0]}").exists())

    def test_a_failure_without_a_log_names_the_folder_of_the_run(self):
        def play(*_):
            raise Failure("the Kubernetes API refuses PATCH")

        self.run_main(play)
        self.assertEqual(self.err, f"\ndemo: the Kubernetes API refuses PATCH; logs are in {self.latest()}\n")

    def test_a_mistake_of_the_demo_itself_is_told_as_one_and_written_down(self):
        def play(*_):
            raise KeyError("uuid")

        self.run_main(play)
        log = self.latest() / "demo.log"
        self.assertEqual((self.code, self.err), (1, f"\ndemo: the demo itself is at fault; read {log}\n"))
        self.assertIn("KeyError: 'uuid'", log.read_text())

    def test_ctrl_c_says_that_everything_was_stopped(self):
        pids = []

        def play(stage, _):
            pids.append(self.program_of(stage))
            raise KeyboardInterrupt

        self.run_main(play)
        self.assertEqual((self.code, self.err), (1, "\ndemo: interrupted; everything was stopped\n"))
        self.assertFalse(pathlib.Path(f"/proc/{pids[0]}").exists())

    def test_a_failure_keeps_the_disks_for_who_looks_into_it_and_a_success_does_not(self):
        def play(fails):
            def scene(stage, _):
                (stage.folder / "sim/disks").mkdir(parents=True)
                if fails:
                    raise Failure("no")
            return scene

        for fails in (True, False):
            with self.subTest(fails=fails):
                self.run_main(play(fails))
                self.assertEqual((self.code, (self.latest() / "sim/disks").exists()), (int(fails), fails))
                shutil.rmtree(self.runs)

    def test_a_failure_with_keep_leaves_nothing_running(self):
        pids = []

        def play(stage, _):
            pids.append(self.program_of(stage))
            raise Failure("no")

        self.run_main(play, "--keep")
        self.assertEqual(self.code, 1)
        self.assertFalse(pathlib.Path(f"/proc/{pids[0]}").exists())

    def test_it_begins_by_saying_where_its_logs_are(self):
        self.run_main(lambda *_: None)
        self.assertTrue(self.out.startswith(f"Logs of this run: {self.latest()}\n"), self.out)


class AsAProgram(Folder):
    """`python3 tools/demo` with stand-ins for Ingot's programs."""

    def play(self, *more, **options):
        return subprocess.run([PYTHON, parts.DEMO, *self.arguments(*more)], capture_output=True, text=True, timeout=300, check=False,
                              **options)

    def fails(self, words, *more):
        done = self.play(*more)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn(f"\ndemo: {words}", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def test_a_program_that_was_not_built(self):
        (self.programs / "ingot-agent").unlink()
        self.fails(f"{self.programs}/ingot-agent is missing: build it with './dev build release'")

    def test_a_program_that_ends_is_named_with_its_last_words(self):
        self.program("ingot-sim", "echo starting; echo no port is free; exit 3")
        done = self.fails("ingot-sim ended with exit code 3: no port is free; read ")
        self.assertEqual(pathlib.Path(done.stderr.split("; read ")[1].strip()).read_text(), "starting\nno port is free\n")

    def test_manifests_without_a_host(self):
        (self.folder / "none").mkdir()
        self.fails(f"{self.folder}/none holds no BareMetalHost", "--manifests", str(self.folder / "none"))

    def test_hosts_that_nobody_knows(self):
        self.fails("the demo needs a host with a redfish:// address; it has none", "--hosts", "node-99")

    def test_only_hosts_that_cannot_play_the_part(self):
        self.fails("the demo needs a host with a redfish:// address; it has node-4", "--hosts", "node-4")

    def interrupted_by(self, number):
        child = subprocess.Popen([PYTHON, parts.DEMO, *self.arguments()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        while "1. Simulated servers" not in child.stdout.readline():
            self.assertIsNone(child.poll())
        while not (self.runs / "latest/processes.json").exists():   # the simulator's stand-in has been started
            self.assertIsNone(child.poll())
        child.send_signal(number)
        _, err = child.communicate(timeout=300)
        self.assertEqual(left_running(self.latest()), [])
        return child.returncode, err

    def test_sigint_sigterm_and_sighup_stop_everything(self):
        self.assertEqual(self.interrupted_by(signal.SIGINT), (1, "\ndemo: interrupted; everything was stopped\n"))
        for number in (signal.SIGTERM, signal.SIGHUP):
            shutil.rmtree(self.runs)
            self.assertEqual(self.interrupted_by(number)[0], 1)

    def test_stop_with_nothing_kept(self):
        done = self.play("--stop")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "nothing was running\n", ""))

    def test_stop_ends_what_a_run_has_kept_and_nothing_else(self):
        bystander = subprocess.Popen(["sleep", "1000"])
        self.addCleanup(bystander.wait)
        self.addCleanup(bystander.kill)
        kept = Processes(self.runs / "one")
        kept.folder.mkdir(parents=True)
        process = kept.start("ingot-sim", [self.programs / "ingot-sim", kept.folder / "x"])
        process.wait_until(lambda: running(kept.folder), 60, "showing its arguments")
        threading.Thread(target=process.child.wait, daemon=True).start()
        done = self.play("--stop")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "stopped ingot-sim\n", ""))
        self.assertEqual(left_running(kept.folder), [])
        self.assertIsNone(bystander.poll())

    def test_what_threads_start_side_by_side_is_kept(self):
        """Also where they are many, and one is interrupted anywhere."""
        interval = sys.getswitchinterval()
        self.addCleanup(sys.setswitchinterval, interval)
        sys.setswitchinterval(1e-6)
        kept, started = Processes(self.runs / "one"), []
        kept.folder.mkdir(parents=True)
        self.addCleanup(kept.stop)

        def start(number):
            for turn in range(8):
                started.append(kept.start(f"{number}-{turn}", [self.programs / "ingot-sim", kept.folder / "x"]).pid)
        threads = [threading.Thread(target=start, args=(number,)) for number in range(24)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual(192, len(started))
        self.assertEqual(sorted(started), sorted(pid for _, pid in running(kept.folder)))

    def test_on_a_terminal_headings_are_bold_and_the_error_comes_last(self):
        self.program("ingot-sim", "echo no port is free; exit 3")
        code, said = run_on_terminal([PYTHON, parts.DEMO, *self.arguments()])
        screen = Screen().write(said)
        self.assertEqual(code, 1)
        self.assertIn("1", screen.colours)
        self.assertIn("1. Simulated servers", screen.shown())
        self.assertTrue(screen.shown()[-1].startswith("demo: ingot-sim ended with exit code 3: no port is free; read "))


if __name__ == "__main__":
    unittest.main()
