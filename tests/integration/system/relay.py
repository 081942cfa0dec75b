"""A network between two programs that can fail silently."""
import socket
import threading

CHUNK = 65536


class Relay:
    """Listens on `port` (0: any), hands everything on to `goal`, an address and a port; what comes while it is cut waits."""

    def __init__(self, goal, port=0, address="127.0.0.1"):
        self.goal = goal
        self.whole = threading.Event()
        self.whole.set()
        self.listener = socket.create_server((address, port))
        self.port = self.listener.getsockname()[1]
        self.sockets = [self.listener]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self.whole.clear()

    def mend(self):
        self.whole.set()

    def close(self):
        self.mend()
        self.listener.shutdown(socket.SHUT_RDWR)   # or it would listen until somebody comes
        for each in self.sockets:
            each.close()

    def drop(self):
        """Ends every connection that there is."""
        for each in self.sockets[1:]:
            each.close()
        del self.sockets[1:]

    def target(self):
        """Of the next connection; None: there is none."""
        return self.goal

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near):
        self.whole.wait()
        target = self.target()
        try:
            far = socket.create_connection(target) if target else None
        except OSError:
            far = None
        if not far:
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
