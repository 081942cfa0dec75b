#!/usr/bin/env python3
"""installed.py [BUILD [TEST...]]: the packages of that release build in a Debian of its own, as root: installed, started by the
command and the user of their units, upgraded, removed and purged."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import making

sys.path.insert(0, str(making.ROOT / "tools/demo"))
from ports import free_port  # noqa: E402

from debian_root import Root
from unit_file import Service

SECONDS = 60
SERVICES = ("ingot-coordinator", "ingot-agent")
KUBECONFIG = "/var/lib/ingot/kubeconfig"
STATE = ("var/lib/ingot", "var/lib/ingot-agent")
LINK = "/etc/systemd/system/multi-user.target.wants/ingot-agent.service"


def resettled(package, folder):
    """A package of a version above, whose settings say something more."""
    tree = folder / package.stem
    folder.mkdir(exist_ok=True)
    making.run("dpkg-deb", "--raw-extract", package, tree)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^(Version: .*)$", r"\1.1", control.read_text()))
    for settings in tree.glob("etc/ingot/*.env"):
        settings.write_text(settings.read_text() + "# More.\n")
    making.run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, folder)
    return folder / f"{package.name.split('_')[0]}_99.1.1_amd64.deb"


class Process(subprocess.Popen):
    """A program that unshare started, and its log."""

    def __init__(self, command, log):
        self.log = log
        with open(log, "w", encoding="utf-8") as out:
            super().__init__(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    def stop(self):
        """As systemd stops it; unshare itself is deaf to that."""
        for child in pathlib.Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split():
            os.kill(int(child), signal.SIGTERM)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-installed-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.packages = making.make(cls.folder / "packages").values()
        cls.newer = making.make(cls.folder / "newer", "--version", "99.1").values()
        cls.resettled = [resettled(package, cls.folder / "resettled") for package in cls.newer]
        cls.base = Root.made(cls.folder / "base", ", ".join(making.field(package, "Depends") for package in cls.packages))

    def setUp(self):
        self.root = self.base.copy(self.folder / self.id())
        self.addCleanup(shutil.rmtree, self.root.folder)

    def test_services_run_as_their_users_and_ingotctl_speaks_to_them(self):
        self.root.install(self.packages)
        with self.assertRaisesRegex(AssertionError, "belongs to another user"):   # whose files its user could not open
            self.root.run("ingot-agent", "--check", "--server", "tcp://127.0.0.1:1", "--server-key", "/etc/hostname", "--name", "rack-a")
        self.assertEqual([], list(self.root.file("/var/lib/ingot-agent").iterdir()))
        api, agents = free_port(), free_port()
        self.set("coordinator", f"--embedded --data-dir /var/lib/ingot --listen 127.0.0.1:{api} --agents-endpoint tcp://127.0.0.1:{agents} "
                                "--provisioner agent --metrics-addr 0 --health-addr 0")
        self.set("agent", f"--server tcp://127.0.0.1:{agents} --server-key /etc/ingot/coordinator.pub --name rack-a")
        coordinator = self.start("ingot-coordinator")
        self.within("the API answers", coordinator, lambda: self.ingotctl("get", "hosts", "--all-namespaces"))
        key = self.root.file("/etc/ingot/coordinator.pub")
        key.write_bytes(self.root.file("/var/lib/ingot/coordinator.pub").read_bytes())
        key.chmod(0o644)
        agent = self.start("ingot-agent")
        fingerprint = self.within("the agent tells its fingerprint", agent,
                                  lambda: re.search(r'fingerprint="(SHA256:[^"]+)"', agent.log.read_text()))[1]
        self.assertTrue(self.ingotctl("agents", "approve", "rack-a", "--fingerprint", fingerprint, "--all", "--wait"))
        self.assertRegex(self.root.run("kubectl-ingot", "--kubeconfig", KUBECONFIG, "get", "agents"), r"rack-a +true +true")
        for process in (agent, coordinator):
            process.stop()
            self.assertEqual(0, process.wait(SECONDS), process.log.read_text())

    def test_users_folders_and_settings_are_as_the_units_need_them(self):
        self.root.install(self.packages)
        for name, folder in zip(SERVICES, STATE):
            user = Service(self.root, name).user
            self.assertEqual(f"{user}:{user} 700", self.root.run("stat", "--format=%U:%G %a", f"/{folder}").strip())
        self.assertEqual("root:ingot 640", self.root.run("stat", "--format=%U:%G %a", "/etc/ingot/coordinator.env").strip())
        self.assertFalse(self.root.file(LINK).is_symlink(), "it is not enabled")

    def test_an_upgrade_keeps_edited_settings_and_asks_nothing(self):
        self.root.install(self.packages)
        settings, others = (self.root.file(f"/etc/ingot/{service}.env") for service in ("coordinator", "agent"))
        self.set("coordinator", "--config /etc/ingot/mine.yaml")
        mine, before = settings.read_text(), others.read_text()
        self.root.file("/var/lib/ingot/state").touch()
        self.root.file("/etc/ingot").chmod(0o750)
        for packages, options, version in ((self.newer, [], "99.1"), (self.resettled, ["-oDpkg::Options::=--force-confold"], "99.1.1")):
            self.root.install(packages, *options)
            self.assertEqual(version, self.root.run("dpkg-query", "--show", "--showformat=${Version}", "ingot-coordinator"))
            self.assertEqual(mine, settings.read_text())
            self.assertEqual("root:ingot 640", self.root.run("stat", "--format=%U:%G %a", "/etc/ingot/coordinator.env").strip())
            self.assertEqual("750", self.root.run("stat", "--format=%a", "/etc/ingot").strip())
        self.assertTrue(self.root.file("/var/lib/ingot/state").exists())
        self.assertEqual(before + "# More.\n", others.read_text(), "what nobody edited is new")

    def test_removed_they_leave_settings_and_state_purged_nothing_but_users(self):
        before = self.root.files()
        self.root.install(self.packages)
        for folder in STATE:
            self.root.file(folder + "/something").touch()
        self.root.run("systemctl", "enable", "ingot-agent")
        self.root.run("apt-get", "remove", "--yes", *making.NAMES)
        left = self.root.files() - before
        self.assertLessEqual({"etc/ingot/agent.env", "etc/ingot/coordinator.env", *(folder + "/something" for folder in STATE)}, left)
        self.assertEqual([], [file for file in left if file.startswith("usr/")])
        self.root.install(self.packages)
        self.assertTrue(self.root.file(LINK).is_symlink(), "what was enabled is again")
        self.root.run("apt-get", "purge", "--yes", *making.NAMES)
        self.assertEqual(set(), self.root.files() - before)
        users = self.root.file("/etc/passwd").read_text()
        for name in ("ingot", "ingot-agent"):
            self.assertIn(f"\n{name}:", users)
        self.root.install(self.packages)
        self.assertIn("0.", self.root.run("/usr/bin/ingot-agent", "--version"))

    def test_a_state_folder_that_is_mounted_is_purged_all_the_same(self):
        self.root.install(self.packages)
        state = self.root.file("/var/lib/ingot-agent")
        making.run("mount", "-t", "tmpfs", "none", state)
        self.addCleanup(making.run, "umount", state)
        (state / "journal").mkdir()
        (state / "journal/entry").touch()
        self.root.run("apt-get", "purge", "--yes", "ingot-agent")
        self.assertEqual([], list(state.iterdir()))

    def test_where_systemd_runs_an_upgrade_restarts_what_ran_and_a_removal_stops_it(self):
        """What the maintainer scripts ask of it; it is not there to do so."""
        asked = self.root.file("/asked")
        for name in ("systemctl", "deb-systemd-invoke"):
            program = self.root.file(f"/usr/bin/{name}")
            program.unlink()
            program.write_text(f'#!/bin/sh\necho "{name} $*" >> /asked\n')
            program.chmod(0o755)
        self.root.file("/run/systemd/system").mkdir(parents=True)
        reload = "systemctl --system daemon-reload"
        for step, does in ((lambda: self.root.install(self.packages), [reload]),
                           (lambda: self.root.install(self.newer), [reload, "deb-systemd-invoke try-restart ingot-agent.service"]),
                           (lambda: self.root.run("apt-get", "remove", "--yes", "ingot-agent"),
                            ["deb-systemd-invoke stop ingot-agent.service", reload])):
            asked.write_text("")
            step()
            self.assertEqual(does, [line for line in asked.read_text().splitlines() if "coordinator" not in line][-len(does):])
            self.assertNotIn(" start ", asked.read_text())
            self.assertNotIn(" enable ", asked.read_text())

    def set(self, service, options):
        """Edits its settings."""
        file = self.root.file(f"/etc/ingot/{service}.env")
        lines = [line for line in file.read_text().splitlines() if not line.startswith(("IRONIC_", "INGOT_", "DEPLOY_"))]
        file.write_text("\n".join([*lines, f"INGOT_{service.upper()}_OPTIONS={options}"]) + "\n")

    def start(self, name):
        process = Process(Service(self.root, name).command(), self.folder / f"{name}.log")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def ingotctl(self, *words):
        try:
            return self.root.run("ingotctl", "--kubeconfig", KUBECONFIG, *words) or "done"
        except AssertionError as failed:
            self.said = str(failed)
            return None

    def within(self, what, process, seen):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and process.poll() is None:
            found = seen()
            if found:
                return found
            time.sleep(0.2)
        raise AssertionError(f"{what}: not within {SECONDS} s\n{process.log.read_text()}{getattr(self, 'said', '')}")


if __name__ == "__main__":
    if os.geteuid() != 0:
        os.execvp("sudo", ["sudo", "-n", sys.executable, *sys.argv])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
