"""An HTTP server between two programs, which passes on what it is asked."""
import http.server
import threading

OWN = ("connection", "transfer-encoding", "content-length", "host", "keep-alive")   # of each of the two connections


def kept(headers, *others):
    """Those that go from one connection to the other."""
    return {name: value for name, value in headers.items() if name.lower() not in (*OWN, *others)}


def send_head(handler, answer, *others):
    """Status and headers of the answer that came from the other side; what tells of its end is yet to come."""
    handler.send_response(answer.status)
    for name, value in kept(answer.headers, *others).items():
        handler.send_header(name, value)


class PassingOn:
    """`answer`: called with the handler of a request and its body, in a thread of its own."""

    def __init__(self, answer, address="127.0.0.1"):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                answer(self, self.rfile.read(int(self.headers.get("Content-Length", 0))))

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = pass_on

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://{address}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
