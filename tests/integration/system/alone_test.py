"""One replica of deploy/default, alone: nobody but itself answers its webhooks, and what it writes waits until they are reached."""
import manifests
from case import within
from failure import Failure
from installation import ACCOUNT, PODS
from installed_case import InstalledTest
from webhooks import WITH_WEBHOOKS

SECONDS = 60
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
NAMES = ("m0", "m1", "m2")


class Alone(InstalledTest):
    settings = {"replicas": 1}

    def test_nothing_is_written_before_webhooks_are_reached(self):
        site = self.site
        site.create(site.rights())
        site.create(site.rest())
        site.wait_until_ready()
        within(SECONDS, "webhooks are believed", site.webhooks_are_believed)
        within(SECONDS, "webhooks answer", site.webhooks_answer)
        site.scale(0)
        within(SECONDS, "no pod is left", lambda: not site.kube.items(PODS))
        self.hosts_come_while_nobody_is_asked()
        site.scale(1)
        site.wait_until_ready()
        within(SECONDS, "the hosts are available", lambda: {self.state(name) for name in NAMES} == {"available"})
        self.assertEqual([], [each for each in site.api.requests(ACCOUNT) if each.code >= 500 and not each.is_dry])
        asked = [each for each in site.api.requests(ACCOUNT) if each.is_dry]
        self.assertIn(500, {each.code for each in asked}, "webhooks were reached at once, and nothing had to wait")
        self.assertEqual(200, asked[-1].code)
        process = site.process(site.leader())
        self.assertIn("no endpoints available", process.said("the controllers wait until webhooks are reached"))
        self.assertTrue(process.said("webhooks are reached"))
        self.assertFalse(process.said("reconcile failed"), process.said("reconcile failed"))

    def hosts_come_while_nobody_is_asked(self):
        """So that whoever leads next has something to write."""
        kube = self.site.kube
        asked = {path: kube.items(path) for path in WITH_WEBHOOKS[1:]}
        for path, configurations in asked.items():
            for each in configurations:
                kube.delete(f"{path}/{each['metadata']['name']}")
        for name in NAMES:
            kube.call("POST", "/api/v1/namespaces/default/secrets", manifests.secret(name, "admin", "secret"))
            within(SECONDS, "a host is taken", lambda name=name: self.is_taken(name))
        for path, configurations in asked.items():
            for each in configurations:
                each["metadata"] = {"name": each["metadata"]["name"]}
                kube.call("POST", path, each)
        within(SECONDS, "webhooks are asked, and answer nothing", self.is_refused)

    def is_taken(self, name):
        """The API server forgets who was asked a moment later."""
        try:
            return self.site.kube.call("POST", HOSTS, manifests.plain_host(name, f"redfish://10.0.0.1/redfish/v1/Systems/{name}"))
        except Failure:
            return False

    def is_refused(self):
        try:
            self.site.kube.call("POST", f"{HOSTS}?dryRun=All", manifests.plain_host("other", "redfish://10.0.0.1/redfish/v1/Systems/9"))
        except Failure as refused:
            return "failed calling webhook" in str(refused)
        return False

    def state(self, name):
        return self.site.kube.get(f"{HOSTS}/{name}").get("status", {}).get("provisioning", {}).get("state")
