"""What runs the Python tests fails when there are none."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASE = "import unittest\nclass Case(unittest.TestCase):\n    {}\n"
RIGHT = CASE.format("def test_it(self): pass")
WRONG = CASE.format("def test_it(self): self.fail('wrong')")
SKIPPED = CASE.format("@unittest.skip('not here')\n    def test_it(self): pass")
EMPTY = CASE.format("def tset_it(self): pass")


class ARun(unittest.TestCase):
    def of(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                (pathlib.Path(folder) / f"{name}.py").write_text(text)
            return subprocess.run([sys.executable, ROOT / "tests/run_unittests.py", folder], capture_output=True, text=True, check=False)

    def test_of_tests_that_pass_passes(self):
        done = self.of(a_test=RIGHT, b_test=RIGHT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Ran 2 tests", done.stderr)

    def test_with_a_failure_fails(self):
        self.assertEqual(self.of(a_test=RIGHT, b_test=WRONG).returncode, 1)

    def test_of_a_file_that_cannot_be_read_fails(self):
        self.assertEqual(self.of(a_test=RIGHT, b_test="import no_such_module").returncode, 1)

    def test_without_files_fails(self):
        done = self.of(helper=RIGHT)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no tests in ", done.stderr)

    def test_with_a_file_without_tests_fails_and_names_it(self):
        done = self.of(a_test=RIGHT, b_test=EMPTY, c_test="")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no tests in b_test.py, c_test.py", done.stderr)

    def test_of_which_all_is_skipped_fails(self):
        self.assertEqual(self.of(a_test=SKIPPED).returncode, 1)
        self.assertEqual(self.of(a_test=SKIPPED, b_test=RIGHT).returncode, 0)


class TheBuild(unittest.TestCase):
    def test_starts_python_tests_in_no_other_way(self):
        listed = subprocess.run(["git", "grep", "-lE", "unittest discover|-m unittest", "--", "*CMakeLists.txt", "*.cmake", "*.sh"], cwd=ROOT,
                                capture_output=True, text=True, check=False)
        self.assertEqual(listed.stdout, "")


if __name__ == "__main__":
    unittest.main()
