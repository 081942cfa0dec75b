#!/usr/bin/env python3
"""packages.py [BUILD [TEST...]]: the Debian packages of that release build: contents, settings, dependencies,
lintian, manual pages, completions; made twice they are the same."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import making
from making import NAMES, run

HOLDS = {
    "ingot-coordinator": """etc/ingot/coordinator.env usr/bin/ingot-coordinator usr/lib/systemd/system/ingot-coordinator.service
        usr/lib/sysusers.d/ingot-coordinator.conf usr/lib/tmpfiles.d/ingot-coordinator.conf
        usr/share/man/man8/ingot-coordinator.8.gz usr/share/bash-completion/completions/ingot-coordinator
        usr/share/zsh/vendor-completions/_ingot-coordinator usr/share/fish/vendor_completions.d/ingot-coordinator.fish""",
    "ingot-agent": """etc/ingot/agent.env usr/bin/ingot-agent usr/lib/systemd/system/ingot-agent.service
        usr/lib/sysusers.d/ingot-agent.conf usr/lib/tmpfiles.d/ingot-agent.conf
        usr/share/man/man8/ingot-agent.8.gz usr/share/bash-completion/completions/ingot-agent
        usr/share/zsh/vendor-completions/_ingot-agent usr/share/fish/vendor_completions.d/ingot-agent.fish""",
    "ingotctl": """usr/bin/ingotctl usr/bin/kubectl-ingot usr/bin/kubectl_complete-ingot
        usr/share/man/man1/ingotctl.1.gz usr/share/man/man1/kubectl-ingot.1.gz usr/share/man/man1/kubectl_complete-ingot.1.gz
        usr/share/bash-completion/completions/ingotctl usr/share/bash-completion/completions/kubectl-ingot
        usr/share/zsh/vendor-completions/_ingotctl
        usr/share/fish/vendor_completions.d/ingotctl.fish usr/share/fish/vendor_completions.d/kubectl-ingot.fish"""}
SETTINGS = {"ingot-coordinator": "/etc/ingot/coordinator.env", "ingot-agent": "/etc/ingot/agent.env"}
PAGES = ("ingot-coordinator/usr/share/man/man8/ingot-coordinator.8.gz", "ingot-agent/usr/share/man/man8/ingot-agent.8.gz",
         "ingotctl/usr/share/man/man1/ingotctl.1.gz")
UTF8 = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-packages-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.packages = making.make(cls.folder / "packages")
        for name, package in cls.packages.items():
            run("dpkg-deb", "--raw-extract", package, cls.folder / name)

    def test_made_twice_they_are_the_same(self):
        """Somewhere else, by somebody with other habits."""
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        again = making.make(self.folder / "again/and again", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
        for name in NAMES:
            self.assertEqual(self.packages[name].name, again[name].name)
            self.assertEqual(self.packages[name].read_bytes(), again[name].read_bytes(), name)

    def test_each_holds_what_it_should_and_nothing_else(self):
        for name, listed in HOLDS.items():
            expected = {*listed.split(), f"usr/share/doc/{name}/changelog.gz", f"usr/share/doc/{name}/copyright"}
            root = self.folder / name
            found = {str(file.relative_to(root)) for file in root.rglob("*") if not file.is_dir()}
            self.assertEqual(expected, {file for file in found if not file.startswith("DEBIAN/")}, name)
            said = run("dpkg-deb", "--contents", self.packages[name])
            for line in said.splitlines():
                self.assertRegex(line, r"^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x|lrwxrwxrwx) root/root ")

    def test_their_version_is_that_of_the_programs(self):
        said = run(self.program("ingot-coordinator"), "--version").strip()
        for name, package in self.packages.items():
            self.assertEqual(said, making.field(package, "Version"), name)

    def test_another_version_may_be_told_and_nonsense_is_refused(self):
        newer = making.make(self.folder / "newer", "--version", "99.1~rc1")
        self.assertEqual("99.1~rc1", making.field(newer["ingotctl"], "Version"))
        run("dpkg-deb", "--raw-extract", newer["ingotctl"], self.folder / "newer/ingotctl")
        changes = gzip.decompress((self.folder / "newer/ingotctl/usr/share/doc/ingotctl/changelog.gz").read_bytes()).decode()
        self.assertIn("ingotctl (99.1~rc1) ", changes)
        with self.assertRaisesRegex(AssertionError, "--version v1-2: not a version as 2.0.0"):
            making.make(self.folder / "none", "--version", "v1-2")

    def test_settings_are_conffiles(self):
        for name in NAMES:
            file = self.folder / name / "DEBIAN/conffiles"
            self.assertEqual(SETTINGS.get(name), file.read_text().strip() if file.exists() else None)

    def test_they_depend_on_what_they_start_and_on_their_libraries(self):
        depends = {name: making.field(package, "Depends") for name, package in self.packages.items()}
        for name, needs, not_needs in (("ingot-coordinator", "systemd libssl3 libsqlite3-0", "ipmitool"),
                                       ("ingot-agent", "systemd ipmitool libssl3 libzmq5", "libsqlite3-0"),
                                       ("ingotctl", "libssl3 libcurl4", "systemd ipmitool libzmq5")):
            named = {re.split(r"[ (|]", each.strip())[0] for each in depends[name].split(",")}
            self.assertLessEqual(set(needs.split()), named, name)
            self.assertFalse(set(not_needs.split()) & named, name)

    def test_programs_are_stripped_and_name_no_folder_of_libraries(self):
        for name in NAMES:
            self.assertNotIn(".symtab", run("readelf", "--sections", "--wide", self.program(name)), name)
            self.assertNotRegex(run("readelf", "--dynamic", self.program(name)), r"\((RPATH|RUNPATH)\)", name)
            self.assertNotIn(str(making.ROOT).encode(), self.program(name).read_bytes(), name)

    def test_lintian_has_nothing_to_say(self):
        self.assertEqual("", run("lintian", "--allow-root", "--fail-on", "error,warning", *self.packages.values()))

    def test_manual_pages_render_without_warnings_and_name_every_option(self):
        for page in PAGES:
            done = subprocess.run(["man", "--warnings", "--local-file", self.folder / page], capture_output=True, text=True, check=True,
                                  env={**UTF8, "MANWIDTH": "200"})
            self.assertEqual("", done.stderr, page)
            helps = self.helps(self.program(page.split("/")[0]))
            for option in set(re.findall(r"^  (?:-\w,)?(--[a-z][\w-]*)", helps, re.M)):
                self.assertRegex(done.stdout, rf"(?m){option}\b", page)

    def test_completions_offer_in_bash(self):
        for name, function, typed, offered in (("ingot-coordinator", "_ingot_coordinator", "--embed", "--embedded"),
                                               ("ingot-agent", "_ingot_agent", "--serv", "--server --server-key"),
                                               ("ingotctl", "_ingotctl", "power re", "reboot")):
            script = self.share(name) / "bash-completion/completions" / name
            said = run("bash", "-c", f". {script}; COMP_WORDS=({name} {typed}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); {function}; "
                                     "echo ${COMPREPLY[@]}")
            self.assertEqual(offered, said.strip())

    def test_kubectl_is_told_what_may_follow(self):
        program = self.folder / "ingotctl/usr/bin/kubectl_complete-ingot"
        self.assertEqual("on\noff\n:4\n", run(program, "power", "o"))
        self.assertEqual(":4\n", run(program, "power", "xyz"))

    def test_completions_are_read_by_fish(self):
        for name in NAMES:
            for script in (self.share(name) / "fish/vendor_completions.d").iterdir():
                run("fish", "--no-execute", script)
        script = self.share("ingotctl") / "fish/vendor_completions.d/ingotctl.fish"
        offered = run("fish", "--no-config", "-c", f"source {script}; complete -C 'ingotctl power re'")
        self.assertTrue(offered.startswith("reboot"), offered)

    def test_zsh_offers_at_the_first_tab(self):
        for name, typed, wanted in (("ingotctl", "ingotctl power reb", "power reboot"),
                                    ("ingot-agent", "ingot-agent --bmc-ca", "--bmc-ca-file"),
                                    ("ingot-coordinator", "ingot-coordinator --leader-elect-resource-n", "resource-name")):
            said = run("zsh", "-f", pathlib.Path(__file__).with_name("first_tab.zsh"), self.share(name) / "zsh/vendor-completions", typed)
            self.assertIn(wanted, said)

    def program(self, name):
        return self.folder / name / "usr/bin" / name

    def share(self, name):
        return self.folder / name / "usr/share"

    def helps(self, program, *words):
        """Of the program and of all its commands."""
        said = run(program, *words, "--help")
        _, _, listed = said.partition("\nSubcommands:\n")
        for command in re.findall(r"^  (\S+)", listed, re.M):
            said += self.helps(program, *words, command)
        return said


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
