"""deploy/shadow on a real kube-apiserver: its account, its rights, and its container as a process."""
import json
import subprocess

import yaml

from api_server import ROOT
from health import directly, healthy
from installation import KUBECTL
from ports import free_port

NAMESPACE = ACCOUNT_NAME = "ingot-shadow"
START_SECONDS = 180
SECONDS = 60
ACCOUNT = f"system:serviceaccount:{NAMESPACE}:{ACCOUNT_NAME}"


class Shadow:
    """Beside whatever works in `api`. `url`: where its report and its metrics are."""

    def __init__(self, folder, programs, api, processes):
        self.folder, self.programs, self.api, self.processes = folder, programs, api, processes
        self.documents = list(yaml.safe_load_all(kubectl("kustomize", ROOT / "deploy/shadow")))
        self.health, self.page = free_port(), free_port()
        self.url, self.process = f"http://127.0.0.1:{self.page}", None

    def install(self):
        kubectl("--kubeconfig", self.api.kubeconfig, "create", "-f", "-", text=yaml.safe_dump_all(self.documents))

    def start(self, *flags, **environment):
        deployment = next(each for each in self.documents if each["kind"] == "Deployment")
        container = deployment["spec"]["template"]["spec"]["containers"][0]
        ports = {"--health-addr": f"127.0.0.1:{self.health}", "--diagnostics-address": f"127.0.0.1:{free_port()}",
                 "--metrics-addr": f"127.0.0.1:{self.page}"}
        arguments = [f"{flag}={ports[flag]}" if (flag := each.partition("=")[0]) in ports else each for each in container["args"]]
        self.process = self.processes.start("shadow", [
            self.programs / "ingot-coordinator", "--kubeconfig", self._kubeconfig(), "--log-level", "debug", *arguments, *flags],
            {"POD_NAMESPACE": NAMESPACE, **environment})
        self.process.wait_until(lambda: healthy(f"http://127.0.0.1:{self.health}/readyz"), START_SECONDS, "being ready")
        return self.process

    def report(self):
        with directly(f"{self.url}/shadow/report") as answer:
            return json.load(answer)

    def count(self, outcome):
        return sum(each["count"] for each in self.report()["counts"] if each["outcome"] == outcome)

    def told(self):
        """Each field that stands in the report, as text."""
        return sorted(f"{each['outcome']} {each['controller']} {each['object'].get('kind')} {each['object']['name']} {field['path']}:"
                      f" {field.get('was')} theirs {field.get('theirs')} ours {field.get('ours')}"
                      for each in self.report()["differences"] for field in each["fields"])

    def readyz(self):
        with directly(f"http://127.0.0.1:{self.health}/readyz") as answer:
            return answer.read().decode()

    def has_only_read(self, test):
        """By the server's audit log: nothing was written, and nothing refused."""
        requests = self.api.requests(ACCOUNT)
        test.assertTrue(requests)
        test.assertEqual([], [each for each in requests if each.verb not in ("get", "list", "watch")])
        test.assertEqual([], self.api.denials(ACCOUNT))

    def _kubeconfig(self):
        path = self.folder / "shadow.kubeconfig"
        if not path.exists():
            token = kubectl("--kubeconfig", self.api.kubeconfig, "-n", NAMESPACE, "create", "token", ACCOUNT_NAME)
            config = yaml.safe_load(self.api.kubeconfig.read_text())
            config["users"][0]["user"] = {"token": token.strip()}
            path.touch(mode=0o600)
            path.write_text(json.dumps(config))
        return path


def kubectl(*words, text=None):
    done = subprocess.run([KUBECTL, *words], input=text, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode != 0:
        raise AssertionError(f"kubectl {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout
