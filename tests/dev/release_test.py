"""./dev release: what it refuses, and that its templates ask for nothing that example_variables.rc does not know."""
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import yaml

from checkout import ROOT

SOURCES = ROOT / "deploy/clusterctl"
OF_CLUSTERCTL = {"CLUSTER_NAME", "NAMESPACE", "KUBERNETES_VERSION", "CONTROL_PLANE_MACHINE_COUNT", "WORKER_MACHINE_COUNT"}   # its own flags


def program():
    """tools/release, as a module."""
    with mock.patch.object(sys, "path", [str(ROOT / "tools/release"), *sys.path]):
        spec = importlib.util.spec_from_file_location("release_program", ROOT / "tools/release/__main__.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


class Release(unittest.TestCase):
    def test_one_that_is_not_finished_leaves_the_old_one_whole(self):
        release = program()
        with tempfile.TemporaryDirectory() as name, mock.patch.object(release.components, "rendered", return_value=[]):
            folder = pathlib.Path(name)
            release.write(folder, "v2.0.0", "old")
            whole = contents(folder)
            self.assertIn("infrastructure-metal3/v2.0.0/example_variables.rc", whole)
            last = mock.Mock(side_effect=[None, None, None, KeyboardInterrupt])   # of the files that are copied
            with mock.patch.object(release.shutil, "copyfile", last), self.assertRaises(KeyboardInterrupt):
                release.write(folder, "v2.0.0", "new")
            self.assertEqual(4, last.call_count)
            self.assertEqual(whole, contents(folder))

    def test_one_that_is_written_again_keeps_nothing_of_the_old_one_but_other_versions(self):
        release = program()
        with tempfile.TemporaryDirectory() as name, mock.patch.object(release.components, "rendered", return_value=[]):
            folder = pathlib.Path(name)
            for version in ("v1.0.0", "v2.0.0"):
                release.write(folder, version, "old")
            whole = contents(folder)
            (folder / "ipam-metal3/v2.0.0/of-an-earlier-one.yaml").write_text("")
            release.write(folder, "v2.0.0", "old")
            self.assertEqual(whole, contents(folder))

    def test_a_version_that_clusterctl_would_refuse_is_refused_by_name(self):
        for version, why in (("2.0.0", "not a version as v2.0.0"), ("v2.0", "not a version as v2.0.0"), ("v3.7.0", "has no series 3.7")):
            with self.subTest(version), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([sys.executable, ROOT / "tools/release", f"{folder}/out", "--version", version], capture_output=True, text=True,
                                      check=False)
                self.assertEqual(1, done.returncode)
                self.assertRegex(done.stderr, rf"^\./dev release: --version {re.escape(version)}: .*{re.escape(why)}")

    def test_every_variable_of_a_template_has_an_example(self):
        asked = set()
        for template in (SOURCES / "templates").glob("*.yaml"):
            asked |= set(re.findall(r"\$\{(\w+)", template.read_text()))
        told = set(re.findall(r"^export (\w+)=", (SOURCES / "example_variables.rc").read_text(), re.M))
        self.assertEqual(asked - OF_CLUSTERCTL, told)

    def test_the_guides_put_ironics_settings_where_a_release_installs_the_coordinator(self):
        installed = re.search(r"^  name: (\S+)$", (ROOT / "deploy/default/namespace.yaml").read_text(), re.M)[1]
        self.assertEqual([installed] * 2, self.namespaces("install.md", r"kubectl create namespace ([\w-]+)\nkubectl -n \1 create configmap ironic "))
        self.assertEqual([installed], self.namespaces("migrating.md", r"ConfigMap `ironic` in its namespace \(`([\w-]+)`, which you create first"))
        self.assertEqual(self.namespaces("migrating.md", r"and installs Ingot in `([\w-]+)`"),
                         self.namespaces("migrating.md", r"with `clusterctl upgrade apply` `([\w-]+)`"))

    @staticmethod
    def namespaces(page, pattern):
        return re.findall(pattern, (ROOT / "docs/guide" / page).read_text())

    def test_every_variable_of_the_components_is_in_the_guide(self):
        release = program()
        objects = [each for path in sorted((ROOT / "deploy/manager").glob("*.yaml")) for each in yaml.safe_load_all(path.read_text())]
        parts = release.components.split([each for each in objects if each["kind"] != "Kustomization"], "${INGOT_COORDINATOR_IMAGE}")
        text = release.components.text(parts["infrastructure"])
        guide = (ROOT / "docs/guide/install.md").read_text()
        rows = re.search(r"^\| Variable of `init` .*?\n\n", guide, re.M | re.S)[0]
        self.assertEqual(set(re.findall(r"\$\{(\w+)", text)), set(re.findall(r"`([A-Z0-9_]{4,})`", rows)))
        service = next(each for each in parts["infrastructure"] if each["metadata"]["name"] == "ingot-agents")
        self.assertEqual("${INGOT_AGENTS_SERVICE_TYPE:=ClusterIP}", service["spec"]["type"])
        self.assertEqual({"app.kubernetes.io/name": "ingot-coordinator", "ingot.dev/leader": "true"}, service["spec"]["selector"])

    def test_both_providers_know_metal3s_series_and_one_above(self):
        for name, newest in (("infrastructure", 14), ("ipam", 15)):
            text = (SOURCES / f"metadata-{name}.yaml").read_text()
            series = [tuple(map(int, each)) for each in re.findall(r"major: (\d+), minor: (\d+)", text)]
            self.assertEqual([(2, 0), *((1, minor) for minor in range(newest, 0, -1))], series)
            self.assertEqual(newest - 12 + 1, text.count("contract: v1beta2"))


def contents(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}
