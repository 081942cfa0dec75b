"""What counts as an assertion for tools/check_error_docs.py, and what does not."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_error_docs as check  # noqa: E402  (the path comes first)

SOURCE = r'''
namespace {
constexpr auto refusal = "the address may not change";
void unused() { CHECK(text == "nobody asks for this one"); }
}  // namespace

TEST_CASE("one") {
  const std::string told = answerOf("sent, and never looked at");
  CHECK(told ==
        "the disk is \"full\": "
        "free some space");
  CHECK(other.starts_with(refusal));
}

TEST_CASE_METHOD(World, "two", "[tag]") {
  for (const auto& word : {"the first of a table", "the second of a table"}) CHECK(said.contains(word));
  SECTION("inner; with a semicolon") { CHECK_THROWS_WITH(run(), R"(a "raw" text)"); }
  SECTION("another") { CHECK(true); }
}

TEST_CASE("three") { log("the text stands here, and nobody asserts it"); }
'''


class Assertions(unittest.TestCase):
    def setUp(self):
        self.tests = {name: "\n".join(texts) for name, texts in check.cpp_tests(SOURCE)}

    def test_every_case_and_section_is_found(self):
        self.assertEqual(["one", "two", "inner; with a semicolon", "another", "three"], list(self.tests))

    def test_a_literal_of_an_assertion_counts_however_it_is_written(self):
        self.assertIn('the disk is "full": free some space', self.tests["one"])
        self.assertIn('a "raw" text', self.tests["two"])
        self.assertIn('a "raw" text', self.tests["inner; with a semicolon"])

    def test_the_value_of_what_an_assertion_mentions_counts(self):
        self.assertIn("the address may not change", self.tests["one"])
        self.assertIn("the second of a table", self.tests["two"])

    def test_a_text_beside_the_assertions_does_not_count(self):
        self.assertEqual("", self.tests["three"])
        self.assertNotIn("raw", self.tests["another"])
        for texts in self.tests.values():
            self.assertNotIn("nobody asks", texts)

    def test_a_step_of_a_script_is_its_own_assertion(self):
        steps = dict(check.shell_steps("step 'apply' created k apply\nrefused \"a typo\" 'unknown field' k apply\n"))
        self.assertEqual(["apply", "a typo"], list(steps))
        self.assertIn("unknown field", steps["a typo"][0])


class Rows(unittest.TestCase):
    def problems(self, text, tests):
        return check.problems_of(["what", "where", text, "heals", tests])

    def test_a_row_whose_test_asserts_another_text_is_told(self):
        place = '`tests/apiserver/store` "a second process on the folder is refused in plain words"'
        self.assertEqual([], self.problems("`is in use by another process`", place))
        self.assertEqual(["no named test asserts: is in use by nobody at all"], self.problems("`is in use by nobody at all`", place))

    def test_a_row_without_a_test_or_a_text_is_told(self):
        self.assertEqual(["no such test: tests/nowhere"], self.problems("–", '`tests/nowhere` "x"'))
        self.assertTrue(self.problems("no quotation", "`tests/apiserver/store`"))
        self.assertTrue(self.problems("–", '`tests/apiserver/store` "a test that nobody wrote"'))


if __name__ == "__main__":
    unittest.main()
