"""Tables of the chapters and their tests: what is missing is found."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import check_spec_tests as check

CHAPTERS = {"capm3": "## 7. Words\ntext\n### 7.1 Names\n| a | b |\n|---|---|\n| c | d |\n## 21. Quirks\n| Id | is |\n|---|---|\n| Q1 | odd |\n",
            "cluster-api": "## Part 1. Contracts\n### 1.4 Fields\n| a |\n|---|\n| c |\n### 1.12 clusterctl\n| a |\n|---|\n"
                           "## Part 2. Others\n### 2.1 Fields\n| a |\n|---|\n",
            "ipam": "## 7. Rules\n| a |\n|:--|\n| c |\n## 18. Hazards\n| # | is |\n|--|--|\n| 1 | odd |\n"}
PAGE = "| capm3 §7.1 | `a/b` |\n| cluster-api §1.4 | |\n| capm3 §21 | |\n| ipam §7 | |\n| ipam §18 | |\n| Q1 | |\n| H1 | |\n"
SOURCES = {"a.cpp": '// spec/capm3.md §7, spec/cluster-api.md §1.4\nTEST_CASE("§7.1, cluster-api §1.4 names", "[a]") {}\nTEST_CASE(\n    "§21 "\n    "quirks") {}\n',
           "b.cpp": '// spec/capm3.md §7, spec/ipam.md §7\nTEST_CASE("ipam §7, §18 rules", "[a]") {}\n'}


def complaints(sources=None, page=PAGE, exists=lambda path: True):
    return list(check.problems(CHAPTERS, SOURCES | (sources or {}), page, exists))


class SpecTests(unittest.TestCase):
    def test_tables_with_their_tests_are_accepted(self):
        self.assertEqual(complaints(), [])

    def test_a_table_without_a_test_is_found(self):
        self.assertEqual(complaints({"a.cpp": '// spec/capm3.md\nTEST_CASE("§21, cluster-api §1.4 quirks") { /* "§7.1" */ }\n'}),
                         ["docs/spec/capm3.md §7.1 has a table that no TEST_CASE names"])

    def test_a_contract_without_a_test_is_found(self):
        self.assertEqual(complaints({"a.cpp": '// spec/capm3.md\nTEST_CASE("§7.1 names") {}\nTEST_CASE("§21 quirks") {}\n'}),
                         ["docs/spec/cluster-api.md §1.4 has a table that no TEST_CASE names"])

    def test_a_title_that_may_mean_either_chapter_is_found(self):
        self.assertRegex(complaints({"c.cpp": '// spec/capm3.md, spec/ipam.md\nTEST_CASE("§7 rules") {}\n'})[0], "^c.cpp: .*of which chapter")

    def test_sections_quirks_and_hazards_need_a_row(self):
        for row in ("capm3 §7.1", "ipam §18", "Q1", "H1"):
            self.assertIn(f"no row for {row}", complaints(page=PAGE.replace(f"| {row} |", "| |"))[0])

    def test_a_path_that_leads_nowhere_is_found(self):
        self.assertEqual(complaints(exists=lambda path: path != "a/b"), ["coordinator/sections.md: a/b does not exist"])


if __name__ == "__main__":
    unittest.main()
