"""Between a coordinator and its Ironic: everything is passed on, and what was asked is remembered."""
import http.client
import http.server
import json
import threading
import typing
import urllib.parse

SECONDS = 60
OWN = ("connection", "transfer-encoding", "content-length", "host", "keep-alive")   # of each of the two connections


class Asked(typing.NamedTuple):
    method: str
    path: str
    body: object

    @property
    def is_reading(self):
        return self.method == "GET"


class AskedIronic:
    """`url`: where to ask, at this `address`; `asked`: everything, in its order."""

    def __init__(self, url, address="127.0.0.1"):
        self.asked, self.far = [], urllib.parse.urlsplit(url).netloc
        self.server = http.server.ThreadingHTTPServer((address, 0), self._handler())
        self.server.daemon_threads = True
        self.url = f"http://{address}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def changes(self):
        return [each for each in self.asked if not each.is_reading]

    def clear(self):
        self.asked.clear()

    def _handler(self):
        ironic = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                ironic.asked.append(Asked(self.command, self.path, json.loads(body) if body else None))
                far = http.client.HTTPConnection(ironic.far, timeout=SECONDS)
                try:
                    far.request(self.command, self.path, body or None, kept(self.headers))
                    answer = far.getresponse()
                    text = answer.read()
                except OSError:
                    self.send_error(502)
                    return
                finally:
                    far.close()
                self.send_response(answer.status)
                for name, value in kept(answer.headers).items():
                    self.send_header(name, value)
                if answer.status != 204:
                    self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        return Handler


def kept(headers):
    return {name: value for name, value in headers.items() if name.lower() not in OWN}
