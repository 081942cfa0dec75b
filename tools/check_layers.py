#!/usr/bin/env python3
"""Fails when a source includes a folder that its layer may not know (docs/architecture.md).

A folder may include itself and the folders of its row below; heavy third-party headers may appear
only in the files that implement a seam.
"""
import pathlib
import re
import subprocess
import sys

MAY_INCLUDE = {
    "base": set(),
    "json": {"base"},
    "net": {"base"},
    "bmc/model": {"base"},
    "kube": {"base", "json", "net"},
    "kube/schema": {"base", "json", "kube"},
    "ironic-client": {"base", "json", "net"},
    "bmc": {"base", "json", "net", "bmc/model"},
    "wire": {"base", "json", "net", "bmc/model"},
    "api": {"base", "json", "kube", "bmc/model"},
    "cloudinit": {"base", "json", "kube", "api"},
    "apiserver": {"base", "json", "net", "kube", "kube/schema"},
    "coordinator": {"base", "json", "net", "kube", "ironic-client", "bmc/model", "cloudinit", "wire", "api", "apiserver"},
    "agent": {"base", "json", "net", "bmc/model", "bmc", "wire"},
    "cli": {"base", "json", "net", "kube", "kube/schema", "bmc/model", "api", "cloudinit"},
    "sim": {"base", "json", "net"},
    "tools": {"base", "json", "kube", "api", "coordinator"},
}

# A seam's implementation: the only files that may see the heavy header.
HEAVY = {
    r"boost/beast": ("net/",),
    r"boost/asio/ssl": ("net/",),
    r"curl/": ("net/",),
    r"redfish": ("bmc/libredfish/",),
    r"zmq": ("wire/",),
    r"sqlite3": ("apiserver/store/",),
    r"yaml-cpp/": ("json/",),
    r"archive": ("cli/bundle/",),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path: str) -> str | None:
    for folder in sorted(MAY_INCLUDE, key=len, reverse=True):
        if path.startswith(folder + "/"):
            return folder
    return None


def breaches(path: str, text: str):
    here = folder_of(path)
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, target = match.groups()
        if quote == '"':
            there = folder_of(target)
            if target.startswith("tests/"):
                yield number, f"{here} may not include tests"
            elif there is None:
                yield number, f'"{target}" is not below a known folder; include from the root of the checkout'
            elif there != here and there not in MAY_INCLUDE[here]:
                yield number, f"{here} may not include {there} ({target})"
        for pattern, homes in HEAVY.items():
            if quote == "<" and re.match(pattern, target):
                if not path.startswith(homes) or path.endswith(".hpp"):
                    yield number, f"<{target}> belongs into a .cpp below {', '.join(homes)}"


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "--", "*.cpp", "*.hpp"], capture_output=True, text=True, check=True)
    count = 0
    for path in listed.stdout.split():
        file = pathlib.Path(path)
        if folder_of(path) is None or not file.exists():
            continue
        for number, problem in breaches(path, file.read_text()):
            print(f"{path}:{number}: {problem}")
            count += 1
    if count:
        print(f"{count} layer breaches; the table is in tools/check_layers.py")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
