#!/usr/bin/env python3
"""A program for containers of tests: serves at 8080 what it sees of its surroundings, and becomes ill or stubborn when it is told."""
import http.server
import json
import os
import pathlib
import signal
import socketserver
import ssl
import sys
import urllib.parse
import urllib.request

ACCOUNT = pathlib.Path("/var/run/secrets/kubernetes.io/serviceaccount")
SHOWN = pathlib.Path("/etc-of-mine"), ACCOUNT
state = {"ready": "yes", "live": "yes", "stubborn": "no"}


def seen(address):
    files = {str(path): path.read_text() for folder in SHOWN for path in folder.iterdir() if path.is_file()}
    return {"arguments": sys.argv[1:], "environment": dict(os.environ), "user": os.getuid(), "address": address, "api": api(),
            "files": {path: text for path, text in files.items() if not path.endswith("/token")}, "capabilities": capabilities(),
            "folders": sorted(os.listdir("/")), "writes": {folder: written(folder) for folder in ("/", "/scratch", "/etc-of-mine")}}


def written(folder):
    try:
        pathlib.Path(folder, "written").write_text("")
        return "written"
    except OSError:
        return "read-only"


def capabilities():
    """None: those of somebody who has all in a user namespace."""
    if os.getuid() == 0:
        return None
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return sum(int(line.split()[1], 16) for line in lines if line.startswith(("CapEff", "CapPrm", "CapBnd")))


def api():
    """Where it is, and whom it takes this pod for."""
    host, port = os.environ["KUBERNETES_SERVICE_HOST"], os.environ["KUBERNETES_SERVICE_PORT"]
    request = urllib.request.Request(
        f"https://{host}:{port}/apis/authentication.k8s.io/v1/selfsubjectreviews", method="POST",
        data=json.dumps({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}).encode(),
        headers={"Authorization": f"Bearer {(ACCOUNT / 'token').read_text()}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=ACCOUNT / "ca.crt"), timeout=30) as answer:
        return f"{host} {port} {answer.status // 100 * 100} {json.load(answer)['status']['userInfo']['username']}"


class Mirror(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked = urllib.parse.urlsplit(self.path)
        what = asked.path.removeprefix("/")
        if what == "be":
            state.update(urllib.parse.parse_qsl(asked.query))
        elif what == "farewell":
            print("farewell", flush=True)
        body = json.dumps(seen(self.server.server_address[0]) if what == "" else {}).encode()
        self.send_response(200 if state.get(what, "yes") == "yes" else 503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    """Not an HTTPServer, which would ask for its name."""
    daemon_threads = allow_reuse_address = True


def told_to_end(*_):
    print("told to end", flush=True)
    if state["stubborn"] == "no":
        sys.exit(0)


signal.signal(signal.SIGTERM, told_to_end)
server = Server((os.environ["WHERE"], 8080), Mirror)
pathlib.Path("/scratch/started").touch()
server.serve_forever()
