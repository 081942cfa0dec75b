"""As much of the Kubernetes API as a spectator needs: read, watch, merge patch, delete; by kubeconfig, standard library only."""
import base64
import contextlib
import http.client
import json
import os
import ssl
import time
import urllib.parse

import yaml

from failure import Failure, Unanswered

HOSTS = "/apis/metal3.io/v1alpha1"
AGENTS = "/apis/ingot.dev/v1alpha1/provisioningagents"
SECONDS = 60   # a busy machine's
PATIENCE = 60   # tries
IDLE = 4   # connections that are kept


class Kube:
    def __init__(self, kubeconfig):
        self.path = kubeconfig
        config = yaml.safe_load(kubeconfig.read_text())
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self.address = urllib.parse.urlsplit(cluster["server"]).netloc
        self.tls = ssl.create_default_context(cadata=decoded(cluster["certificate-authority-data"]))
        self.headers, self.idle = {}, []
        if "token" in user:
            self.headers["Authorization"] = f"Bearer {user['token']}"
            return
        # The ssl module reads client certificates from files only.
        pair = kubeconfig.with_suffix(".pem")
        pair.touch(mode=0o600)
        pair.write_text(decoded(user["client-certificate-data"]) + decoded(user["client-key-data"]))
        self.tls.load_cert_chain(pair)

    def connect(self, seconds=SECONDS):
        return http.client.HTTPSConnection(self.address, timeout=seconds, context=self.tls)

    def call(self, method, path, body=None, accept=(200, 201, 202), kind="application/json"):
        """The decoded answer; None for a status that is not accepted when that is 404 on GET. A server that asks for patience gets
        some, and has done nothing yet."""
        for _ in range(PATIENCE):
            status, text = self.ask(method, path, body, kind)
            if not asks_for_patience(status, text):
                break
            time.sleep(1)
        if status == 404 and method == "GET":
            return None
        if status not in accept:
            raise (Unanswered if is_for_now(status, text) else Failure)(f"the Kubernetes API refuses {method} {path}: {message_of(text)}")
        return json.loads(text)

    def ask(self, method, path, body=None, kind="application/json"):
        """Status and text of the answer, whatever it is. Those who only look do so on connections that are kept: a new one takes both
        sides longer than most answers. They may have ended meanwhile, which a new one tells."""
        try:
            while method == "GET" and self.idle:
                with contextlib.suppress(ConnectionError, ssl.SSLError, http.client.HTTPException, IndexError):
                    return self._ask_on(self.idle.pop(), method, path, body, kind)
            return self._ask_on(self.connect(), method, path, body, kind)
        except (OSError, http.client.HTTPException) as error:
            raise Unanswered(f"the Kubernetes API does not answer {method} {path}: {error}") from None

    def _ask_on(self, connection, method, path, body, kind):
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, {"Content-Type": kind, **self.headers})
            answer = connection.getresponse()
            status, text = answer.status, answer.read()
        except BaseException:
            connection.close()
            raise
        if connection.sock and method == "GET" and len(self.idle) < IDLE:
            self.idle.append(connection)
        else:
            connection.close()
        return status, text

    def get(self, path):
        return self.call("GET", path)

    def items(self, path):
        listed = self.get(path)
        return listed["items"] if listed else []

    def merge(self, path, patch):
        return self.call("PATCH", path, patch, kind="application/merge-patch+json")

    def delete(self, path):
        return self.call("DELETE", path)

    def watch(self, path, seconds):
        """Yields (resourceVersion, None, [objects]) once for the list, then (None, type, object) for each change."""
        listed = self.call("GET", path)
        yield listed["metadata"]["resourceVersion"], None, listed["items"]
        for kind, each in self.changes(path, listed["metadata"]["resourceVersion"], seconds):
            yield None, kind, each

    def changes(self, path, since, seconds):
        """Yields (type, object) for each change after that resourceVersion, those of the past at once."""
        query = urllib.parse.urlencode({"watch": "1", "resourceVersion": since, "timeoutSeconds": seconds})
        connection = self.connect(seconds + SECONDS)
        try:
            connection.request("GET", f"{path}?{query}", headers=self.headers)
            answer = connection.getresponse()
            while line := answer.readline():
                event = json.loads(line)
                if event["type"] == "ERROR":
                    return
                yield event["type"], event["object"]
        finally:
            connection.close()


def decoded(data):
    return base64.b64decode(data).decode()


def asks_for_patience(status, text):
    """The storage of a kind that nobody had asked for yet (429), or whose definition has just changed."""
    return status == 429 or status == 503 and message_of(text) == "apiserver is shutting down"


def is_for_now(status, text):
    """A storage that is late, or a webhook that nobody answers: the same question may be answered soon."""
    return status in (503, 504) or status == 500 and any(word in message_of(text) for word in ("etcdserver", "webhook"))


def message_of(text):
    try:
        return json.loads(text)["message"]
    except (ValueError, KeyError, TypeError):
        return text.decode(errors="replace")[:300]


def hosts_path(namespace, name=""):
    return f"{HOSTS}/namespaces/{namespace}/baremetalhosts" + (f"/{name}" if name else "")


def environment(kubeconfig):
    return {"KUBECONFIG": os.fspath(kubeconfig)}
