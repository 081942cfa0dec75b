"""Whether a server says that it is well."""
import http.client
import ssl
import urllib.error
import urllib.request


def directly(url, tls=None, seconds=5):
    """Opens it past all proxies; `tls`: the context of HTTPS."""
    handlers = [urllib.request.HTTPSHandler(context=tls)] if tls else []
    return urllib.request.build_opener(urllib.request.ProxyHandler({}), *handlers).open(url, timeout=seconds)


def healthy(url, authority=None):
    """One question; `authority`: the file of who has signed the server's certificate."""
    try:
        with directly(url, ssl.create_default_context(cafile=authority) if authority else None) as answer:
            return answer.status == 200
    except (OSError, http.client.HTTPException):
        return False


def asked(url):
    """What it says, be it well or not."""
    try:
        with directly(url) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
