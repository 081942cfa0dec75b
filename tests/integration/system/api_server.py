"""A real kube-apiserver with etcd, as the contract suite starts it, with one administrator per name and an audit log."""
import datetime
import json
import os
import pathlib
import select
import signal
import subprocess

import rights
from failure import Failure
from kube import Kube
from patience import within
from processes import clean_environment

ROOT = pathlib.Path(__file__).resolve().parents[3]
START_SECONDS = 600   # longer than the script itself waits
READS = ("get", "list")
WATCH = "watch"
OURS = tuple(sorted((ROOT / "crds").glob("*_*.yaml")))


class ApiServer:
    """`kubeconfig` is an administrator's; `kubeconfig_of(name)` that of each other user: of `coordinators`, who may do what an
    installation allows and whose reads and watches the audit log has, too, and of other administrators. `crds`: files of the
    kinds it serves; `reads_of`: further users whose reads it has. `at`: the address at which a cluster that runs pods has it.
    `spaces`: the only namespaces in which the coordinators may do it."""

    def __init__(self, folder, users=(), crds=OURS, reads_of=(), coordinators=(), at=None, spaces=()):
        subprocess.run([ROOT / "tools/peers/kubernetes.sh"], check=True, stdout=subprocess.DEVNULL)
        self.audit, self.log = folder / "audit.log", folder / "kube-apiserver-start.log"
        names = [word for user in users for word in ("--user", user)]
        names += [word for user in coordinators for word in ("--plain-user", user)]
        names += [word for user in (*reads_of, *coordinators) for word in ("--audit-reads-of", user)]
        names += ["--at", at] if at else []
        self.command = [ROOT / "tests/contract/start_kube_apiserver.sh", *names, "--audit", self.audit,
                        "--log", folder / "kube-apiserver.log", ROOT / ".cache/peers/bin", *crds]
        self.child, self.kubeconfig, self.coordinators, self.spaces = None, None, coordinators, spaces
        self.restarts = []   # when each was killed, and served again

    def start(self):
        """Ends with our end of its standard input, so that it never outlives the test."""
        with open(self.log, "wb") as errors:
            self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                          env=clean_environment(), start_new_session=True)
        if not select.select([self.child.stdout], [], [], START_SECONDS)[0]:
            self.stop()
            raise Failure("kube-apiserver did not start", self.log)
        line = self.child.stdout.readline().decode().strip()
        if not line:
            raise Failure(f"kube-apiserver did not start: {self.log.read_text()}", self.log)
        self._serves(line)
        return self

    def start_in(self, processes):
        """As one of these, which may be left running."""
        process = processes.start("kube-apiserver-start", ["bash", "-c", 'exec "$@" < <(exec sleep infinity)', "bash", *self.command])
        line = process.wait_until(lambda: process.said("/kubeconfig"), START_SECONDS, "serving")
        self._serves(line.strip())

    def _serves(self, kubeconfig):
        self.kubeconfig = pathlib.Path(kubeconfig)
        if self.coordinators:
            rights.give(Kube(self.kubeconfig), self.coordinators, self.spaces)

    def kubeconfig_of(self, user):
        return self.kubeconfig.with_name(f"{user}.kubeconfig")

    def url(self):
        return f"https://{Kube(self.kubeconfig).address}"

    def etcd(self):
        """The URL of its etcd."""
        return self.kubeconfig.with_name("etcd.url").read_text().strip()

    def freeze_etcd(self):
        self._signal_etcd(signal.SIGSTOP)

    def thaw_etcd(self):
        self._signal_etcd(signal.SIGCONT)

    def _signal_etcd(self, number):
        os.kill(int(self.kubeconfig.with_name("etcd.pid").read_text()), number)

    def restart(self):
        """Killed for good, and started anew on the same etcd. Returns once it serves."""
        before, killed = self._starts(), now()
        self.child.send_signal(signal.SIGUSR1)
        within(START_SECONDS, "kube-apiserver serves again", lambda: self._starts() > before)
        self.restarts.append((killed, now()))

    def _starts(self):
        return int(self.kubeconfig.with_name("kubeconfig.starts").read_text())

    def stop(self):
        if not self.child:
            return
        self.child.stdin.close()
        self.child.wait(120)
        self.child.stdout.close()

    def writes(self, user=None):
        """Requests that would change something, in their order: what the server itself wrote down."""
        return [each for each in self.requests(user) if each.verb not in (*READS, WATCH) and not each.is_dry]

    def reads(self, user):
        """Of objects and lists; watches are none."""
        return [each for each in self.requests(user) if each.verb in READS]

    def denials(self, user):
        """Requests that were refused for want of a right; but one that has just started does not know its roles yet."""
        return [each for each in self.requests(user) if each.code == 403
                and not any(killed <= each.began <= serves for killed, serves in self.restarts)]

    def requests(self, user):
        whole, _, _ = self.audit.read_text().rpartition("\n")   # the server may be writing its last line
        entries = [json.loads(line) for line in whole.splitlines()]
        return [Request(entry) for entry in entries if user in (None, entry["user"].get("username")) and "objectRef" in entry]


def now():
    """As the audit log writes it."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Request:
    def __init__(self, entry):
        self.user, self.verb = entry["user"].get("username"), entry["verb"]
        self.pod = entry["user"].get("extra", {}).get("authentication.kubernetes.io/pod-name", [""])[0]
        self.what, self.group = entry["objectRef"]["resource"], entry["objectRef"].get("apiGroup", "")
        self.resource = "/".join(filter(None, (self.what, entry["objectRef"].get("subresource"))))
        self.code, self.is_dry = entry["responseStatus"]["code"], "dryRun=All" in entry["requestURI"]
        self.began, self.ended = entry["requestReceivedTimestamp"], entry["stageTimestamp"]
        self.name, self.namespace = entry["objectRef"].get("name", ""), entry["objectRef"].get("namespace", "")

    @property
    def done(self):
        return self.code < 300

    def __repr__(self):
        return f"{self.ended} {self.user} {self.pod} {self.verb} {self.resource} {self.name}: {self.code}"
