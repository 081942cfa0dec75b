"""Lines of progress: what, how much of it, for how long; one that repaints itself on a terminal, one a minute elsewhere."""
import select
import subprocess
import unittest

from checkout import Checkout
from screen import Screen, run_on_terminal

QUICK = "progress_tick=0.05; progress_every=0; "


class Progress(Checkout):
    def line(self, what, count, seconds):
        return self.bash(f"progress_line '{what}' '{count}' {seconds}").stdout

    def test_a_line_says_what_how_much_and_for_how_long(self):
        for what, count, seconds, line in (("build (release)", "123 480", 72, "build (release): 123 of 480, 1 min 12 s\n"),
                                           ("Go 1.26.8", "", 5, "Go 1.26.8: 5 s\n"),
                                           ("build (dev)", "0 9", 59, "build (dev): 0 of 9, 59 s\n"),
                                           ("build (dev)", "9 9", 3600, "build (dev): 9 of 9, 60 min 0 s\n")):
            self.assertEqual(self.line(what, count, seconds), line)

    def counted(self, counter, *lines):
        log = self.folder / "log"
        log.write_text("".join(line + "\n" for line in lines))
        return self.bash(f"{counter} {log}").stdout.strip()

    def test_ninja_is_read(self):
        self.assertEqual(self.counted("count_ninja"), "")
        self.assertEqual(self.counted("count_ninja", "ninja: no work to do."), "")
        self.assertEqual(self.counted("count_ninja", "[1/480] Building a.o", "[2/480] Building b.o", "a warning"), "2 480")

    def test_apt_is_read(self):
        head = ["Get:1 http://mirror InRelease", "0 upgraded, 3 newly installed, 0 to remove and 0 not upgraded."]
        gets = [f"Get:{number} http://mirror" for number in range(3)]
        rest = [f"{verb} {name} (1.0)" for verb in ("Unpacking", "Setting up") for name in "abc"]
        for lines, count in (([], ""), (head[:1], ""), (head, "0 3"), (head + gets, "1 3"), (head + gets + rest, "3 3")):
            self.assertEqual(self.counted("count_apt", *lines), count)

    def test_pip_is_read(self):
        of = (self.root / "tests/tools/ironic-constraints.txt").read_text().count("==")
        self.assertEqual(self.counted("count_pip"), f"0 {of}")
        self.assertEqual(self.counted("count_pip", "Collecting ironic==39.0.0", "  Downloading x.whl", "Collecting pbr>=2 (from ironic)",
                                      "Collecting pbr>=3 (from sushy)"), f"2 {of}")

    def test_go_is_read(self):
        self.assertEqual(self.counted("count_go", "go: downloading k8s.io/api v1"), "")
        self.assertEqual(self.counted("count_go", "go: downloading x", "packages: 3", "k8s.io/api", "go: downloading y", "k8s.io/b"), "2 3")

    def test_without_a_terminal_nothing_is_said_before_a_minute_is_over(self):
        done = self.bash("progress_tick=0.05; with_progress x what count_nothing sleep 0.5")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def steps(self, *numbers):
        """Work that goes on from step to step of four when the one before has been counted."""
        seen = self.folder / "seen"
        return (f"count_and_note() {{ count_ninja \"$1\" | tee -a {seen}; }}\n"
                f"work() {{ for n in {' '.join(map(str, numbers))}; do echo \"[$n/4] b\"; "
                f"until grep -qs \"^$n 4\" {seen}; do sleep 0.02; done; done; }}\n")

    def test_without_a_terminal_lines_come_without_control_characters(self):
        done = self.bash(QUICK + self.steps(3, 4) + "with_progress x what count_and_note work")
        lines = done.stderr.splitlines()
        self.assertGreater(len(lines), 1)
        for line in lines[:-1]:
            self.assertRegex(line, r"^what: [34] of 4, \d+ s$")
        self.assertRegex(lines[-1], r"^what: all 4, \d+ s$")
        self.assertNotIn("\x1b", done.stderr)

    def test_on_a_terminal_one_line_repaints_itself_and_one_remains(self):
        code, said = run_on_terminal(["bash", "-euo", "pipefail", "-c", ". tools/dev/common.sh;" + QUICK + self.steps(1, 2, 3, 4) +
                                      "with_progress x what count_and_note work"], self.root, self.environment())
        self.assertEqual(code, 0)
        self.assertIn("what: 2 of 4", said)
        self.assertRegex("|".join(Screen().write(said).shown()), r"^what: all 4, \d+ s$")

    def test_a_command_that_fails_gives_its_code_its_last_words_and_its_log(self):
        done = self.bash("work() { seq 100; echo no space left >&2; exit 3; }; work2() ( work ); "
                         "with_progress x what count_nothing work2; echo not reached")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        lines = done.stderr.splitlines()
        self.assertEqual(lines[-2], "no space left")
        self.assertRegex(lines[-1], r"^what failed after \d+ s; all that it said is in build/log/x.log$")
        self.assertEqual(len(lines), 21)
        self.assertEqual(len((self.root / "build/log/x.log").read_text().splitlines()), 101)

    def test_an_interrupted_command_is_not_explained(self):
        done = self.bash("work() { seq 100; return 130; }; with_progress x what count_nothing work; echo not reached")
        self.assertEqual((done.returncode, done.stdout), (130, ""))
        self.assertRegex(done.stderr, r"^what: interrupted after \d+ s\n$")

    def test_a_compiler_error_is_shown_from_its_beginning_without_what_went_well(self):
        done = self.bash("work() ( echo '[1/3] good'; echo 'FAILED: b.o'; echo 'b.cpp:1: error: no'; echo '[3/3] good'; exit 1 )\n"
                         "with_progress x what count_ninja work")
        self.assertEqual(done.stderr.splitlines()[:-1], ["FAILED: b.o", "b.cpp:1: error: no"])

    def test_a_build_that_has_nothing_to_do_says_nothing(self):
        (self.root / "build/dev").mkdir(parents=True)
        (self.root / "build/dev/build.ninja").touch()
        self.program("ninja", "echo 'ninja: no work to do.'")
        done = self.bash("build_preset dev x")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertRegex(self.called()[-1], r"ninja -C build/dev -j \d+ x")

    def test_warnings_of_the_compiler_are_not_lost(self):
        (self.root / "build/dev").mkdir(parents=True)
        (self.root / "build/dev/build.ninja").touch()
        self.program("ninja", "echo 'a.cpp:1:1: warning: unused'")
        self.assertEqual(self.bash("build_preset dev").stderr, "the compiler warns: read build/log/build-dev.log\n")

    def test_two_builds_of_a_checkout_wait_for_each_other(self):
        (self.root / "build/dev").mkdir(parents=True)
        (self.root / "build/dev/build.ninja").touch()
        work, go = self.folder / "at-work", self.folder / "go"
        self.program("ninja", f"mkdir {work} || exit 9; until [ -e {go} ]; do sleep 0.02; done; rmdir {work}")
        command = ["bash", "-euo", "pipefail", "-c", ". tools/dev/common.sh; build_preset dev"]
        both = [subprocess.Popen(command, cwd=self.root, env=self.environment(), stderr=subprocess.PIPE, text=True) for _ in range(2)]
        for build in both:
            self.addCleanup(build.stderr.close)
            self.addCleanup(build.wait, 300)
        self.addCleanup(go.touch)
        waits = select.select([build.stderr for build in both], [], [], 300)[0]   # one of them says so
        self.assertEqual([pipe.readline() for pipe in waits], ["another build (dev) is under way here: waiting for it\n"])
        go.touch()
        self.assertEqual([build.wait(300) for build in both], [0, 0])
        self.assertEqual(len(self.called()), 2)


if __name__ == "__main__":
    unittest.main()
