"""Between replicas and their kube-apiserver: what they ask is passed on, or answered as a server in trouble answers."""
import asyncio
import json
import random
import ssl
import threading
import urllib.parse

READ = b"GET"
LIMIT = 1 << 20   # bytes of a head
# By what is written about them in the answer: code, reason, further headers.
BUSY = 429, "TooManyRequests", "Retry-After: 1\r\n"
BROKEN = 500, "InternalError", ""


class FaultyApi:
    """HTTPS on a port of its own of the server's address, with the server's own certificate. While `trouble` is on, of ten requests two are answered
    429 and one 500 without being done, and of ten writes one is done and answered 500. Watches that are open stay open."""

    def __init__(self, api, seed=7):
        folder = api.kubeconfig.parent
        self.upstream = urllib.parse.urlsplit(api.url())
        self.near = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.near.load_cert_chain(folder / "server.crt", folder / "server.key")
        self.far = ssl.create_default_context(cafile=folder / "ca.crt")
        self.random, self.trouble = random.Random(seed), False
        self.answered = {"429": 0, "500": 0, "500 and done": 0}
        self.loop = asyncio.new_event_loop()
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, self.upstream.hostname, 0, ssl=self.near, limit=LIMIT))
        self.address = server.sockets[0].getsockname()   # and port
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)

    async def _serve(self, reader, writer):
        passing = None
        try:
            far_reader, far_writer = await self._connect()
            passing = asyncio.ensure_future(pump(far_reader, writer))
            while True:
                request = await read_request(reader)
                answer = await self._answer(request) if self.trouble else None
                stream = writer if answer else far_writer
                stream.write(answer or request)
                await stream.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            if passing:
                far_writer.close()
                passing.cancel()

    def _connect(self):
        return asyncio.open_connection(self.upstream.hostname, self.upstream.port, ssl=self.far)

    async def _answer(self, request):
        """None: the server's own."""
        lot, is_write = self.random.randrange(10), not request.startswith(READ)
        if lot < 2:
            return self._say("429", BUSY)
        if lot == 2:
            return self._say("500", BROKEN)
        if lot == 3 and is_write:
            await self._carry_out(request)
            return self._say("500 and done", BROKEN)
        return None

    def _say(self, what, answer):
        self.answered[what] += 1
        code, reason, headers = answer
        body = json.dumps({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code,
                           "message": "the test lets it fail"})
        return (f"HTTP/1.1 {code} {reason}\r\nContent-Type: application/json\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
                f"{body}").encode()

    async def _carry_out(self, request):
        """On a connection of its own, which ends with the answer."""
        line, _, rest = request.partition(b"\r\n")
        reader, writer = await self._connect()
        try:
            writer.write(line + b"\r\nConnection: close\r\n" + rest)
            await reader.read()
        finally:
            writer.close()


async def read_request(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line.partition(b":")[2] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return head + (await reader.readexactly(int(lengths[0])) if lengths else b"")


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
