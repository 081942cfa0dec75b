"""A coordinator in shadow, with the rights of deploy/shadow, beside one that works under the name of Metal3's: the server's audit
log says that it only read, and its report that both decide alike, and what the other one does that nobody had decided."""
import subprocess
import time

import case
import manifests
from api_server import OURS, ROOT, ApiServer
from case import LoggedTest, within
from kube import Kube
from processes import Processes
from renamed import Renamed
from shadowed import ACCOUNT, Shadow

SECONDS = 60
RESTED_SECONDS = 7   # what changes sooner after another change is not compared
WORKING = "working"   # the user of the coordinator that works
THEIRS = "baremetal-operator"   # the field manager that it writes as
KINDS = (*OURS, *sorted((ROOT / "crds/ipam").glob("*_*.yaml")))
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
IPAM = "/apis/ipam.metal3.io/v1alpha1/namespaces/default"


class ShadowTest(LoggedTest):
    def setUp(self):
        super().setUp()
        self.processes = Processes(self.folder)
        self.api = ApiServer(self.folder, crds=KINDS, coordinators=(WORKING,), reads_of=(ACCOUNT,)).start()
        self.addCleanup(self.api.stop)
        self.addCleanup(self.processes.stop)
        self.kube = Kube(self.api.kubeconfig)
        self.shadow = Shadow(self.folder, case.programs, self.api, self.processes)
        self.shadow.install()

    def test_it_reads_only_and_decides_as_who_works(self):
        shadow = self.shadow
        shadow.start("--provisioner=fixture", "--shadow-grace=5s")
        self.assertIn("in shadow", shadow.readyz())
        self.work_is_there()
        within(SECONDS, "what nobody does is told", lambda: shadow.count("not_done") > 0, shadow.report)
        self.assertEqual([], self.kube.items(f"{IPAM}/ipaddresses"))
        self.start_who_works()
        within(SECONDS, "the host is provisioned", lambda: self.state() == "available")
        within(SECONDS, "the claim has its address", lambda: self.kube.get(f"{IPAM}/ipclaims/c").get("status", {}).get("address"))
        within(SECONDS, "both agree, and nothing is left", lambda: shadow.count("agreed") > 2 and not shadow.told(), shadow.told)
        self.assertEqual(0, shadow.count("differs"), shadow.told())
        self.assertEqual(0, shadow.count("not_foreseen"), shadow.told())
        self.assertNotIn(THEIRS, [each["manager"] for each in shadow.report()["otherManagers"]])
        self.a_user_removes_something(shadow)
        self.they_do_what_nobody_decided(shadow)
        self.see_it_is_told(shadow)
        shadow.has_only_read(self)
        shadow.process.child.terminate()
        self.assertEqual(0, shadow.process.child.wait(SECONDS), shadow.process.last_words())

    def work_is_there(self):
        kube = self.kube
        kube.call("POST", "/api/v1/namespaces/default/secrets", manifests.secret("m0", "admin", "never-print-5d31"))
        kube.call("POST", HOSTS, manifests.plain_host("m0", "redfish://10.0.0.1/redfish/v1/Systems/1"))
        kube.call("POST", f"{IPAM}/ippools", {"apiVersion": "ipam.metal3.io/v1alpha1", "kind": "IPPool", "metadata": {"name": "p"},
                                              "spec": {"namePrefix": "p", "pools": [{"start": "10.9.0.10", "end": "10.9.0.20"}]}})
        kube.call("POST", f"{IPAM}/ipclaims", {"apiVersion": "ipam.metal3.io/v1alpha1", "kind": "IPClaim", "metadata": {"name": "c"},
                                               "spec": {"pool": {"name": "p"}}})

    def start_who_works(self):
        renamed = Renamed(self.api.kubeconfig_of(WORKING), THEIRS, self.folder / "renamed.kubeconfig")
        self.addCleanup(renamed.close)
        self.working = self.processes.start("working", [
            case.programs / "ingot-coordinator", "--kubeconfig", renamed.kubeconfig, "--provisioner", "fixture",
            "--agents-endpoint", "", "--webhook-port", "0", "--metrics-addr", "0", "--health-addr", "0"])

    def a_user_removes_something(self, shadow):
        """After Metal3 was the last one to write: real managed fields do not say who it was."""
        kube = self.kube
        kube.merge(f"{HOSTS}/m0?fieldManager=kubectl-annotate", {"metadata": {"annotations": {"site/note": "x"}}})
        kube.merge(f"{HOSTS}/m0?fieldManager=kubectl-label", {"metadata": {"labels": {"site/label": "x"}}})
        time.sleep(RESTED_SECONDS)
        kube.merge(f"{HOSTS}/m0/status?fieldManager={THEIRS}", {"status": {"errorCount": 1}})
        time.sleep(RESTED_SECONDS)
        before = shadow.count("not_compared")
        kube.merge(f"{HOSTS}/m0?fieldManager=kubectl-annotate", {"metadata": {"annotations": {"site/note": None}}})
        within(SECONDS, "what was removed is counted", lambda: shadow.count("not_compared") > before, shadow.report)
        self.assertEqual([], [each for each in shadow.told() if "site/" in each])

    def they_do_what_nobody_decided(self, shadow):
        """Under the same name: an address of their own choice, and a host that is looked at anew for no reason."""
        self.working.child.terminate()
        self.working.child.wait(SECONDS)
        self.kube.call("POST", f"{IPAM}/ipclaims", {"apiVersion": "ipam.metal3.io/v1alpha1", "kind": "IPClaim",
                                                    "metadata": {"name": "d"}, "spec": {"pool": {"name": "p"}}})
        within(SECONDS, "the shadow decides", lambda: shadow.report()["pending"] > 0, shadow.report)
        self.kube.merge(f"{IPAM}/ipclaims/d/status?fieldManager={THEIRS}",
                        {"status": {"address": {"name": "p-10-9-0-20", "namespace": "default"}}})
        within(SECONDS, "the other address is told",
               lambda: any(each.startswith("differs ipam IPClaim d status.address.name:") for each in shadow.told()), shadow.told)
        time.sleep(RESTED_SECONDS)   # nothing shows that a shadow has had the time to decide
        self.kube.merge(f"{HOSTS}/m0/status?fieldManager={THEIRS}", {"status": {"errorType": "servicing error"}})
        within(SECONDS, "the host's error is told",
               lambda: any(each.startswith("not_foreseen host BareMetalHost m0 status.errorType:") for each in shadow.told()), shadow.told)

    def state(self):
        return self.kube.get(f"{HOSTS}/m0").get("status", {}).get("provisioning", {}).get("state")

    def see_it_is_told(self, shadow):
        """By the command line, which needs no right in the cluster for it; and no password is in any of it."""
        done = subprocess.run([case.programs / "ingotctl", "--kubeconfig", self.api.kubeconfig, "shadow", "report", "--coordinator",
                               shadow.url, "-o", "json"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('"kind": "ShadowReport"', done.stdout)
        self.assertNotIn("never-print", done.stdout)
