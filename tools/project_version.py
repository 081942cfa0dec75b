"""The one version that there is: CMakeLists.txt has it, programs and packages by CMake, everything else from here."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


def version():
    """As packages and programs write it: 2.0.0."""
    return re.search(r"^project\(ingot VERSION (\d+\.\d+\.\d+) ", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]


def tag():
    """As releases and images write it: v2.0.0."""
    return f"v{version()}"
