#!/usr/bin/env python3
"""Wall seconds of each file of the last build, from Ninja's log: the slowest 25 and the sum."""
import pathlib
import sys


def times(folder: pathlib.Path) -> dict[str, float]:
    found = {}
    for line in (folder / ".ninja_log").read_text().splitlines():
        if line.startswith("#"):
            continue
        start, end, _, output, _ = line.split("\t")
        if output.endswith((".o", ".pch")) and (folder / output).exists():
            found[output] = (int(end) - int(start)) / 1000
    return found


def main() -> int:
    found = times(pathlib.Path(sys.argv[1]))
    for name, seconds in sorted(found.items(), key=lambda item: -item[1])[:25]:
        print(f"{seconds:7.1f} s  {name}")
    print(f"{sum(found.values()):7.1f} s  in {len(found)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
