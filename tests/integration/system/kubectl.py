"""The kubectl that users have."""
import subprocess

from api_server import ROOT

KUBECTL = ROOT / ".cache/peers/bin/kubectl"


def kubectl(*words, text=None):
    """What it says."""
    done = subprocess.run([KUBECTL, *words], input=text, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise AssertionError(f"kubectl {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout
