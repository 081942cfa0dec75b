"""Between a program and its Kubernetes: everything is passed on, watches line by line, under another user agent, and so under
another field manager."""
import http.client
import http.server
import json
import threading

from kube import Kube

OWN = ("connection", "transfer-encoding", "content-length", "host", "keep-alive", "user-agent", "accept-encoding")
WATCH_SECONDS = 3600


class Renamed:
    """`kubeconfig`: of the API as this one tells it, for whoever `kubeconfig` names. `name`: of the field manager."""

    def __init__(self, kubeconfig, name, path):
        self.far, self.name, self.kubeconfig = Kube(kubeconfig), name, path
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        path.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "here", "users": [{"name": "here", "user": {}}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "here"}}],
            "clusters": [{"name": "here", "cluster": {"server": f"http://127.0.0.1:{self.server.server_port}"}}]}))

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def _handler(self):
        renamed = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                far = renamed.far.connect(WATCH_SECONDS)
                try:
                    headers = {**kept(self.headers), **renamed.far.headers, "User-Agent": f"{renamed.name}/v0.0.0"}
                    far.request(self.command, self.path, body or None, headers)
                    self.pass_on(far.getresponse())
                except (OSError, http.client.HTTPException):
                    self.close_connection = True
                finally:
                    far.close()

            def pass_on(self, answer):
                self.send_response(answer.status)
                for name, value in kept(answer.headers).items():
                    self.send_header(name, value)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                while part := answer.read1(65536):
                    self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
                self.wfile.write(b"0\r\n\r\n")

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        return Handler


def kept(headers):
    return {name: value for name, value in headers.items() if name.lower() not in OWN}
