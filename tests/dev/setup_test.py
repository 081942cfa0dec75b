"""./dev setup: nothing to do is nothing done; what is missing is installed once, and a failure names its log."""
import resource
import unittest

from checkout import Checkout


def seconds_of_children():
    """What programs that have ended took of the processor: a busy machine lets them wait for it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Setup(Checkout):
    def test_with_nothing_missing_runs_no_apt_pip_or_go_and_takes_less_than_two_seconds(self):
        self.everything_is_installed()
        for words in (["setup"], ["setup", "kubernetes", "cluster-api", "redfish", "promql"]):
            self.calls.write_text("")
            before = seconds_of_children()
            done = self.dev(*words)
            with self.subTest(words):
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
                self.assertLess(seconds_of_children() - before, 2)
                self.assertEqual({call.split()[0] for call in self.called()}, {"dpkg-query"})

    def test_missing_packages_are_named_to_apt_and_to_nobody_else(self):
        self.everything_is_installed(but=("mtools", "ipmitool"))
        self.program("id", "echo 0")
        self.program("apt-get", "exit 0")
        done = self.dev("setup")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([call for call in self.called() if call.startswith("apt-get")],
                         ["apt-get update", "apt-get install -y -q --no-install-recommends ipmitool mtools"])

    def test_a_failing_apt_shows_its_last_words_and_its_log(self):
        self.everything_is_installed(but=("mtools",))
        self.program("id", "echo 0")
        self.program("apt-get", '[ "$1" = update ] || { echo "E: Unable to locate package mtools" >&2; exit 100; }')
        done = self.dev("setup")
        self.assertEqual(done.returncode, 100)
        self.assertIn("E: Unable to locate package mtools", done.stderr)
        self.assertRegex(done.stderr, r"Debian packages failed after \d+ s; all that it said is in build/log/setup-packages.log")
        self.assertIn("Unable to locate", (self.root / "build/log/setup-packages.log").read_text())

    def test_a_failing_go_names_its_log_and_leaves_no_stamp(self):
        self.everything_is_installed()
        self.program("go", 'case $1 in env) echo go1.26.8;; *) echo "go: no such module" >&2; exit 1;; esac')
        stamp = self.root / ".cache/peers/bin/.kubectl.stamp"
        stamp.unlink()
        done = self.dev("setup")
        self.assertEqual(done.returncode, 1)
        self.assertIn("go: no such module", done.stderr)
        self.assertRegex(done.stderr, r"kubectl v1\S+ failed after \d+ s; all that it said is in build/log/setup-kubectl.log")
        self.assertFalse(stamp.exists())

    def test_go_tells_of_its_downloads_in_the_log_only(self):
        self.everything_is_installed()
        self.program("go", """case $1 in
            env) echo go1.26.8 ;;
            list) echo 'go: downloading k8s.io/api v1' >&2; printf 'a\\nb\\n' ;;
            build) while [ "$1" != -o ]; do shift; done; echo 'k8s.io/api' >&2; touch "$2" ;;
        esac""")
        (self.root / ".cache/peers/bin/.kubectl.stamp").unlink()
        done = self.dev("setup")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertNotIn("downloading", done.stderr)
        self.assertIn("go: downloading k8s.io/api v1", (self.root / "build/log/setup-kubectl.log").read_text())
        self.assertTrue((self.root / ".cache/peers/bin/kubectl").exists())


if __name__ == "__main__":
    unittest.main()
