"""Citations of docs/spec: what is found, and what leads nowhere."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import check_spec_refs as check

CHAPTERS = {"pools": check.Chapter("# Pools\n\n## 2. Spec\n\n### 2.1 Ranges\n1. first\n\n## 18. Hazards\n| 8 | never retried | keep |\n| M6 | x |\n"),
            "hosts": check.Chapter("# Hosts\n\n## 7. States\n")}


def complaints(text):
    return [f"{line}: {complaint}" for line, complaint in check.problems_of(text, CHAPTERS)]


class Citations(unittest.TestCase):
    def test_what_exists_is_accepted(self):
        for text in ("// spec/pools.md §2.1", "// (docs/spec/pools.md §2, §18)", "// spec/pools.md §2–§18.", "// spec/pools.md §18, hazard 8",
                     "// spec/pools.md §2.1 item 1", "// spec/pools.md §18, M6", "// spec/pools.md is long"):
            self.assertEqual(complaints(text), [], text)

    def test_a_chapter_that_does_not_exist_is_found(self):
        self.assertRegex(complaints("\n// spec/ponds.md §2")[0], "^2: .*no such chapter")

    def test_a_section_that_does_not_exist_is_found(self):
        for text in ("// spec/pools.md §3", "// spec/pools.md §2, §3", "// spec/pools.md §2.2", "// spec/pools.md\n// §3"):
            self.assertRegex(complaints(text)[0], "^1: .*§(3|2.2): .*no such thing", text)

    def test_an_item_that_does_not_exist_is_found(self):
        for text in ("// spec/pools.md §18, hazard 9", "// spec/pools.md §18, M7", "// spec/pools.md §2.1 rule 2"):
            self.assertRegex(complaints(text)[0], "item", text)

    def test_a_bare_section_belongs_to_the_chapters_of_its_file(self):
        self.assertEqual(complaints("// spec/pools.md §2\n// spec/hosts.md §7\n\n// see §2.1"), [])
        self.assertRegex(complaints("// spec/hosts.md §7\n\n// see §2.1")[0], "^3: .*no chapter that this file cites")

    def test_a_bare_section_of_no_chapter_is_found(self):
        self.assertRegex(complaints("// see §2.1")[0], "of which chapter")


if __name__ == "__main__":
    unittest.main()
