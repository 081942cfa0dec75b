"""The coordinator as a process that is measured, and hosts for it."""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import tempfile
import time

import yaml

PROGRAM = pathlib.Path("build/release/bin/ingot-coordinator")
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
SECRETS = "/api/v1/namespaces/default/secrets"
START_SECONDS = 20


class Api:
    """One kept connection with the kubeconfig's client certificate."""

    def __init__(self, kubeconfig: pathlib.Path):
        config = yaml.safe_load(kubeconfig.read_text())
        self.server = config["clusters"][0]["cluster"]["server"].removeprefix("https://")
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.context = ssl.create_default_context(cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())
        with tempfile.NamedTemporaryFile("wb", suffix=".pem") as pem:
            pem.write(base64.b64decode(user["client-certificate-data"]) + b"\n" + base64.b64decode(user["client-key-data"]))
            pem.flush()
            self.context.load_cert_chain(pem.name)
        self.connection = self.connect()

    def connect(self):
        return http.client.HTTPSConnection(self.server, context=self.context, timeout=300)

    def call(self, method: str, path: str, body=None, kind: str = "application/json"):
        data = json.dumps(body) if body is not None else None
        self.connection.request(method, path, data, {"Content-Type": kind})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text)

    def merge(self, path: str, patch: dict):
        return self.call("PATCH", path, patch, "application/merge-patch+json")


class Coordinator:
    """On the embedded API or, with `kubeconfig`, on the API server that the file names. To be used with `with`. Its backend is
    the fixture, or with `agents`, an endpoint, the agents that connect there. `flags`: further ones."""

    def __init__(self, program: pathlib.Path, kubeconfig: pathlib.Path | None = None, agents: str = "", flags=()):
        self.program, self.remote, self.agents, self.flags = program, kubeconfig, agents, flags
        self.api = self.folder = self.process = None

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-bench-"))
        flags, kubeconfig = self._api_flags()
        self.process = subprocess.Popen(
            [self.program, *flags, "--provisioner", "agent" if self.agents else "fixture", "--agents-endpoint", self.agents,
             "--metrics-addr", "0", "--health-addr", "0", "--log-level", "warn", *self.flags], stderr=open(self.folder / "log", "w"))
        with contextlib.ExitStack() as stack:
            stack.callback(self._end)
            deadline = time.monotonic() + START_SECONDS
            while not kubeconfig.exists():
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "log").read_text())
                time.sleep(0.05)
            self.api = Api(kubeconfig)
            stack.pop_all()
        return self

    def __exit__(self, *_):
        self._end()

    def _api_flags(self):
        if self.remote is not None:
            return ["--kubeconfig", self.remote, "--webhook-port", "0"], self.remote
        written = self.folder / "kubeconfig"
        return ["--embedded", "--data-dir", self.folder / "data", "--listen", "127.0.0.1:0", "--kubeconfig-out", written], written

    def _end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def events(self) -> int:
        return sum(each.get("count", 1) for each in self.api.call("GET", "/api/v1/namespaces/default/events")["items"])

    def cpu_seconds(self) -> float:
        return cpu_seconds(self.process.pid)

    def memory_mib(self, field: str) -> float:
        return memory_mib(self.process.pid, field)


def cpu_seconds(pid: int, with_children: bool = False) -> float:
    """User and system time. `with_children`: that of the programs it has run and waited for, too."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15 if with_children else 13]) / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int, field: str) -> float:
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    return float("nan")


def image():
    return {"url": "http://10.0.0.1/image.img", "checksum": "0" * 32, "checksumType": "md5"}


def host(number: int):
    """Without an image."""
    mac = "52:54:%02x:%02x:%02x:%02x" % tuple(number.to_bytes(4, "big"))
    return {
        "apiVersion": "metal3.io/v1alpha1", "kind": "BareMetalHost", "metadata": {"name": f"host-{number:05}"},
        "spec": {
            "online": True, "bootMACAddress": mac,
            "bmc": {"address": f"redfish://10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}/redfish/v1/Systems/1",
                    "credentialsName": f"bmc-{number:05}"},
        },
    }


def secret(number: int):
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"bmc-{number:05}"},
            "stringData": {"username": "admin", "password": "secret"}}


def print_table(rows):
    print(" | ".join(rows[0]))
    for row in rows:
        print(" | ".join(f"{value:.1f}" if isinstance(value, float) else str(value) for value in row.values()))
