"""A certificate authority of one cluster: keys and certificates by openssl, good for two days."""
import base64
import json
import pathlib
import typing

from processes import run

NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
SERVER = "subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth"
CLIENT = "extendedKeyUsage=clientAuth"


class Pair(typing.NamedTuple):
    certificate: pathlib.Path
    key: pathlib.Path


class Authority:
    """`own` is its pair, in a folder where it leaves all others."""

    def __init__(self, folder):
        self.folder = folder
        self.own = Pair(folder / "ca.crt", folder / "ca.key")

    @classmethod
    def new(cls, folder, name, extension=None):
        folder.mkdir(mode=0o700, parents=True)
        authority = cls(folder)
        run(["openssl", "req", "-x509", *NEW_KEY, "-keyout", authority.own.key, "-subj", f"/CN={name}", "-days", "2",
             *(["-addext", extension] if extension else []), "-out", authority.own.certificate], f"making the authority {name}")
        return authority

    def issue(self, name, subject, extensions):
        """The pair NAME.crt and NAME.key for that subject."""
        pair = Pair(self.folder / f"{name}.crt", self.folder / f"{name}.key")
        request = signing_request(self.folder, name, subject)
        wanted = self.folder / f"{name}.ext"
        wanted.write_text(extensions + "\n")
        run(["openssl", "x509", "-req", "-in", request, "-CA", self.own.certificate, "-CAkey", self.own.key,
             "-CAcreateserial", "-days", "2", "-extfile", wanted, "-out", pair.certificate], f"signing {name}")
        return pair

    def server(self, name):
        return self.issue(name, f"/CN={name}", SERVER)

    def client(self, name, user, group):
        return self.issue(name, f"/O={group}/CN={user}", CLIENT)

    def kubeconfig(self, path, url, pair):
        """Writes to `path` a kubeconfig for that client of the server that this authority has signed."""
        return write_kubeconfig(path, url, self.own.certificate, {
            "client-certificate-data": encoded(pair.certificate.read_bytes()), "client-key-data": encoded(pair.key.read_bytes())})


def signing_request(folder, name, subject):
    """NAME.csr, with the new key NAME.key beside it."""
    request = folder / f"{name}.csr"
    run(["openssl", "req", *NEW_KEY, "-keyout", folder / f"{name}.key", "-subj", subject, "-out", request], f"a request for {name}")
    return request


def write_kubeconfig(path, url, authority, user):
    """`authority`: the file of its certificate."""
    path.touch(mode=0o600)
    path.write_text(json.dumps({   # JSON is YAML
        "apiVersion": "v1", "kind": "Config", "current-context": "test", "users": [{"name": "test", "user": user}],
        "clusters": [{"name": "test", "cluster": {"server": url,
                                                  "certificate-authority-data": encoded(authority.read_bytes())}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test"}}]}))
    return path


def encoded(data):
    return base64.b64encode(data).decode()
