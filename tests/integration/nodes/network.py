"""The network of one cluster, within the network namespace that this program has for itself: a bridge that pods are at, and the
addresses of Services."""
import itertools
import os
import pathlib
import subprocess
import sys

from processes import run

IP = "/usr/sbin/ip"
NSENTER = "/usr/bin/nsenter"
OWN = "INGOT_OWN_NETWORK"   # set in a namespace that nobody else sees


def in_a_namespace(*more):
    """The words that start a program where it may make networks, and nobody else sees them: root as itself, others as root of a
    user namespace."""
    users = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *users, "--net", "--mount", "--propagation", "private", *more]


def with_a_network():
    """Runs this program again where it has a network to itself."""
    if OWN not in os.environ:
        words = in_a_namespace(sys.executable, *sys.argv)
        os.execvpe(words[0], words, {**os.environ, OWN: "1"})
    run([IP, "link", "set", "lo", "up"], "the network of this machine")


class Network:
    """`number`: of the cluster, where a test has several. `api`: the first address of its Services."""

    names = itertools.count()

    def __init__(self, number=0):
        assert OWN in os.environ, "pods want a network namespace: start the test by run.py"
        self.bridge, self.prefix, self.api = f"pods{number}", f"10.{244 + number}", f"10.96.{number}.1"
        self.counts = {}   # of pods, by the number of their node
        # An address of its own: else it has the lowest of its pods', which changes as they come and go, and the others reach
        # nobody until their ARP caches have forgotten the old one.
        run([IP, "-batch", "-"], "the bridge of the pods", stdin=(
            f"link add {self.bridge} address 0a:58:0a:{244 + number:02x}:00:01 type bridge\naddr add {self.prefix}.0.1/16 dev {self.bridge}\n"
            f"link set {self.bridge} up\n"))
        self.answer_at(self.api)

    def answer_at(self, address):
        """From now on it is one of this machine's."""
        run([IP, "addr", "add", f"{address}/32", "dev", "lo"], f"the address {address}")

    def no_more_at(self, address):
        run([IP, "addr", "del", f"{address}/32", "dev", "lo"], f"the end of the address {address}")

    def close(self):
        run([IP, "link", "del", self.bridge], "the end of the bridge")
        self.no_more_at(self.api)

    def node_address(self, number):
        return f"{self.prefix}.{number}.1"

    def sandbox(self, number):
        """What a pod of that node has for itself."""
        count = self.counts[number] = self.counts.get(number, 1) + 1
        return Sandbox(self, f"{self.prefix}.{number}.{count % 250 + 2}", f"pod{next(self.names)}")


class Sandbox:
    """A network namespace with one address, which something holds until close(), or until this program ends."""

    def __init__(self, network, address, link):
        self.address = address
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo held; exec cat > /dev/null"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, start_new_session=True)
        assert self.holder.stdout.readline(), "a network namespace cannot be made"
        self.namespace = pathlib.Path(f"/proc/{self.holder.pid}/ns/net")
        run([IP, "-batch", "-"], "the link of a pod", stdin=(
            f"link add {link} type veth peer name eth0 netns {self.holder.pid}\nlink set {link} master {network.bridge} up\n"))
        run([NSENTER, f"--net={self.namespace}", IP, "-batch", "-"], "the address of a pod", stdin=(
            f"link set lo up\naddr add {address}/16 dev eth0\nlink set eth0 up\nroute add default via {network.prefix}.0.1\n"))

    def enter(self):
        return [NSENTER, f"--net={self.namespace}"]

    def close(self):
        self.holder.stdin.close()
        self.holder.wait(60)
        self.holder.stdout.close()
