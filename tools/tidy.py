#!/usr/bin/env python3
"""clang-tidy over our sources, cached by content.

A file is checked again only when it, a header of ours that it includes, the configuration or the program has changed.
The cache lives in .cache/tidy. Nearly all the time of a check goes into headers, so the files of a target are first
checked many as one; those that have findings then, or do not fit in (equal names), are checked again by themselves.
Prints what is wrong and fails on any finding. `--all` adds tests and the static analyzer (docs/decisions/0004).
"""
import argparse
import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "tidy"
TIDY = "clang-tidy-19"
DROPPED = ("-o", "-MF", "-MT", "-MQ")
TOGETHER = 24


@dataclasses.dataclass(frozen=True)
class Round:
    """One kind of check. Its arguments are part of a stamp's key."""
    name: str
    tidy: tuple[str, ...] = ()
    compiler: tuple[str, ...] = ()

    def words(self) -> bytes:
        return " ".join(self.tidy + self.compiler).encode()


STYLE = Round("style")
# HeaderFilterRegex speaks of the folders of the product only.
TESTS = Round("style of tests", ("--header-filter=.",))
# Padding is off, because the members of a table's row stand in the order in which the rows are read. Templates and the
# standard library are left out, because the analyzer would spend its budget of steps inside fmt, strings and Asio and
# find nothing; a third of that budget is then enough.
ANALYZER = Round("analyzer",
                 ("--checks=-*,clang-analyzer-*,-clang-analyzer-optin.performance.Padding", "--header-filter=."),
                 ("-Xclang", "-analyzer-config", "-Xclang", "c++-stdlib-inlining=false",
                  "-Xclang", "-analyzer-config", "-Xclang", "c++-template-inlining=false",
                  "-Xclang", "-analyzer-config", "-Xclang", "max-nodes=75000"))


def sources_of(entry) -> list[dict]:
    """A batch that CMake compiles as one stands for the sources that it includes, each with the batch's arguments."""
    batch = entry["file"]
    if pathlib.Path(batch).parent.name != "Unity":
        return [entry]
    names = re.findall(r'^#include "([^"]+)"$', pathlib.Path(batch).read_text(), re.MULTILINE)
    return [{**entry, "file": name, "command": entry["command"].replace(batch, name)} for name in names]


def compile_commands(preset: str):
    listed = json.loads((ROOT / "build" / preset / "compile_commands.json").read_text())
    return {source["file"]: source for entry in listed for source in sources_of(entry)}


def compilation(entry) -> list[str]:
    """The compiler and its arguments, the source last, without what names outputs."""
    words = shlex.split(entry["command"])
    compiler = next(i for i, word in enumerate(words) if "clang++" in word)
    command, skip = [], False
    for word in words[compiler:]:
        if skip or word == "-c":
            skip = False
        elif word in DROPPED:
            skip = True
        else:
            command.append(word)
    return command


@functools.cache
def included(path: pathlib.Path) -> frozenset[pathlib.Path]:
    """Headers of ours that a file names; a line that the preprocessor would skip counts too."""
    names = re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE)
    found = (next(filter(pathlib.Path.is_file, (path.parent / name, ROOT / name)), None) for name in names)
    return frozenset(header.resolve() for header in found if header)


def content(entry) -> bytes:
    """All of ours that a check of this source reads."""
    source = pathlib.Path(entry["file"])
    seen, waiting = {source}, [source]
    while waiting:
        fresh = included(waiting.pop()) - seen
        seen |= fresh
        waiting += fresh
    return b"".join(path.read_bytes() for path in sorted(seen, key=str)) + source.read_bytes()


def is_test(entry) -> bool:
    return pathlib.Path(entry["file"]).relative_to(ROOT).parts[0] == "tests"


def target_folder(source: pathlib.Path) -> pathlib.Path:
    """Within a target no two files have equal names in their unnamed namespaces (tools/cmake/IngotTargets.cmake)."""
    return next(folder for folder in source.parents if (folder / "CMakeLists.txt").is_file())


def groups_of(entries) -> list[list]:
    """Files of one target that are compiled alike, many at a time."""
    alike = {}
    for entry in entries:
        key = (target_folder(pathlib.Path(entry["file"])), tuple(compilation(entry)[1:-1]))
        alike.setdefault(key, []).append(entry)
    return [files[at:at + TOGETHER] for files in alike.values() for at in range(0, len(files), TOGETHER)]


def lies_elsewhere(text: str) -> bool:
    """Whether all that is found lies in headers of others, which nobody here can mend."""
    places = re.findall(r"^(/[^:\n]+):\d+:\d+: error: ", text, re.MULTILINE)
    if not places or "[clang-diagnostic-error" in text:
        return False
    return not any(pathlib.Path(place).is_relative_to(ROOT) for place in places)


def check(kind: Round, entries) -> str:
    """What clang-tidy says about these files as one; nothing when they are clean."""
    source = pathlib.Path(entries[0]["file"])
    if len(entries) > 1:
        # By this name the analyzer knows that the files included are the code, not headers.
        name = hashlib.sha256(f"{kind.name} {source} {len(entries)}".encode()).hexdigest()
        source = CACHE / f"UnifiedSource-{name}-{os.getpid()}.cpp"   # two runs may be under way
        source.write_text("".join(f'#include "{entry["file"]}"  // NOLINT\n' for entry in entries))
    settings = ["--quiet", f"--config-file={ROOT / '.clang-tidy'}", *kind.tidy]
    done = subprocess.run([TIDY, *settings, str(source), "--", *compilation(entries[0])[1:-1], *kind.compiler],
                          capture_output=True, text=True, cwd=entries[0]["directory"])
    if len(entries) > 1:
        source.unlink(missing_ok=True)
    if done.returncode == 0 or lies_elsewhere(done.stdout):
        return ""
    return done.stdout + done.stderr or f"{source}: clang-tidy failed"


def findings(kind: Round, entries, stamps) -> list[str]:
    text = check(kind, entries)
    if not text:
        for entry in entries:
            stamps[entry["file"]].touch()
        return []
    places = set(re.findall(r"^(/[^:\n]+):\d+:\d+: error: ", text, re.MULTILINE))
    named = [entry for entry in entries if entry["file"] in places]
    if len(entries) == 1 or not named and "[clang-diagnostic-error" not in text:  # a header's alone: said once
        return [text]
    others = [entry for entry in entries if entry not in named]
    if named and others:
        parts = [others, *([entry] for entry in named)]
    else:
        parts = [entries[:len(entries) // 2], entries[len(entries) // 2:]]
    return [found for part in parts for found in findings(kind, part, stamps)]


def run(kind: Round, entries, stamps, pool) -> int:
    started = time.monotonic()
    stale = [entry for entry in entries if not stamps[entry["file"]].exists()]
    failed = 0
    for texts in pool.map(lambda group: findings(kind, group, stamps), groups_of(stale)):
        failed += len(texts)
        for text in texts:
            print(text, flush=True)
    print(f"clang-tidy, {kind.name}: {len(entries)} files, {len(stale)} checked now, {failed} with findings, "
          f"{time.monotonic() - started:.0f} s", flush=True)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="tests and the static analyzer too")
    parser.add_argument("--preset", default="dev")
    parser.add_argument("files", nargs="*", help="only these (default: every source of ours)")
    options = parser.parse_args()

    commands = compile_commands(options.preset)
    listed = subprocess.run(["git", "ls-files", "--", "*.cpp"], capture_output=True, text=True, check=True, cwd=ROOT)
    wanted = [str(ROOT / name) for name in options.files or listed.stdout.split()]
    entries = [commands[path] for path in wanted if path in commands]
    if not options.all and not options.files:
        entries = [entry for entry in entries if not is_test(entry)]

    def rounds_of(entry) -> list[Round]:
        return [TESTS if is_test(entry) else STYLE] + ([ANALYZER] if options.all else [])

    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    salt = version + (ROOT / ".clang-tidy").read_bytes()
    CACHE.mkdir(parents=True, exist_ok=True)

    def stamps_of(entry) -> dict[Round, pathlib.Path]:
        read = content(entry)
        return {kind: CACHE / hashlib.sha256(salt + kind.words() + read).hexdigest() for kind in rounds_of(entry)}

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("INGOT_JOBS") or os.cpu_count())) as pool:
        stamps = {entry["file"]: found for entry, found in zip(entries, pool.map(stamps_of, entries))}
        failed = 0
        for kind in (STYLE, TESTS, ANALYZER):
            mine = [entry for entry in entries if kind in stamps[entry["file"]]]
            if mine:
                failed += run(kind, mine, {entry["file"]: stamps[entry["file"]][kind] for entry in mine}, pool)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
