#!/usr/bin/env python3
"""clang-tidy over our sources, cached by content.

A file is checked again only when it, a header of ours that it includes, the configuration or the program has changed.
The cache lives in .cache/tidy. Nearly all the time of a check goes into headers, so the files of a folder are first
checked as one; when that finds something (or they do not fit in one: equal names), halves are, down to single files.
Prints what is wrong and fails on any finding. `--all` adds tests and the static analyzer.
"""
import argparse
import concurrent.futures
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
TIDY = "clang-tidy-19"
DROPPED = ("-o", "-MF", "-MT", "-MQ")
TOGETHER = 12


def compile_commands(preset: str):
    listed = json.loads((ROOT / "build" / preset / "compile_commands.json").read_text())
    return {entry["file"]: entry for entry in listed}


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


def dependencies(entry) -> list[str]:
    """Project headers of a source, by the compiler's own -MM."""
    done = subprocess.run(compilation(entry) + ["-MM"], cwd=entry["directory"], capture_output=True, text=True)
    names = done.stdout.replace("\\\n", " ").split(":", 1)[-1].split()
    return sorted({name for name in names if str(ROOT) in os.path.realpath(os.path.join(entry["directory"], name))})


def key_of(entry, salt: bytes) -> str:
    digest = hashlib.sha256(salt)
    for name in dependencies(entry):
        path = pathlib.Path(entry["directory"], name)
        if "/build/" not in str(path) and path.exists():
            digest.update(path.read_bytes())
    digest.update(pathlib.Path(entry["file"]).read_bytes())
    return digest.hexdigest()


def lies_elsewhere(text: str) -> bool:
    """Whether all that is found lies in headers of others: the analyzer follows no coroutine, and says so there."""
    places = re.findall(r"^(/[^:\n]+):\d+:\d+: error: ", text, re.MULTILINE)
    return bool(places) and not any(pathlib.Path(place).is_relative_to(ROOT) for place in places)


def check(entry, preset: str, extra: list[str]) -> tuple[int, str]:
    done = subprocess.run([TIDY, "--quiet", "-p", str(ROOT / "build" / preset), *extra, entry["file"]],
                          capture_output=True, text=True, cwd=ROOT)
    if done.returncode == 0 or lies_elsewhere(done.stdout):
        return 0, ""
    return done.returncode, done.stdout + done.stderr


def groups_of(entries, together: int) -> list[list]:
    """Files of one folder that are compiled alike, a few at a time. Tests stay alone: HeaderFilterRegex hides them."""
    alike = {}
    for entry in entries:
        path = pathlib.Path(entry["file"]).relative_to(ROOT)
        alone = entry["file"] if path.parts[0] == "tests" else ""
        alike.setdefault((path.parent, tuple(compilation(entry)[1:-1]), alone), []).append(entry)
    return [files[at:at + together] for files in alike.values() for at in range(0, len(files), together)]


def clean_together(entries, scratch: pathlib.Path) -> bool:
    unit = scratch / (hashlib.sha256(entries[0]["file"].encode()).hexdigest() + ".cpp")
    unit.write_text("".join(f'#include "{entry["file"]}"\n' for entry in entries))
    settings = ["--quiet", f"--config-file={ROOT / '.clang-tidy'}", "--checks=-bugprone-suspicious-include"]
    done = subprocess.run([TIDY, *settings, str(unit), "--", *compilation(entries[0])[1:-1]],
                          capture_output=True, cwd=entries[0]["directory"])
    unit.unlink()
    return done.returncode == 0


def findings(group, stamps, preset: str, extra: list[str]) -> list[str]:
    if len(group) == 1:
        code, text = check(group[0], preset, extra)
        if code != 0:
            return [text or f"{group[0]['file']}: clang-tidy failed"]
    elif not clean_together(group, ROOT / ".cache" / "tidy"):
        half = len(group) // 2
        return findings(group[:half], stamps, preset, extra) + findings(group[half:], stamps, preset, extra)
    for entry in group:
        stamps[entry["file"]].touch()
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="tests and the static analyzer too")
    parser.add_argument("--preset", default="dev")
    parser.add_argument("files", nargs="*", help="only these (default: every source of ours)")
    options = parser.parse_args()

    commands = compile_commands(options.preset)
    listed = subprocess.run(["git", "ls-files", "--", "*.cpp"], capture_output=True, text=True, check=True, cwd=ROOT)
    wanted = [ROOT / name for name in options.files or listed.stdout.split()]
    everything = options.all or options.files
    wanted = [str(path) for path in wanted if everything or "tests" not in path.relative_to(ROOT).parts]
    entries = [commands[path] for path in wanted if path in commands]

    extra = ["--checks=clang-analyzer-*"] if options.all else []
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    salt = version + (ROOT / ".clang-tidy").read_bytes() + " ".join(extra).encode()
    cache = ROOT / ".cache" / "tidy"
    cache.mkdir(parents=True, exist_ok=True)

    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("INGOT_JOBS") or os.cpu_count())) as pool:
        keys = pool.map(lambda entry: key_of(entry, salt), entries)
        stamps = {entry["file"]: cache / key for entry, key in zip(entries, keys)}
        stale = [entry for entry in entries if not stamps[entry["file"]].exists()]

        failed = 0
        groups = groups_of(stale, 1 if extra else TOGETHER)
        for texts in pool.map(lambda group: findings(group, stamps, options.preset, extra), groups):
            failed += len(texts)
            for text in texts:
                print(text, flush=True)
    print(f"clang-tidy: {len(entries)} files, {len(stale)} checked now, {failed} with findings, "
          f"{time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
