"""A Debian of its own in a folder, from the mirror that this machine's apt uses, and programs that run with it as their root."""
import os
import pathlib
import shutil
import subprocess

from making import run

RELEASE = "bookworm"
SUITE = ("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT) $(ORIGIN)", "Created-By: Packages")
# Nobody answers: what dpkg asks about a conffile fails.
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/root"}
# What changes with every program that is installed, whichever it is.
RECORDS = ("proc", "sys", "dev", "tmp", "run", "packages", "var/cache", "var/log", "var/lib/apt", "var/lib/dpkg",
           "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-")


def mirror():
    for line in run(*SUITE).splitlines():
        uri, name, component, origin = line.split(maxsplit=3)
        if (name, component, origin) == (RELEASE, "main", "Debian") and "security" not in uri:
            return uri.removesuffix("/")
    raise AssertionError(f"this machine's apt has no mirror of {RELEASE}")


def proxies():
    """As apt has them."""
    said = run("apt-config", "shell", "http_proxy", "Acquire::http::Proxy", "https_proxy", "Acquire::https::Proxy")
    told = dict(line.split("=", 1) for line in said.splitlines())
    return {name: value.strip("'") for name, value in told.items()}


class Root:
    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def made(cls, folder, depends):
        """With what `depends` names, in the words of a package."""
        uri = mirror()
        more = ["--include=ca-certificates"] if uri.startswith("https:") else []
        run("debootstrap", "--variant=minbase", *more, RELEASE, folder, uri, env={**os.environ, **proxies()})
        root = cls(folder)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        (folder / "etc/dpkg/dpkg.cfg.d/fast").write_text("force-unsafe-io\n")
        root.run("apt-get", "update")
        root.run("apt-get", "satisfy", "--yes", "--no-install-recommends", depends)
        return root

    def copy(self, folder):
        run("cp", "--archive", self.folder, folder)
        return Root(folder)

    def command(self, *words):
        """Its processes end with it, and see no other."""
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", f"--mount-proc={self.folder}/proc",
                "chroot", str(self.folder), *words]

    def run(self, *words):
        return run(*self.command(*words), env={**ENVIRONMENT, **proxies()}, stdin=subprocess.DEVNULL)

    def install(self, packages, *options):
        """As `apt install ./FILE...` does."""
        place = self.folder / "packages"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        names = [pathlib.Path(shutil.copy(package, place)).name for package in packages]
        return self.run("apt-get", "install", "--yes", "--no-install-recommends", *options, *(f"/packages/{name}" for name in names))

    def file(self, path):
        return self.folder / path.lstrip("/")

    def files(self):
        """All but records."""
        found = set()
        for folder, folders, files in os.walk(self.folder):
            here = pathlib.Path(folder).relative_to(self.folder)
            folders[:] = [name for name in folders if str(here / name) not in RECORDS]
            found |= {str(here / name) for name in (*folders, *files)}
        return found - set(RECORDS)
