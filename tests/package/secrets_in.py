"""What of a file's content looks like a secret."""
import re

# With a beginning of what they hold: a program names the header of a key that it reads.
PATTERNS = {
    "a private key": rb"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\[nr])+[A-Za-z0-9+/]{20}",
    "a private key in base64": rb"LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRVk|BQUklWQVRFIEtFWS|BFQyBQUklWQVRFIEtFWS)[A-Za-z0-9+/]{20}",
    "a token": rb"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    "a password in a URL": rb"[a-z]://[A-Za-z0-9._-]+:(?!PASSWORD)[A-Za-z0-9._~+-]+@[A-Za-z0-9]",
    "a password": rb"(?im)^[ \t-]*[\w.-]*(?:password|passwd|secretkey|secret_key|apikey|token)[ \t]*[:=][ \t]*[\"']?(?P<value>[^\s\"'#,{}\[\]]{4,})"
                  rb"(?=[\"']?[ \t]*,?[ \t]*(?:#.*)?$)",
}
# What stands for one: to be replaced, taken from elsewhere, or a word of a schema.
PLACEHOLDER = re.compile(rb"^(?:change-me|replace-me|\$|<|/|object|string|boolean|array|true|false|null|files$)")


def secrets_in(content):
    """The kinds that were found, with where."""
    found = []
    for what, pattern in PATTERNS.items():
        for each in re.finditer(pattern, content):
            if "value" not in each.groupdict() or not PLACEHOLDER.match(each["value"]):
                found.append(f"{what} at byte {each.start()}: {each[0][:40]!r}")
    return found


def is_text(content):
    return b"\0" not in content[:4096]
