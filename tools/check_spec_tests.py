#!/usr/bin/env python3
"""Fails when a table of docs/spec/capm3.md, ipam.md or part 1 of cluster-api.md has no test, or coordinator/sections.md
does not lead to it.

A TEST_CASE is a section's test when its title names it: "§8.2 (3) a machine is where its Machine says". The chapter
is the one before the § ("capm3 §5, ipam §7 …"), else the only one that the file cites, cluster-api.md left aside.
coordinator/sections.md has a row for each such section, each quirk (Q1) and each hazard (H1), with paths that exist.
"""
import pathlib
import re
import sys

import check_spec_refs

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTERS = ("capm3", "ipam", "cluster-api")
BESIDE = "cluster-api"  # contracts, which tests of another chapter's sections hold too
PART = {"cluster-api": "1."}  # the others say what Cluster API itself does
NOT_OURS = {("cluster-api", "1.12")}  # what clusterctl does to manifests
PAGE = "coordinator/sections.md"

TITLE = re.compile(r"^TEST_CASE\(\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+)", re.MULTILINE)
NAMED = re.compile(r"\b(capm3|ipam|cluster-api)\b(?= §)|§(\d+(?:\.\d+)*)")
RULE = re.compile(r"^\|[\s:|-]+\|$")  # below the head of a table
ROW = re.compile(r"^\| (capm3|ipam|cluster-api)? ?(§[\d.]+\d|§\d|[QH]\d+) \|", re.MULTILINE)
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.*-]*)`")


def tables_of(text):
    """Numbers of the sections that have a table."""
    found, section = [], None
    for line in text.splitlines():
        if heading := check_spec_refs.HEADING.match(line):
            section = heading.group(1)
        elif section and RULE.match(line) and section not in found:
            found.append(section)
    return found


def titles_of(source):
    return ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)) for literals in TITLE.findall(source)]


def sections_named(source):
    """(chapter or None, section) of each § in the titles of a test file; None: the file leaves open which it means."""
    cited = {chapter for _, chapter, _, _ in check_spec_refs.citations(source) if chapter in CHAPTERS}
    if len(cited) > 1:
        cited.discard(BESIDE)
    for title in titles_of(source):
        chapter = next(iter(cited)) if len(cited) == 1 else None
        for match in NAMED.finditer(title):
            chapter = match.group(1) or chapter
            if match.group(2):
                yield chapter, match.group(2)


def items_of(text, section, mark):
    """Ids of the rows of a section's tables: "| Q1 |", "| 1 |"."""
    below = check_spec_refs.Chapter(text).below.get(section, [])
    ids = (re.match(r"\| Q?(\d+) \|", line) for line in below)
    return [mark + found.group(1) for found in ids if found]


def problems(chapters, sources, page, exists):
    """`chapters`: name → text; `sources`: test file → text; `exists(path)`."""
    named = set()
    for file, source in sources.items():
        for chapter, section in sections_named(source):
            named.add((chapter, section))
            if chapter is None:
                yield f"{file}: a title names §{section}, of which chapter? (capm3 §{section}, ipam §{section} …)"
    rows = {(chapter, name) for chapter, name in ROW.findall(page)}
    for chapter, text in chapters.items():
        for section in tables_of(text):
            if not section.startswith(PART.get(chapter, "")) or (chapter, section) in NOT_OURS:
                continue
            if (chapter, section) not in named:
                yield f"docs/spec/{chapter}.md §{section} has a table that no TEST_CASE names"
            if (chapter, f"§{section}") not in rows:
                yield f"{PAGE}: there is no row for {chapter} §{section}"
    for item in items_of(chapters["capm3"], "21", "Q") + items_of(chapters["ipam"], "18", "H"):
        if ("", item) not in rows:
            yield f"{PAGE}: there is no row for {item}"
    for path in PATH.findall(page):
        if not exists(path):
            yield f"{PAGE}: {path} does not exist"


def main():
    chapters = {name: (ROOT / "docs" / "spec" / f"{name}.md").read_text() for name in CHAPTERS}
    sources = {str(path.relative_to(ROOT)): path.read_text() for path in sorted((ROOT / "tests").rglob("*.cpp"))}
    exists = lambda path: any(ROOT.glob(path)) or any(ROOT.glob(path + ".*"))
    found = list(problems(chapters, sources, (ROOT / PAGE).read_text(), exists))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
