"""DMTF's protocol validator finds nothing wrong with the service, and says of nothing new that it could not test it."""
import csv
import subprocess

import bmc
import peers

# What the service does not have, so that nothing can be said of it. Whoever adds it takes its line away.
UNTESTED = {
    "PROTO_REDIRECT_ENFORCES_TARGET_PRIVS": "no redirects",
    "REQ_DATA_MOD_ERRORS": "the validator sends no POST that fails but for its method",
    "REQ_HEADERS_ACCEPT": "no openapi.yaml",
    "REQ_QUERY_INVALID_VALUES": "no query parameters",
    "RESP_HEADERS_CONTENT_TYPE": "no openapi.yaml",
    "RESP_HEADERS_X_AUTH_TOKEN": "whether a hexadecimal token is random is told by chance",
    "RESP_STATUS_INTERNAL_SERVER_ERROR": "no failure",
    "SEC_DEFAULT_CERT_REPLACE": "no certificate service",
    "SEC_SESSION_TERMINATION_SIDE_EFFECTS": "the validator's tests of event streams are switched off in it",
}
UNTESTED_FAMILIES = ("SERV_SSE_", "SERV_SSDP_")  # the same; no discovery

# The validator as its command starts it, but that it looks for no other services in the network of this machine.
WITHOUT_DISCOVERY = """
import sys
from redfish_protocol_validator import console_scripts, utils
utils.discover_ssdp = lambda *args, **kwargs: {}
sys.exit(console_scripts.main())
"""


class Validator(bmc.BmcCase):
    def test_finds_nothing_wrong(self):
        rows = self.report()
        wrong = [row for row in rows if row["Result"] in ("FAIL", "WARN")]
        self.assertEqual([], [f"{row['Assertion']} {row['Method']} {row['URI']}: {row['Message']}" for row in wrong])
        self.assertGreaterEqual(len({row["Assertion"] for row in rows if row["Result"] == "PASS"}), 85)
        untested = {row["Assertion"] for row in rows if row["Result"] == "NOT_TESTED"}
        self.assertEqual(set(UNTESTED), {name for name in untested if not name.startswith(UNTESTED_FAMILIES)})

    def report(self):
        venv = subprocess.run([str(peers.ROOT / "tools/peers/redfish.sh")], check=True, stdout=subprocess.PIPE, text=True,
                              timeout=300).stdout.strip()
        folder = self.stage.folder
        config = folder / "config.ini"
        config.write_text(f"[Authentication]\nuser = {self.bmc['username']}\npassword = {self.bmc['password']}\n"
                          f"[Connection]\nrhost = {self.bmc['url']}\n")
        run = subprocess.run([f"{venv}/bin/python", "-c", WITHOUT_DISCOVERY, "--config", str(config), "--ca-bundle",
                              self.stage.fleet["ca"], "--avoid-http-redirect", "--report-type", "tsv", "--report-dir",
                              str(folder)], cwd=folder, env=bmc.environment(), capture_output=True, text=True, timeout=300)
        self.assertEqual(0, run.returncode, run.stdout + run.stderr)
        reports = list(folder.glob("*.tsv"))
        self.assertEqual(1, len(reports), run.stdout + run.stderr)
        with open(reports[0], newline="") as file:
            return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
