"""./dev demo says at its start what it will do and how long that takes."""
import unittest

from checkout import Checkout


class DemoPlan(Checkout):
    def plan(self, *missing):
        return self.bash(". tools/dev/demo_plan.sh; demo_plan " + " ".join(map(str, missing))).stdout.splitlines()

    def test_names_each_thing_that_is_missing_and_counts_its_minutes(self):
        for missing, steps, minutes in (
                ((0, 0, 0, 0), ["build the four programs, should their sources have changed"], 4),
                ((0, 0, 0, 1), ["build the four programs: the first time"], 10),
                ((12, 1, 1, 1), ["install what is missing: 12 Debian packages, Ironic (into .cache), kubectl (into .cache)",
                                 "build the four programs: the first time"], 16),
                ((0, 1, 0, 0), ["install what is missing: Ironic (into .cache)", "build the four programs, should their sources have changed"], 5)):
            with self.subTest(missing):
                said = self.plan("hosts", *missing)
                wanted = [f"  {number}. {step}" for number, step in enumerate([*steps, "the demo itself, 3 to 4 minutes"], 1)]
                self.assertEqual(said[1:-1], wanted)
                self.assertIn(f"up to {minutes} minutes", said[-1])

    def test_of_a_cluster_names_the_managers_and_their_minutes(self):
        said = self.plan("cluster", 0, 0, 1, 0)
        self.assertEqual(said[1:-1], [
            "  1. install what is missing: kube-apiserver, etcd, kubectl, Cluster API's managers (into .cache)",
            "  2. build the four programs, should their sources have changed", "  3. the demo itself, 9 to 12 minutes"])
        self.assertIn("up to 25 minutes", said[-1])

    def test_comes_before_anything_else_and_is_true(self):
        self.everything_is_installed(but=("mtools",))
        self.program("id", "echo 0")
        self.program("apt-get", "exit 100")
        done = self.dev("demo")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("1. install what is missing: 1 Debian packages\n", done.stdout)
        self.assertIn("2. build the four programs: the first time", done.stdout)

    def test_is_followed_by_the_build_and_the_demo_with_the_same_words(self):
        self.is_built_and_played(("--keep",), "demo", "Four simulated servers go ")

    def test_of_a_cluster_is_played_by_another_program(self):
        self.is_built_and_played(("cluster", "--keep"), "cluster_demo", "Five simulated servers become ")

    def is_built_and_played(self, words, folder, begins):
        self.everything_is_installed()
        (self.root / "tools" / folder).mkdir()
        (self.root / "tools" / folder / "__main__.py").write_text("import sys; print('plays', *sys.argv[1:])\n")
        self.program("cmake", "mkdir -p build/release; touch build/release/build.ninja")
        self.program("ninja")
        done = self.dev("demo", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, rf"^{begins}[\s\S]* stops everything that it started.\nplays --keep\n$")
        self.assertRegex(self.called()[-1], r"^ninja -C build/release -j \d+ ingot-coordinator ingot-agent ingotctl ingot-sim$")

    def test_a_build_that_fails_ends_it_with_the_compilers_words_and_the_log(self):
        self.everything_is_installed()
        (self.root / "build/release").mkdir(parents=True)
        (self.root / "build/release/build.ninja").touch()
        self.program("ninja", "echo 'FAILED: a.o'; echo 'a.cpp:1:1: error: no'; exit 1")
        done = self.dev("demo")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^FAILED: a.o\na.cpp:1:1: error: no\nbuild \(release\) failed after \d+ s; "
                                      r"all that it said is in build/log/build-release.log\n$")

    def test_stop_and_help_plan_build_and_install_nothing(self):
        for words in (("--stop",), ("--help",), ("cluster", "--stop"), ("cluster", "--help")):
            self.dev("demo", *words)
        self.assertEqual(self.called(), [])


if __name__ == "__main__":
    unittest.main()
