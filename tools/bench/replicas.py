#!/usr/bin/env python3
"""What three replicas of the coordinator cost that have nothing to do, on a real kube-apiserver: 100 hosts, all available. Memory
and CPU of each, and requests a second of all, as the server's audit log has them."""
import argparse
import pathlib
import sys
import tempfile
import time

from figures import Figure, lines
from measured import cpu_seconds, host, memory_mib, secret

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/integration/system", "tools/demo")]

from api_server import ApiServer  # noqa: E402
from kube import Kube  # noqa: E402
from patience import within  # noqa: E402
from processes import Processes  # noqa: E402

REPLICAS = ("one", "two", "three")
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
PROGRAM = ROOT / "build/release/bin/ingot-coordinator"


def make(kube, count):
    for number in range(count):
        kube.call("POST", "/api/v1/namespaces/default/secrets", secret(number))
        kube.call("POST", HOSTS, host(number))


def all_are_available(kube, count):
    found = [each.get("status", {}).get("provisioning", {}).get("state") for each in kube.items(HOSTS)]
    return found.count("available") == count


def measure(api, kube, processes, hosts, seconds):
    replicas = [processes.start(name, [PROGRAM, "--kubeconfig", api.kubeconfig_of(name), "--provisioner=fixture", "--agents-endpoint=",
                                       "--webhook-port=0"], {"POD_NAME": name}) for name in REPLICAS]
    make(kube, hosts)
    within(300, "all hosts are available", lambda: all_are_available(kube, hosts))
    time.sleep(20)   # what was begun comes to its end
    used, asked = [cpu_seconds(each.pid) for each in replicas], sum(len(api.requests(name)) for name in REPLICAS)
    time.sleep(seconds)   # what is measured is that nothing happens
    used = [(cpu_seconds(each.pid) - before) / seconds * 100 for each, before in zip(replicas, used)]
    asked = sum(len(api.requests(name)) for name in REPLICAS) - asked
    memory = [memory_mib(each.pid, "VmRSS") for each in replicas]
    return [Figure("memory of the largest", max(memory), "MiB", most=40), Figure("memory of the others, at most", sorted(memory)[1], "MiB", most=40),
            Figure("CPU of the busiest", max(used), "% of a core", most=0.2), Figure("requests of all", asked / seconds, "a second", most=3)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=90)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ingot-bench-") as folder:
        folder = pathlib.Path(folder)
        api, processes = ApiServer(folder, coordinators=REPLICAS).start(), Processes(folder)
        try:
            figures = measure(api, Kube(api.kubeconfig), processes, options.hosts, options.seconds)
        finally:
            processes.stop()
            api.stop()
    print(f"three idle replicas, {options.hosts} hosts, {options.seconds} s")
    print("\n".join(lines(figures)))


if __name__ == "__main__":
    main()
