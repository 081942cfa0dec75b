"""Somebody who writes through the webhooks all the time, and remembers which calls failed, and when."""
import itertools
import threading
import time

import manifests
from failure import Failure
from patience import within

PAUSE = 0.1   # seconds between two rounds
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
DATA = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/default/metal3datas"
CLAIMS = "/apis/ipam.metal3.io/v1alpha1/namespaces/default/ipclaims"
POOLS = "/apis/ipam.metal3.io/v1alpha1/namespaces/default/ippools"
ADDRESSES = "/apis/ipam.metal3.io/v1alpha1/namespaces/default/ipaddresses"
OF_WEBHOOKS = "failed calling webhook", "conversion webhook for"
POOL = "steady"
STEADY = {"apiVersion": "ipam.metal3.io/v1alpha1", "kind": "IPPool", "metadata": {"name": POOL},
          "spec": {"namePrefix": POOL, "prefix": 16, "gateway": "10.9.0.1", "pools": [{"start": "10.9.0.10", "end": "10.9.255.250"}]}}
OLD = {"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": "Metal3Data", "metadata": {"name": "old-0"},
       "spec": {"index": 0, "template": {"name": "old"}, "claim": {"name": "old"}}}
SECONDS = 60
EACH = 10    # rounds from one claim to the next


class Call:
    def __init__(self, what):
        self.what, self.began, self.ended, self.problem = what, time.monotonic(), None, ""

    def __repr__(self):
        return f"{self.what} at {self.began:.2f} to {self.ended:.2f}: {self.problem or 'done'}"


class WebhookCalls:
    """Asks that a host be refused, reads an object in a version that it is not stored in, and every now and then wants an
    address, from start() to stop(). `claims`: those that were acknowledged."""

    def __init__(self, kube):
        self.kube, self.calls, self.claims, self.accepted = kube, [], [], []
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self._go_on, daemon=True)

    def start(self):
        for path, each in ((POOLS, STEADY), (DATA, OLD)):
            within(SECONDS, f"{path} are taken", lambda path=path, each=each: self.try_to("its begin", self.kube.call, "POST", path, each))
        self.calls.clear()   # an API server hears of the authority a moment after it is written
        self.thread.start()

    def stop(self):
        self.ending.set()
        self.thread.join()

    def failures(self):
        """Calls that failed because of a webhook."""
        return [call for call in self.calls if any(words in call.problem for words in OF_WEBHOOKS)]

    def try_to(self, what, method, *words):
        """The answer of a call, which is remembered; None when it failed."""
        call = Call(what)
        try:
            return method(*words)
        except (Failure, OSError, ValueError) as failure:
            call.problem = str(failure)
            return None
        finally:
            call.ended = time.monotonic()
            self.calls.append(call)

    def _go_on(self):
        for number in itertools.count():
            if self.ending.wait(PAUSE):
                return
            self.try_to("a wrong host", self._be_refused)
            self.try_to("an old version", self.kube.get, f"{DATA}/old-0")
            if number % EACH == 0:
                self._claim(f"claim-{number:05}")

    def _be_refused(self):
        try:
            self.kube.call("POST", f"{HOSTS}?dryRun=All", manifests.plain_host("wrong", "nonsense://10.0.0.1"))
        except Failure as refused:
            if "Unknown BMC type" not in str(refused):
                raise
            return
        self.accepted.append(time.monotonic())

    def _claim(self, name):
        claim = {"apiVersion": "ipam.metal3.io/v1alpha1", "kind": "IPClaim", "metadata": {"name": name}, "spec": {"pool": {"name": POOL}}}
        if self.try_to("a claim", self.kube.call, "POST", CLAIMS, claim):
            self.claims.append(name)
