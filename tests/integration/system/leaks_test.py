"""What every test says of the logs that its programs left."""
import base64

import leaks
from case import LoggedTest

KEY = b"-----BEGIN EC PRIVATE " + b"KEY-----\n" + b"MHcCAQEEIIbd0aV1c3RoaXNpc25vdGFrZXk"
SECRETS = {b'{"msg":"login","password":"never-' + b'print-1"}': "a password",
           b"Authorization: Basic " + base64.b64encode(b"operator:never-" + b"print-1"): "a password in base64",
           b"PUT {\"value\":\"#cloud-" + b"config\\nusers: []\"}": "user data",
           b"joins with abcdef." + b"0123456789abcdeg.": "a bootstrap token",
           b"kubeconfig: " + KEY: "a private key",
           b'{"kubeconfig":"' + KEY.replace(b"\n", b"\\n"): "a private key",
           b"value: " + base64.b64encode(b"#cloud-" + b"config\nusers: []"): "user data",
           b"ca.key: " + base64.b64encode(KEY): "a private key in base64"}
HARMLESS = (b"m0.metal3 switched on", b"Secret m0-bmc has no password", b"tls.crt: -----BEGIN CERTIFICATE-----\nMIIB",
            b"edge-control-plane-x2lqd.1842fd", b"host.name.0123456789abcdef0123", b"events/mirror.187c9a7a0ab1d5ef", b"status.somethingofmachi")


class Leaks(LoggedTest):
    def test_a_secret_in_any_log_is_told(self):
        log = self.folder / "pods" / "manager.log"
        log.parent.mkdir()
        for text, what in SECRETS.items():
            with self.subTest(what=what):
                log.write_bytes(b"a line\n" + text + b"\n")
                self.assertTrue(any(found.startswith(f"{log}: {what} at byte ") for found in leaks.secrets_in_logs(self.folder)))
        log.write_bytes(b"\n".join(HARMLESS))
        self.assertEqual([], leaks.secrets_in_logs(self.folder))
