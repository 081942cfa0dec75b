"""Whether a server says that it is well."""
import http.client
import ssl
import urllib.error
import urllib.request


def healthy(url, authority=None):
    """One question; `authority`: the file of who has signed the server's certificate."""
    handlers = [urllib.request.ProxyHandler({})]
    if authority:
        handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=authority)))
    try:
        with urllib.request.build_opener(*handlers).open(url, timeout=5) as answer:
            return answer.status == 200
    except (OSError, http.client.HTTPException):
        return False


def asked(url):
    """What it says, be it well or not."""
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
