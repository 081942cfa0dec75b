#!/usr/bin/env python3
"""clang-tidy over our sources, cached by content.

A file is checked again only when its preprocessed text, the configuration or the program has changed. The cache lives
in .cache/tidy. Prints what is wrong and fails on any finding. `--all` adds tests and the static analyzer.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-19"
DROPPED = ("-o", "-MF", "-MT", "-MQ")


def compile_commands(preset: str):
    listed = json.loads((ROOT / "build" / preset / "compile_commands.json").read_text())
    return {entry["file"]: entry for entry in listed}


def dependencies(entry) -> list[str]:
    """Project headers of a source, by the compiler's own -MM."""
    words = shlex.split(entry["command"])
    compiler = next(i for i, word in enumerate(words) if "clang++" in word)
    words = words[compiler:]
    command, skip = [], False
    for word in words:
        if skip or word in ("-c",):
            skip = False
            continue
        if word in DROPPED:
            skip = True
            continue
        command.append(word)
    done = subprocess.run(command + ["-MM"], cwd=entry["directory"], capture_output=True, text=True)
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


def check(entry, preset: str, extra: list[str]) -> tuple[int, str]:
    done = subprocess.run([TIDY, "--quiet", "-p", str(ROOT / "build" / preset), *extra, entry["file"]],
                          capture_output=True, text=True, cwd=ROOT)
    return done.returncode, done.stdout + ("" if done.returncode == 0 else done.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="tests and the static analyzer too")
    parser.add_argument("--preset", default="dev")
    parser.add_argument("files", nargs="*", help="only these (default: every source of ours)")
    options = parser.parse_args()

    commands = compile_commands(options.preset)
    listed = subprocess.run(["git", "ls-files", "--", "*.cpp"], capture_output=True, text=True, check=True, cwd=ROOT)
    wanted = [ROOT / name for name in options.files or listed.stdout.split()]
    wanted = [str(path) for path in wanted if options.all or options.files or "tests" not in path.relative_to(ROOT).parts]
    entries = [commands[path] for path in wanted if path in commands]

    extra = ["--checks=clang-analyzer-*"] if options.all else []
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    salt = version + (ROOT / ".clang-tidy").read_bytes() + " ".join(extra).encode()
    cache = ROOT / ".cache" / "tidy"
    cache.mkdir(parents=True, exist_ok=True)

    started, failed, checked = time.monotonic(), 0, 0

    def one(entry):
        stamp = cache / key_of(entry, salt)
        if stamp.exists():
            return entry, 0, "", True
        code, text = check(entry, options.preset, extra)
        if code == 0:
            stamp.touch()
        return entry, code, text, False

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry, code, text, cached in pool.map(one, entries):
            checked += not cached
            if code != 0:
                failed += 1
                print(text or f"{entry['file']}: clang-tidy failed")
    print(f"clang-tidy: {len(entries)} files, {checked} checked now, {failed} with findings, "
          f"{time.monotonic() - started:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
