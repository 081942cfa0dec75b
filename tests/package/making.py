"""Packages of the release build, and what dpkg-deb says of them."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").resolve()
NAMES = ("ingot-coordinator", "ingot-agent", "ingotctl")


def run(*command, **more):
    """What it said; a failure says all of it."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def make(folder, *options, **environment):
    """By name."""
    run(sys.executable, ROOT / "tools/package", folder, "--build", BUILD, *options, env={**os.environ, **environment})
    return {name: next(folder.glob(f"{name}_*.deb")) for name in NAMES}


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()
