"""Debian packages of coordinator, agent and ingotctl in a folder, of the release build. The same commit makes the same files.

    ./dev package DIR [--version 2.0.0]
    apt install DIR/ingot-coordinator_*.deb DIR/ingotctl_*.deb
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.compile(r"[0-9][0-9A-Za-z.+~]*")   # of a package without a revision of Debian's


class Failed(Exception):
    pass


def arguments():
    parser = argparse.ArgumentParser(prog="./dev package", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--version", help="of the packages; untold, that of the programs")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help=argparse.SUPPRESS)
    return parser.parse_args()


def epoch():
    """When the commit was made; of sources without their history nobody knows."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return os.environ["SOURCE_DATE_EPOCH"]
    said = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False).stdout.strip()
    return said or "0"


def make(folder, build, version):
    """The files, as named by Debian."""
    if version and not VERSION.fullmatch(version):
        raise Failed(f"--version {version}: not a version as 2.0.0")
    if not (build / "CPackConfig.cmake").exists():
        raise Failed(f"{build} is no release build: ./dev build release")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ingot-package-") as work:
        command = ["cpack", "--config", build / "CPackConfig.cmake", "-B", work, *(["-R", version] if version else [])]
        done = subprocess.run(command, cwd=build, env={**os.environ, "SOURCE_DATE_EPOCH": epoch()}, umask=0o022,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"cpack: {done.stdout}{done.stderr}")
        return [pathlib.Path(shutil.copy(file, folder)) for file in sorted(pathlib.Path(work).glob("*.deb"))]


def main():
    options = arguments()
    try:
        for file in make(options.folder, options.build.resolve(), options.version):
            print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    except (OSError, Failed) as error:
        print(f"./dev package: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
