"""./dev test: no variable may empty a proof by accident; which suites run, and in which order."""
import re
import subprocess
import unittest

from checkout import ROOT, Checkout

READ = re.compile(r"""(?:getenv\(|environ(?:\.get\(|\[)|not in os\.environ|"|\$\{?)["']?(INGOT_[A-Z_]+)""")
HARMLESS = {"INGOT_JOBS", "INGOT_TEST_LOG"}


def variables_of_tests():
    """Every INGOT_ variable of the environment that something in tests or tools reads."""
    listed = subprocess.run(["git", "grep", "-hE", r"getenv\(|environ|\$\{?INGOT_", "--", "tests", "tools"], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout
    return {name for line in listed.splitlines() for name in READ.findall(line)}


class TestCommand(Checkout):
    def setUp(self):
        super().setUp()
        self.everything_is_installed()
        for name in ("clang-format-19", "cmake", "ninja", "clang-tidy-19"):
            self.program(name)
        self.program("ctest", f"env | grep '^INGOT_' | sort >> {self.folder}/seen; exit 0")
        for preset in ("dev", "release", "fuzz", "tsan"):
            (self.root / "build" / preset).mkdir(parents=True)
            (self.root / "build" / preset / "build.ninja").touch()
        (self.root / "tools/dev/linting.sh").write_text("lint_text() { echo texts linted; }\nlint_built() { echo linted; }\n")

    def target(self, name, does="exit 0"):
        (self.root / "tests/fuzz/corpus" / name).mkdir(parents=True)
        (self.root / "tests/fuzz/corpus" / name / "seed").touch()
        (self.root / "tests/fuzz" / f"{name}.cpp").write_text("int LLVMFuzzerTestOneInput();\n")
        self.program(f"fuzz_{name}", does, self.root / "build/fuzz/bin")

    def seen(self):
        file = self.folder / "seen"
        return set(file.read_text().split()) if file.exists() else set()

    def calls_of(self, name):
        return [call for call in self.called() if call.startswith(name)]

    def test_no_variable_that_tests_read_reaches_a_whole_run(self):
        self.target("yaml")
        names = variables_of_tests()
        self.assertLessEqual({"INGOT_MATRIX", "INGOT_SEEDS", "INGOT_VECTORS", "INGOT_PROGRAMS", "INGOT_JOBS"}, names)
        done = self.dev("test", **{name: "1" for name in names})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({line.split("=")[0] for line in self.seen()}, HARMLESS & names)
        self.assertIn("dev: INGOT_MATRIX is set and ignored: only ./dev test matrix obeys it", done.stderr)

    def test_a_variable_reaches_the_one_run_that_is_for_it(self):
        for name, what in (("INGOT_MATRIX", "matrix"), ("INGOT_SEEDS", "agents"), ("INGOT_SEEDS", "seeds"), ("INGOT_SEEDS", "fleet_seeds"),
                           ("INGOT_PROGRAMS", "demo")):
            for words, obeyed in (([what], True), (["base"], False), ([what, "base"], False)):
                (self.folder / "seen").unlink(missing_ok=True)
                with self.subTest((name, words)):
                    self.assertEqual(self.dev("test", *words, **{name: "x"}).returncode, 0)
                    self.assertEqual(f"{name}=x" in self.seen(), obeyed)

    def test_neighbours_need_the_folder_of_all_three_managers(self):
        folder, names = self.folder / "upstream", ("baremetal-operator", "cluster-api-provider-metal3", "ip-address-manager")
        for present, told in (((), "INGOT_UPSTREAM must name the folder"), (names[:2], f"no program {names[2]} in {folder}")):
            for name in present:
                self.program(name, folder=folder)
            done = self.dev("test", "neighbours", **({"INGOT_UPSTREAM": str(folder)} if present else {}))
            with self.subTest(told):
                self.assertEqual(done.returncode, 1)
                self.assertIn(told, done.stderr)
                self.assertIn(" ".join(names), done.stderr)
        self.assertEqual(self.calls_of("ninja"), [])

    def test_neighbours_are_run_from_the_folder_that_is_named(self):
        for name in ("baremetal-operator", "cluster-api-provider-metal3", "ip-address-manager"):
            self.program(name, folder=self.folder / "upstream")
        self.program("python3", f"env | grep '^INGOT_' >> {self.folder}/seen")
        done = self.dev("test", "neighbours", INGOT_UPSTREAM=f"{self.folder}/upstream", INGOT_SEEDS="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.calls_of("python3"), ["python3 tests/integration/cluster_api/run.py neighbours shadow_neighbours"])
        self.assertEqual(self.seen(), {f"INGOT_UPSTREAM={self.folder}/upstream"})

    def test_everything_runs_and_nothing_long(self):
        self.target("yaml")
        done = self.dev("test")
        self.assertEqual(done.returncode, 0, done.stderr)
        tests, = self.calls_of("ctest")
        self.assertTrue(tests.endswith("-LE ^long$"), tests)
        self.assertIn("fuzz_yaml -max_total_time=10 ", self.calls_of("fuzz_yaml")[0])
        self.assertTrue(any(re.search(r"build/release .*all matrix_tests seeds_tests fleet_seeds_tests$", call) for call in self.calls_of("ninja")))

    def test_what_the_texts_alone_show_ends_the_run_before_the_build(self):
        (self.root / "tools/dev/linting.sh").write_text("lint_text() { return 3; }\nlint_built() { :; }\n")
        self.assertEqual(self.dev("test").returncode, 3)
        self.assertEqual(self.calls_of("ninja"), [])

    def test_a_test_that_fails_fails_the_run(self):
        self.target("yaml")
        self.program("ctest", "exit 8")
        self.assertEqual(self.dev("test").returncode, 8)

    def test_a_fuzz_target_that_breaks_fails_the_run_by_name_and_the_others_run(self):
        self.target("json", "echo 'ERROR: AddressSanitizer' >&2; exit 77")
        self.target("yaml")
        done = self.dev("test")
        self.assertEqual(done.returncode, 1)
        self.assertIn("dev: inputs that break these are in .cache/fuzz: json", done.stderr)
        self.assertIn("ERROR: AddressSanitizer", done.stderr)
        self.assertEqual(len(self.calls_of("fuzz_yaml")), 1)
        self.assertEqual(self.calls_of("ctest"), [])

    def test_a_fuzz_target_without_seeds_is_a_mistake(self):
        self.target("yaml")
        (self.root / "tests/fuzz/corpus/yaml/seed").unlink()
        done = self.dev("test")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the fuzz target 'yaml' has no seeds in tests/fuzz/corpus/yaml", done.stderr)

    def test_long_gives_each_target_five_minutes_and_runs_tsan_and_what_is_labelled_so(self):
        for name in ("json", "yaml"):
            self.target(name)
        for part in ("base", "net", "wire", "kube", "apiserver"):
            self.program(f"{part}_tests", folder=self.root / "build/tsan/bin")
        done = self.dev("test", "long")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([call.split()[:2] for call in sorted(self.calls_of("fuzz_"))],
                         [["fuzz_json", "-max_total_time=120"], ["fuzz_yaml", "-max_total_time=120"]])
        self.assertEqual(len(self.calls_of("base_tests")), 1)
        self.assertEqual([re.search(r"--parallel \d+ (.*)", call)[1] for call in self.calls_of("ctest")],
                         ["-L ^unit$", r"-R ^matrix\.", r"-L ^long$ -E ^matrix\."])
        self.assertIn("INGOT_MATRIX_WHOLE=1", self.seen())

    def test_a_long_suite_that_fails_is_named_and_the_others_run(self):
        self.target("yaml", "exit 1")
        for part in ("base", "net", "wire", "kube", "apiserver"):
            self.program(f"{part}_tests", "exit 1", self.root / "build/tsan/bin")
        done = self.dev("test", "long")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"failed: lower layers under ThreadSanitizer *; fuzz targets, two minutes each *;$")
        self.assertEqual(len(self.calls_of("ctest")), 3)


if __name__ == "__main__":
    unittest.main()
