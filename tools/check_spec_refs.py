#!/usr/bin/env python3
"""Fails when a source or document cites a chapter, section or item of docs/spec that does not exist.

A citation is a chapter's file name followed by sections and, of some, an item: `spec/ironic.md §6.5`,
`spec/bmc.md §2, §3`, `spec/ipam.md §10–§13`, `spec/ipam.md §18, hazard 8`, `spec/ironic.md §10, M6`.
A section is a numbered heading of the chapter ("### 6.5 Adopt…"). A bare § belongs to the chapters
that its file cites; a file that cites none must name one.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / "docs" / "spec"
READ = {".cpp", ".hpp", ".md", ".py", ".sh", ".txt", ".yaml", ".cmake"}
# This check and its test hold citations that are wrong on purpose.
ITSELF = {"tools/check_spec_refs.py", "tests/checks/check_spec_refs_test.py"}

CHAPTER = re.compile(r"(?<![\w-])spec/([\w-]+)\.md")
WITHIN_SPEC = re.compile(r"(?<![\w/-])([a-z][\w-]+)\.md(?=`? §)")  # a chapter names its neighbours without the folder
SECTION = re.compile(r"§\s?(\d+(?:\.\d+)*)(?:,? (?:(?:hazard|item|rule) (\d+)|([MQ]\d+)))?")
LIST_OF_SECTIONS = re.compile(r"`?\)?\s*(?:§\s?[\d.]*\d(?:,? (?:hazard|item|rule) \d+|,? [MQ]\d+)?(?:\s*(?:,|and|–|-)\s*(?=§))?)*")
HEADING = re.compile(r"^#{2,5} (?:Part )?(\d+(?:\.\d+)*)[. ]")
COMMENT = re.compile(r"\n\s*(?://|#|\*)?\s*")


class Chapter:
    """The numbers of a chapter's headings, and the text below each, subsections included."""

    def __init__(self, text):
        self.below = {}
        for line in text.splitlines():
            if heading := HEADING.match(line):
                number = heading.group(1)
                self.below[number] = []
            for known, lines in self.below.items():
                if known == number or number.startswith(known + "."):
                    lines.append(line)

    def has(self, section, item=None):
        if section not in self.below:
            return False
        marks = (f"{item}. ", f"| {item} |", f"**{item}", f"- {item}", f"**[{item}")
        return item is None or any(line.lstrip().startswith(marks) for line in self.below[section])


def sections_in(text):
    """(section, item or None) of each § in a text."""
    return [(match.group(1), match.group(2) or match.group(3)) for match in SECTION.finditer(text)]


def citations(text, name=CHAPTER):
    """(offset, chapter, its sections, where they end) of every citation that names its chapter."""
    for match in name.finditer(text):
        after = LIST_OF_SECTIONS.match(text, match.end())
        yield match.start(), match.group(1), sections_in(after.group(0)), after.end()


def problems_of(text, chapters, in_spec=False):
    """(line, complaint) for each citation that leads nowhere; `chapters`: name → Chapter."""
    text = COMMENT.sub(lambda match: match.group(0).count("\n") * "\n" + " ", text) if not in_spec else text
    line_at = lambda offset: text.count("\n", 0, offset) + 1
    flat = text.replace("\n", " ")
    cited, covered = set(), []
    for start, chapter, sections, end in citations(flat, WITHIN_SPEC if in_spec else CHAPTER):
        covered.append((start, end))
        if chapter not in chapters:
            if not in_spec:
                yield line_at(start), f"spec/{chapter}.md: there is no such chapter in docs/spec"
            continue
        cited.add(chapter)
        for section, item in sections:
            if not chapters[chapter].has(section, item):
                yield line_at(start), f"spec/{chapter}.md §{section}{' item ' + item if item else ''}: the chapter has no such thing"
    if in_spec:
        return
    for match in SECTION.finditer(flat):
        if any(start <= match.start() < end for start, end in covered):
            continue
        if not cited:
            yield line_at(match.start()), f"{match.group(0)}: of which chapter? (spec/NAME.md §…)"
        elif not any(chapters[name].has(match.group(1), match.group(2) or match.group(3)) for name in cited):
            yield line_at(match.start()), f"{match.group(0)}: no chapter that this file cites has it ({', '.join(sorted(cited))})"


def main():
    chapters = {path.stem: Chapter(path.read_text()) for path in SPEC.glob("*.md")}
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    found = count = 0
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.suffix not in READ or not path.is_file() or name in ITSELF or name.startswith("tests/data/"):
            continue
        text = path.read_text(errors="replace")
        count += len(CHAPTER.findall(text))
        for line, complaint in problems_of(text, chapters, in_spec=path.parent == SPEC):
            found += 1
            print(f"{name}:{line}: {complaint}")
    if not count:
        print("no citation found: the check itself is broken")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
