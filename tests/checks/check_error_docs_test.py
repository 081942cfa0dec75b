"""Rows of docs/common-errors.md and the tests they name: what a Python test asserts."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import check_error_docs as check

BASE = """
class Base:
    def fails_with(self, texts):
        self.told()
        within(5, "the host says so", lambda: True)
    def told(self):
        self.assertIn("no space left", self.text)
"""
CASE = """
import base
class Case(base.Base):
    def test_it_says_what_is_wrong(self):
        self.fails_with(["x"])
    def test_it_does_something(self):
        self.act()
    def act(self):
        pass
"""


class PythonTests(unittest.TestCase):
    def test_assertions_of_what_a_test_calls_on_itself_are_its_own(self):
        found = dict(check.python_tests(CASE, {"base": BASE}.get))
        self.assertEqual(len(found["it says what is wrong"]), 2)
        self.assertTrue(any("no space left" in text for text in found["it says what is wrong"]))

    def test_one_that_asserts_nothing_is_seen(self):
        self.assertEqual(dict(check.python_tests(CASE, {"base": BASE}.get))["it does something"], [])

    def test_a_plain_assertion_counts(self):
        self.assertEqual(dict(check.python_tests("class A:\n def test_a(self):\n  assert 1 == 1\n")), {"a": ["assert 1 == 1"]})


if __name__ == "__main__":
    unittest.main()
