#!/usr/bin/env python3
"""Hosts per minute from creation to provisioned: the coordinator with its fixture backend, on the embedded API or, with
--kubeconfig, on the API server that the file names (its CRDs installed, its namespace "default" empty of hosts).

Prints one row a fleet size: hosts/min, writes a host (Events apart), CPU a host of API and controllers together, memory.
A watcher follows the whole run and must have seen every state of every host.
"""
import argparse
import base64
import collections
import http.client
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
import time

import yaml

HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
SECRETS = "/api/v1/namespaces/default/secrets"
WANTED_STATES = {"registering", "inspecting", "preparing", "available", "provisioning", "provisioned"}


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

    def call(self, method: str, path: str, body=None):
        data = json.dumps(body) if body is not None else None
        self.connection.request(method, path, data, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text)


def host(number: int):
    mac = "52:54:%02x:%02x:%02x:%02x" % tuple(number.to_bytes(4, "big"))
    return {
        "apiVersion": "metal3.io/v1alpha1", "kind": "BareMetalHost", "metadata": {"name": f"host-{number:05}"},
        "spec": {
            "online": True, "bootMACAddress": mac,
            "bmc": {"address": f"redfish://10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}/redfish/v1/Systems/1",
                    "credentialsName": f"bmc-{number:05}"},
            "image": {"url": "http://10.0.0.1/image.img", "checksum": "0" * 32, "checksumType": "md5"},
        },
    }


def secret(number: int):
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"bmc-{number:05}"},
            "stringData": {"username": "admin", "password": "secret"}}


class Watcher(threading.Thread):
    """Counts the states that each host was seen in."""

    def __init__(self, api: Api, version: str, wanted: int):
        super().__init__(daemon=True)
        self.seen = collections.defaultdict(set)
        self.updates = 0
        self.wanted, self.done = wanted, threading.Event()
        connection = api.connect()
        connection.request("GET", f"{HOSTS}?watch=true&resourceVersion={version}")
        self.stream = connection.getresponse()

    def run(self):
        provisioned = 0
        for line in self.stream:
            event = json.loads(line)
            if event["type"] not in ("ADDED", "MODIFIED"):
                continue
            self.updates += 1
            state = event["object"].get("status", {}).get("provisioning", {}).get("state", "")
            states = self.seen[event["object"]["metadata"]["name"]]
            if state == "provisioned" and state not in states:
                provisioned += 1
            states.add(state)
            if provisioned == self.wanted:
                self.done.set()
                return


def cpu_seconds(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mib(pid: int, field: str) -> float:
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    return float("nan")


def api_flags(folder: pathlib.Path, kubeconfig: pathlib.Path | None) -> tuple[list, pathlib.Path]:
    if kubeconfig is not None:
        return ["--kubeconfig", kubeconfig, "--webhook-port", "0"], kubeconfig
    written = folder / "kubeconfig"
    return ["--embedded", "--data-dir", folder / "data", "--listen", "127.0.0.1:0", "--kubeconfig-out", written], written


def measure(binary: pathlib.Path, count: int, remote: pathlib.Path | None) -> dict:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-bench-"))
    flags, kubeconfig = api_flags(folder, remote)
    process = subprocess.Popen(
        [binary, *flags, "--provisioner", "fixture", "--agents-endpoint", "", "--metrics-addr", "0", "--health-addr", "0",
         "--log-level", "warn"],
        stderr=open(folder / "log", "w"))
    try:
        deadline = time.monotonic() + 20
        while not kubeconfig.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((folder / "log").read_text())
            time.sleep(0.05)
        api = Api(kubeconfig)
        for number in range(count):
            api.call("POST", SECRETS, secret(number))
        version = api.call("GET", HOSTS)["metadata"]["resourceVersion"]
        watcher = Watcher(api, version, count)
        watcher.start()
        cpu, started = cpu_seconds(process.pid), time.monotonic()
        for number in range(count):
            api.call("POST", HOSTS, host(number))
        if not watcher.done.wait(600):
            raise RuntimeError(f"only {sum('provisioned' in s for s in watcher.seen.values())} of {count} hosts in 10 min")
        seconds = time.monotonic() - started
        time.sleep(1)  # Events that are still on their way belong to the run
        listed = api.call("GET", HOSTS)
        writes = int(listed["metadata"]["resourceVersion"]) - int(version) - count
        events = sum(event.get("count", 1) for event in api.call("GET", "/api/v1/namespaces/default/events")["items"])
        missed = sum(not WANTED_STATES <= states for states in watcher.seen.values())
        return {"hosts": count, "hosts/min": 60 * count / seconds, "writes/host": (writes - events) / count,
                "events/host": events / count, "CPU ms/host": 1000 * (cpu_seconds(process.pid) - cpu) / count,
                "RSS MiB": memory_mib(process.pid, "VmRSS"), "peak MiB": memory_mib(process.pid, "VmHWM"),
                "hosts with unseen states": missed}
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=pathlib.Path("build/release/bin/ingot-coordinator"))
    parser.add_argument("--kubeconfig", type=pathlib.Path, help="of a real API server")
    parser.add_argument("hosts", type=int, nargs="*", default=[1000, 5000])
    options = parser.parse_args()
    rows = [measure(options.binary, count, options.kubeconfig) for count in options.hosts]
    print(" | ".join(rows[0]))
    for row in rows:
        print(" | ".join(f"{value:.1f}" if isinstance(value, float) else str(value) for value in row.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
