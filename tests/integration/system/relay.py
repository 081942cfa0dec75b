"""A network between an agent and its coordinator that can fail silently: while it is cut nothing passes and nobody is told."""
import socket
import threading

CHUNK = 65536


class Relay:
    """Listens on `port` of loopback, hands everything on to `target_port`; what comes while it is cut waits."""

    def __init__(self, target_port):
        self.target_port = target_port
        self.whole = threading.Event()
        self.whole.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets = [self.listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self.whole.clear()

    def mend(self):
        self.whole.set()

    def close(self):
        self.mend()
        for each in self.sockets:
            each.close()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near):
        self.whole.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self.target_port))
        except OSError:
            near.close()
            return
        self.sockets += [near, far]
        threading.Thread(target=self._pump, args=(near, far), daemon=True).start()
        self._pump(far, near)

    def _pump(self, source, sink):
        try:
            while data := source.recv(CHUNK):
                self.whole.wait()
                sink.sendall(data)
        except OSError:
            pass
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
