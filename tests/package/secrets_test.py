"""What the scan of everything shipped takes for a secret, and what not."""
import unittest

from secrets_in import secrets_in

KEY = b"MC4CAQAwBQYDK2VwBCIEIHbd0aV1c3RoaXNpc25vdGFrZXk="
SECRETS = {b"-----BEGIN PRIVATE " + b"KEY-----\n" + KEY: "a private key",
           b"-----BEGIN EC PRIVATE " + b"KEY-----\n" + KEY: "a private key",
           b"key: LS0tLS1CRUdJTiBQUklWQVRF" + b"IEtFWS0tLS0tCk1DNENBUUF3QlFZREsyVnc": "a private key in base64",
           b"Bearer eyJhbGciOiJSUzI1" + b"NiIs.eyJpc3MiOiJrdWJl" + b"cm5ldGVz.c2lnbmF0dXJlMQ": "a token",
           b"address: redfish://admin:calvin" + b"@10.0.0.1/": "a password in a URL",
           b"  password: calvin1": "a password",
           b"IRONIC_PASSWORD=rootroot": "a password",
           b"BMC_TOKEN: 'abcdefgh'": "a password"}
HARMLESS = (b"looks for -----BEGIN PRIVATE " + b"KEY-----", b"password: change-me-1", b"password: ${PASSWORD}", b"password: <yours>",
            b"tokens: 5", b"# password of the BMC", b"passwordFile=/etc/ingot/password", b"https://example.org/a:b/c@d", b"token: string", b"passwd: files",
            b"password: enough to try once")


class Secrets(unittest.TestCase):
    def test_secrets_are_found(self):
        for text, what in SECRETS.items():
            with self.subTest(text=text):
                self.assertTrue(any(found.startswith(what) for found in secrets_in(b"first line\n" + text + b"\nlast")))

    def test_what_stands_for_one_is_none(self):
        for text in HARMLESS:
            with self.subTest(text=text):
                self.assertEqual([], secrets_in(b"first line\n" + text + b"\nlast"))


if __name__ == "__main__":
    unittest.main()
