"""What people type at a BMC does here what it does there."""
import json
import subprocess

import bmc

SYSTEM = ("Systems", "-I", "1")


class Redfishtool(bmc.BmcCase):
    def setUp(self):
        super().setUp()
        self.as_user(self.bmc["username"], self.bmc["password"])

    def as_user(self, user, password):
        self.config = self.stage.folder / f"{user}.json"
        self.config.write_text(json.dumps({"user": user, "password": password}))

    def run_tool(self, *words):
        return subprocess.run(["redfishtool", "-c", str(self.config), "-r", self.bmc["url"].removeprefix("https://"), "-S",
                               "Always", "-A", "Session", "-T", "60", *words], env=bmc.environment(),
                              capture_output=True, text=True, timeout=120)

    def tool(self, *words):
        run = self.run_tool(*words)
        self.assertEqual(0, run.returncode, f"{words}: {run.stdout}{run.stderr}")
        return json.loads(run.stdout) if run.stdout.strip().startswith("{") else run.stdout

    def refused(self, status, *words):
        run = self.run_tool(*words)
        self.assertNotEqual(0, run.returncode, words)
        self.assertIn(f"status_code: {status}", run.stdout + run.stderr, words)

    def test_reads_the_tree(self):
        for collection in ("Systems", "Chassis", "Managers"):
            self.assertEqual(1, self.tool(collection)["Members@odata.count"])
            self.assertEqual("1", self.tool(collection, "-I", "1", "get")["Id"])
        self.assertEqual({"v1": "/redfish/v1/"}, self.tool("versions"))
        self.assertIn("value", self.tool("odata"))
        self.assertIn("EntityContainer", self.tool("metadata"))

    def test_switches_power_and_boots_from_the_network(self):
        self.tool(*SYSTEM, "setBootOverride", "Once", "Pxe")
        self.assertEqual("Pxe", self.tool(*SYSTEM, "get")["Boot"]["BootSourceOverrideTarget"])
        self.tool(*SYSTEM, "reset", "On")
        self.assertIn(("reset", "On"), self.changes())
        self.refused(400, "raw", "POST", "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", "-d",
                     '{"ResetType": "NoSuchReset"}')

    def test_keeps_accounts(self):
        self.tool("AccountService", "adduser", "alice", "Secret.12345", "Operator")
        self.as_user("alice", "Secret.12345")
        self.tool(*SYSTEM, "reset", "On")
        self.refused(403, "AccountService", "adduser", "bob", "Secret.12345", "Operator")
        self.tool("AccountService", "setpassword", "alice", "Another.12345")
        self.refused(401, *SYSTEM, "get")  # the former password is over
        self.as_user("alice", "Another.12345")
        self.tool(*SYSTEM, "get")
        self.as_user(self.bmc["username"], self.bmc["password"])
        self.tool("AccountService", "useradmin", "alice", "disable")
        self.as_user("alice", "Another.12345")
        self.refused(401, *SYSTEM, "get")
        self.as_user(self.bmc["username"], self.bmc["password"])
        self.tool("AccountService", "deleteuser", "alice")
        self.assertEqual(1, self.tool("AccountService", "Accounts")["Members@odata.count"])
        self.assertEqual([("create account", "alice"), ("reset", "On"), ("change account", "alice"),
                          ("change account", "alice"), ("delete account", "alice")],
                         [change for change in self.changes() if change[0] not in ("login", "logout")])
