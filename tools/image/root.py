"""The files of an image."""
import pathlib
import re
import subprocess
import tempfile
import typing

AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
TRUSTED = pathlib.Path("/usr/share/ca-certificates")   # as the package has them: not those that this machine trusts besides
MODULES = pathlib.Path("/usr/lib/x86_64-linux-gnu/ossl-modules")   # for BMCs that speak nothing newer
USER = 65532
ACCOUNTS = {"/etc/passwd": "root:x:0:0:root:/:/usr/sbin/nologin\nnonroot:x:65532:65532:nonroot:/tmp:/usr/sbin/nologin\n",
            "/etc/group": "root:x:0:\nnonroot:x:65532:\n",
            "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n"}


class Missing(Exception):
    pass


class File(typing.NamedTuple):
    path: str                           # in the image
    content: bytes | None = None        # None: a folder
    mode: int = 0o644
    source: pathlib.Path | None = None   # on this machine
    owner: int = 0


def files(program, also, state=None):
    """Of the program, stripped, what it starts, and what both need; `state`: a folder that it writes to. Sorted, each once."""
    found = {f"/usr/bin/{program.name}": File(f"/usr/bin/{program.name}", stripped(program), 0o755, program)}
    for needed in (program, *map(pathlib.Path, also)):
        for path, source in libraries(needed).items():
            found[path] = File(path, source.read_bytes(), 0o755, source)
    for path in also:
        source = pathlib.Path(path)
        if not source.exists():
            raise Missing(f"{path} is not on this machine: ./dev setup installs what is needed")
        found[path] = File(path, source.read_bytes(), 0o755, source)
    found[AUTHORITIES] = File(AUTHORITIES, authorities())
    for module in sorted(MODULES.glob("*.so")):
        found[str(module)] = File(str(module), module.read_bytes(), 0o644, module)
    for path, text in ACCOUNTS.items():
        found[path] = File(path, text.encode())
    if state:
        found[state] = File(state, None, 0o700, owner=USER)
    return sorted(found.values(), key=lambda file: file.path)


def authorities():
    certificates = sorted(TRUSTED.rglob("*.crt"))
    if not certificates:
        raise Missing(f"{TRUSTED} holds no certificates: install the package ca-certificates")
    return b"".join(file.read_bytes().rstrip(b"\n") + b"\n" for file in certificates)


def copyrights(packages):
    """What each package asks to be passed on."""
    out = []
    for package in packages:
        source = pathlib.Path("/usr/share/doc") / package.name / "copyright"
        if package.name and source.exists():
            out.append(File(str(source), source.read_bytes()))
    return out


def libraries(program):
    """Where the loader looks for each, and the file that is there."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    if "not found" in said:
        raise Missing(f"{program} needs libraries that are not on this machine")
    found = {}
    for name in re.findall(r"(?:=> )?(/\S+) \(0x", said):
        path = name if name.startswith("/lib64/") else name.replace("/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/")
        found[path] = pathlib.Path(name).resolve()
    return found


def stripped(program):
    if not program.exists():
        raise Missing(f"{program} is not built: cmake --preset release && cmake --build build/release")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / program.name
        subprocess.run(["strip", "--strip-all", "--remove-section=.comment", "-o", out, program], check=True)
        return out.read_bytes()
