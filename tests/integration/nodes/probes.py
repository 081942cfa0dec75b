"""Probes of containers: asked in their period, judged by their thresholds."""
import http.client
import socket
import ssl
import subprocess
import threading
import urllib.error
import urllib.request

BUSY = 5   # times the time-out of a probe: this machine has few cores


class Probe:
    """One probe of one run of a container. `run`: has `address`, `ports` by name, and enter(), the words that start a program
    where the container's are. `good` is None until it is known."""

    def __init__(self, spec, run, good=None, may_begin=lambda: True):
        self.spec, self.run, self.good, self.may_begin = spec, run, good, may_begin
        self.over = threading.Event()
        self.answers = 0   # alike, one after the other
        threading.Thread(target=self._go_on, daemon=True).start()

    def end(self):
        self.over.set()

    def _go_on(self):
        self.over.wait(self.spec.get("initialDelaySeconds", 0))
        last = None
        while not self.over.is_set():
            if self.may_begin():
                answer = ask(self.spec, self.run)
                self.answers = self.answers + 1 if answer == last else 1
                last = answer
                if self.answers >= self.spec.get("successThreshold" if answer else "failureThreshold", 1 if answer else 3):
                    self.good = answer
            self.over.wait(self.spec.get("periodSeconds", 10))


def ask(handler, run):
    """Whether it is well, once; `handler`: of a probe, or a hook."""
    seconds = BUSY * handler.get("timeoutSeconds", 1)
    try:
        if "httpGet" in handler:
            return answers(handler["httpGet"], run, seconds)
        if "tcpSocket" in handler:
            port = port_of(handler["tcpSocket"]["port"], run)
            socket.create_connection((handler["tcpSocket"].get("host", run.address), port), seconds).close()
            return True
        command = [*run.enter(), *handler["exec"]["command"]]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False).returncode == 0
    except (OSError, http.client.HTTPException, subprocess.TimeoutExpired):
        return False


def answers(wanted, run, seconds):
    """The certificate is anybody's, as for a kubelet."""
    scheme = wanted.get("scheme", "HTTP").lower()
    url = f"{scheme}://{wanted.get('host', run.address)}:{port_of(wanted['port'], run)}{wanted.get('path', '/')}"
    headers = {each["name"]: each["value"] for each in wanted.get("httpHeaders", ())}
    tls = ssl.create_default_context()
    tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=tls))
    try:
        with opener.open(urllib.request.Request(url, headers=headers), timeout=seconds) as answer:
            return answer.status < 400
    except urllib.error.HTTPError:
        return False


def port_of(port, run):
    return run.ports[port] if isinstance(port, str) and not port.isdigit() else int(port)
