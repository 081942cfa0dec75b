"""Between a program and its Kubernetes: everything is passed on, watches line by line, under another user agent, and so under
another field manager."""
import http.client
import json

from kube import Kube
from passing_on import PassingOn, kept, send_head

RENAMED = ("user-agent", "accept-encoding")   # beside what is each connection's own
WATCH_SECONDS = 3600


class Renamed:
    """`kubeconfig`: of the API as this one tells it, for whoever `kubeconfig` names. `name`: of the field manager."""

    def __init__(self, kubeconfig, name, path):
        self.far, self.name, self.kubeconfig = Kube(kubeconfig), name, path
        self.between = PassingOn(self._answer)
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "here", "users": [{"name": "here", "user": {}}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "here"}}],
            "clusters": [{"name": "here", "cluster": {"server": self.between.url}}]}))

    def close(self):
        self.between.close()

    def _answer(self, near, body):
        far = self.far.connect(WATCH_SECONDS)
        try:
            headers = {**kept(near.headers, *RENAMED), **self.far.headers, "User-Agent": f"{self.name}/v0.0.0"}
            far.request(near.command, near.path, body or None, headers)
            self._pass_on(near, far.getresponse())
        except (OSError, http.client.HTTPException):
            near.close_connection = True
        finally:
            far.close()

    def _pass_on(self, near, answer):
        send_head(near, answer, *RENAMED)
        near.send_header("Transfer-Encoding", "chunked")
        near.end_headers()
        while part := answer.read1(65536):
            near.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
        near.wfile.write(b"0\r\n\r\n")
