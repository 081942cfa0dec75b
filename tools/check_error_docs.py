#!/usr/bin/env python3
"""docs/common-errors.md: every row names a test that exists, and quotes a text that this test asserts.

A row's last cell holds the test's place in `backticks` (a file or folder below tests/) and its name in "quotes" (none
for data and programs). The third cell quotes the text in `backticks`; "…" and words in CAPITALS stand for anything.
A piece of ten letters or more of each quoted text must stand in a file of one of those places; "–" quotes none.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "common-errors.md"
SHORTEST = 10
SOURCES = {".cpp", ".hpp", ".py", ".sh", ".jsonl", ".yaml"}


def rows():
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0] != "What is wrong" and not set(cells[0]) <= set("-"):
            yield number, cells


def files_of(place):
    path = ROOT / place
    found = sorted(path.rglob("*")) if path.is_dir() else [path] if path.is_file() else []
    return [file for file in found if file.suffix in SOURCES]


# C++ splits long literals over lines and escapes quotes.
def readable(file):
    return re.sub(r'"\s*\n\s*(?:R?")', "", file.read_text(errors="replace")).replace('\\"', '"')


def pieces(text):
    return [piece.strip() for piece in re.split(r"…|\b[A-Z]+(?:[/.][A-Z]+)*\b", text)]


def problems_of(cells):
    places = re.findall(r"`([^`]+)`", cells[4])
    names = re.findall(r'"([^"]+)"', cells[4])
    files = [file for place in places for file in files_of(place)]
    if not files:
        return ["no such test: " + (", ".join(places) or cells[4])]
    source = "\n".join(readable(file) for file in files)
    problems = [f'no test is called "{name}" there' for name in names if name not in source]
    for text in re.findall(r"`([^`]+)`", cells[2]):
        long_ones = [piece for piece in pieces(text) if len(piece) >= SHORTEST]
        if long_ones and not any(piece in source for piece in long_ones):
            problems.append(f"no test there holds: {text}")
    if not re.search(r"`[^`]+`", cells[2]) and cells[2] != "–":
        problems.append("the row quotes no text")
    return problems


def main():
    bad = [f"{PAGE.name}:{number}: {cells[0]}: {problem}" for number, cells in rows() for problem in problems_of(cells)]
    print("\n".join(bad) if bad else f"{PAGE.name}: every row has its test")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
