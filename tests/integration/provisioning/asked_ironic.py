"""Between a coordinator and its Ironic: everything is passed on, and what was asked is remembered."""
import http.client
import json
import typing
import urllib.parse

from passing_on import PassingOn, kept, send_head

SECONDS = 60


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
        self.between = PassingOn(self._answer, address)
        self.url = self.between.url

    def close(self):
        self.between.close()

    def changes(self):
        return [each for each in self.asked if not each.is_reading]

    def clear(self):
        self.asked.clear()

    def _answer(self, near, body):
        self.asked.append(Asked(near.command, near.path, json.loads(body) if body else None))
        far = http.client.HTTPConnection(self.far, timeout=SECONDS)
        try:
            far.request(near.command, near.path, body or None, kept(near.headers))
            answer = far.getresponse()
            text = answer.read()
        except OSError:
            near.send_error(502)
            return
        finally:
            far.close()
        send_head(near, answer)
        if answer.status != 204:
            near.send_header("Content-Length", str(len(text)))
        near.end_headers()
        near.wfile.write(text)
