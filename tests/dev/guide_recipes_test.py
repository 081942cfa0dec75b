"""What the guides have their readers paste, run as it stands: the programs that it calls are stand-ins that check what they are given."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

import yaml

from checkout import ROOT
from release_test import program

GUIDE = ROOT / "docs/guide"
# Notes its call; knows the uid of each object, and makes nothing of what it would apply.
KUBECTL = """printf '%s\\n' "kubectl $*" >> calls
case " $* " in *" get "*metadata.uid*) echo "uid-of-$2-$3" ;; *" -f - "*) cat > applied ;; esac
case " $* " in *" -p "*) while [ "$1" != -p ]; do shift; done; printf '%s\\0' "$2" >> patches ;; esac
"""
# As the real one, it makes a cluster of a template whose variables all have a value.
CLUSTERCTL = """printf '%s\\n' "clusterctl $*" >> calls
[ "$3" != generate ] || {
  flavour=; for word in "$@"; do [ "$last" != --flavor ] || flavour=-$word; last=$word; done
  template=infrastructure-metal3/v2.0.0/cluster-template$flavour.yaml
  for name in $(grep -o '[$]{[A-Z_]*}' $template | tr -d '${}' | sort -u); do
    case $name in CLUSTER_NAME|NAMESPACE|KUBERNETES_VERSION|*_MACHINE_COUNT) continue ;; esac
    [ "${!name+set}" ] || { echo "$name has no value" >&2; exit 1; }
  done
  cat $template
}
"""


def blocks(page, heading):
    """The blocks of shell below a heading, until the next one."""
    text = (GUIDE / page).read_text()
    part = re.split(r"^#+ ", text[text.index(f"\n{heading}\n") + len(heading) + 2:], maxsplit=1, flags=re.M)[0]
    return re.findall(r"^```sh\n(.*?)^```", part, re.M | re.S)


class Recipes(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-recipe-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name, text in (("kubectl", KUBECTL), ("clusterctl", CLUSTERCTL), ("ingotctl", 'printf "%s\\n" "ingotctl $*" >> calls\n')):
            file = self.folder / "bin" / name
            file.parent.mkdir(exist_ok=True)
            file.write_text("#!/bin/bash\n" + text)
            file.chmod(0o755)

    def pasted(self, block):
        """What it has called."""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", f"EDITOR=true PATH=$PWD/bin:$PATH\n{block}"], cwd=self.folder, capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        return (self.folder / "calls").read_text().splitlines()

    def ironic_is_there_before(self, calls, what):
        before = calls[:next(i for i, call in enumerate(calls) if what in call)]
        self.assertIn("kubectl create namespace ingot-system", before)
        self.assertRegex("\n".join(before), r"-n ingot-system create configmap ironic .*--from-literal=IRONIC_ENDPOINT=http")

    def test_with_clusterctl_from_a_release_to_a_cluster(self):
        release = program()
        with mock.patch.object(release.components, "rendered", return_value=[]):
            release.write(self.folder, "v2.0.0", "an image")
        block = blocks("install.md", "## With clusterctl")[0]
        self.assertIn("./dev release /srv/ingot ", block)
        (self.folder / "dev").write_text("#!/bin/sh\n")
        (self.folder / "dev").chmod(0o755)
        calls = self.pasted(block.replace("/srv/ingot", str(self.folder)))
        self.ironic_is_there_before(calls, "init --infrastructure metal3 --ipam metal3")
        self.assertIn("IPPool", (self.folder / "applied").read_text())

    def test_with_kustomize_an_overlay_names_the_image(self):
        for name in ("deploy", "crds"):
            (self.folder / name).symlink_to(ROOT / name)
        calls = self.pasted(blocks("install.md", "## With kustomize")[0])
        self.ironic_is_there_before(calls, "apply --server-side -k overlay")
        overlay = yaml.safe_load((self.folder / "overlay/kustomization.yaml").read_text())
        for resource in overlay["resources"]:
            self.assertTrue((self.folder / "overlay" / resource / "kustomization.yaml").exists(), resource)
        deployed = yaml.safe_load((ROOT / "deploy/manager/deployment.yaml").read_text())["spec"]["template"]["spec"]["containers"][0]["image"]
        self.assertEqual([deployed.split(":")[0]], [image["name"] for image in overlay["images"]])

    def test_rights_are_kept_to_some_namespaces(self):
        (self.folder / "overlay").mkdir()
        *bound, applied = self.pasted(blocks("install.md", "## Rights")[0])
        self.assertEqual("kubectl apply --server-side -k overlay", applied)
        self.assertEqual([f"kubectl -n {space} create rolebinding ingot-coordinator-{role} --clusterrole=ingot-coordinator-{role} "
                          "--serviceaccount=ingot-system:ingot-coordinator" for space in ("metal", "edge") for role in ("objects", "secrets")], bound)

    def test_without_cluster_apis_managers_its_part_is_done_by_hand(self):
        self.pasted(blocks("running.md", "### Without Cluster API's managers")[0])
        cluster, status, machine = map(json.loads, (self.folder / "patches").read_text().split("\0")[:-1])
        owner = {"apiVersion": "cluster.x-k8s.io/v1beta2"}
        self.assertEqual({"metadata": {"ownerReferences": [{**owner, "kind": "Cluster", "name": "edge", "uid": "uid-of-cluster-edge"}]}}, cluster)
        self.assertEqual({"status": {"initialization": {"infrastructureProvisioned": True}}}, status)
        self.assertEqual({"metadata": {"labels": {"cluster.x-k8s.io/cluster-name": "edge"},
                                       "ownerReferences": [{**owner, "kind": "Machine", "name": "node-0", "uid": "uid-of-machine-node-0"}]}}, machine)

    def test_the_conversion_of_every_kind_that_has_one_is_led_to_a_coordinator_elsewhere(self):
        (self.folder / "ca.crt").write_text("an authority")
        calls = self.pasted(next(block for block in blocks("running.md", "### Webhooks") if "/spec/conversion" in block))
        converted = set()
        for file in (ROOT / "crds").rglob("*.yaml"):
            for each in yaml.safe_load_all(file.read_text()):
                if each and each.get("spec", {}).get("conversion", {}).get("strategy") == "Webhook":
                    converted.add(each["metadata"]["name"])
        self.assertEqual(converted, {call.split()[3] for call in calls if call.startswith("kubectl patch crd ")})
        for patch in (self.folder / "patches").read_text().split("\0")[:-1]:
            self.assertEqual({"url": "https://COORDINATOR:9443/convert", "caBundle": "YW4gYXV0aG9yaXR5"}, json.loads(patch)[0]["value"])


if __name__ == "__main__":
    unittest.main()
