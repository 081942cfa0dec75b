#!/usr/bin/env python3
"""What webhooks cost, asked directly over HTTPS: a conversion of 1,000 Metal3Machines from v1beta1 to v1beta2 in one review, and
validations of BareMetalHosts, 200 a second on four connections. Seconds are of the whole exchange, as the API server sees it; CPU is the coordinator's."""
import concurrent.futures
import http.client
import json
import pathlib
import ssl
import sys
import tempfile
import time

from figures import Figure, lines, percentile
from measured import cpu_seconds

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/integration/system", "tools/demo")]

import manifests  # noqa: E402
from health import healthy  # noqa: E402
from patience import within  # noqa: E402
from ports import free_port  # noqa: E402
from processes import Processes, run  # noqa: E402

PROGRAM = ROOT / "build/release/bin/ingot-coordinator"
MACHINES, RATE, SECONDS, CONNECTIONS = 1000, 200, 20, 4
GROUP = "infrastructure.cluster.x-k8s.io"


class Webhooks:
    def __init__(self, port):
        self.port = port
        self.tls = ssl.create_default_context()
        self.tls.check_hostname, self.tls.verify_mode = False, ssl.CERT_NONE   # made a moment ago, for this

    def connect(self):
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=self.tls)

    def ask(self, connection, path, review):
        """The answer, and the seconds it took."""
        body, began = json.dumps(review), time.monotonic()
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        answer = json.loads(connection.getresponse().read())
        return answer["response"], time.monotonic() - began


def conversion():
    def machine(number):
        return {"apiVersion": f"{GROUP}/v1beta1", "kind": "Metal3Machine",
                "metadata": {"name": f"m{number}", "namespace": "metal", "uid": f"u{number}", "labels": {"cluster.x-k8s.io/cluster-name": "edge"}},
                "spec": {"image": {"url": "http://192.0.2.1/node.raw", "checksum": "http://192.0.2.1/sums", "checksumType": "sha256", "format": "raw"},
                         "dataTemplate": {"name": "edge"}, "providerID": f"metal3://metal/h{number}/m{number}"},
                "status": {"ready": True, "addresses": [{"type": "InternalIP", "address": "192.0.2.7"}]}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "request": {
        "uid": "1", "desiredAPIVersion": f"{GROUP}/v1beta2", "objects": [machine(number) for number in range(MACHINES)]}}


def admission(number):
    host = manifests.plain_host(f"h{number}", "redfish://10.0.0.1/redfish/v1/Systems/1")
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": str(number), "operation": "CREATE", "kind": {"group": "metal3.io", "version": "v1alpha1", "kind": "BareMetalHost"},
        "resource": {"group": "metal3.io", "version": "v1alpha1", "resource": "baremetalhosts"}, "namespace": "metal", "name": f"h{number}",
        "object": host}}


def validations(webhooks):
    """Seconds of each of them: this client's own part is in them."""
    def one(lane):
        connection, took, began = webhooks.connect(), [], time.monotonic()
        for number in range(RATE * SECONDS // CONNECTIONS):
            due = began + number * CONNECTIONS / RATE
            time.sleep(max(0.0, due - time.monotonic()))   # the rate is what is measured at
            answer, seconds = webhooks.ask(connection, "/validate-metal3-io-v1alpha1-baremetalhost", admission(lane * 100_000 + number))
            if not answer["allowed"]:
                raise SystemExit(f"a host that is right is refused: {answer}")
            took.append(seconds)
        return took
    with concurrent.futures.ThreadPoolExecutor(CONNECTIONS) as lanes:
        return [seconds for each in lanes.map(one, range(CONNECTIONS)) for seconds in each]


def measure(process, webhooks):
    connection = webhooks.connect()
    converted = [webhooks.ask(connection, "/convert", conversion()) for _ in range(5)]
    if any(len(answer["convertedObjects"]) != MACHINES for answer, _ in converted):
        raise SystemExit("not every machine was converted")
    before = cpu_seconds(process.pid)
    took = validations(webhooks)
    used = cpu_seconds(process.pid) - before
    return [Figure(f"conversion of {MACHINES} machines, median", sorted(seconds for _, seconds in converted)[2] * 1000, "ms", most=150),
            Figure(f"validation at {RATE} a second, 99 %", percentile(took, 99) * 1000, "ms", most=5),
            Figure("CPU of a validation", used / len(took) * 1000, "ms")]


def main():
    with tempfile.TemporaryDirectory(prefix="ingot-bench-") as folder:
        folder = pathlib.Path(folder)
        run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj", "/CN=bench",
             "-keyout", folder / "tls.key", "-out", folder / "tls.crt"], "a certificate")
        processes, webhooks, health = Processes(folder), Webhooks(free_port()), free_port()
        try:
            process = processes.start("coordinator", [PROGRAM, "--embedded", f"--data-dir={folder}/data", "--listen=127.0.0.1:0",
                                                      "--provisioner=fixture", "--agents-endpoint=", f"--webhook-port={webhooks.port}",
                                                      f"--webhook-cert-dir={folder}", f"--health-addr=127.0.0.1:{health}"])
            within(60, "the coordinator is ready", lambda: healthy(f"http://127.0.0.1:{health}/readyz"))
            figures = measure(process, webhooks)
        finally:
            processes.stop()
    print("\n".join(lines(figures)))


if __name__ == "__main__":
    main()
