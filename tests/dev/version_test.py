"""There is one version, and everything that is shipped has it; packages are held to their programs by tests/package."""
import re
import subprocess
import sys
import unittest

from checkout import ROOT

sys.path.append(str(ROOT / "tools"))
import project_version  # noqa: E402  (the path comes first)


class Version(unittest.TestCase):
    def test_releases_and_images_have_that_of_the_programs(self):
        told = re.search(r"project\([^)]*VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(told, project_version.version())
        for tool in ("release", "image"):
            done = subprocess.run([sys.executable, ROOT / "tools" / tool, "--help"], capture_output=True, text=True, check=True)
            self.assertIn(f"untold, v{told}", " ".join(done.stdout.split()), tool)

    def test_manifests_name_the_image_of_that_version(self):
        images = {file.parent.name: re.findall(r"image: (\S+)", file.read_text()) for file in (ROOT / "deploy").rglob("deployment.yaml")}
        self.assertEqual(dict.fromkeys(("manager", "shadow"), [f"ingot-coordinator:{project_version.tag()}"]), images)

    def test_guides_name_the_images_of_that_version(self):
        named = {tag for page in (ROOT / "docs/guide").glob("*.md") for tag in re.findall(r"ingot-(?:coordinator|agent):(v[\d.]+)", page.read_text())}
        self.assertEqual({project_version.tag()}, named)

    def test_its_series_is_the_newest_that_clusterctl_is_told_of(self):
        major, minor, _ = project_version.version().split(".")
        for name in ("infrastructure", "ipam"):
            text = (ROOT / f"deploy/clusterctl/metadata-{name}.yaml").read_text()
            self.assertEqual((major, minor), re.search(r"major: (\d+), minor: (\d+)", text).groups(), name)
