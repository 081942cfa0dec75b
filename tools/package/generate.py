"""generate.py PROGRAM FOLDER: the manual page and the completions of a program, below FOLDER as below /usr/share.

Run by the build (tools/cmake/IngotInstall.cmake).
"""
import gzip
import pathlib
import subprocess
import sys

import completions
import help_text
import manual

SECTIONS = pathlib.Path(__file__).parent / "sections"
PAGES = {"ingot-coordinator": (8, "turns racks of servers into Kubernetes nodes"),
         "ingot-agent": (8, "serves the BMCs of one network for an Ingot coordinator"),
         "ingotctl": (1, "look at and steer the servers that Ingot manages")}
ALSO = {"ingotctl": "kubectl-ingot"}   # `kubectl ingot` starts it under this name,
COMPLETES = "kubectl_complete-ingot"   # and this program to complete that


def main(program, folder):
    name = program.name
    section, summary = PAGES[name]
    command = help_text.read(program)
    version = said(program, *(["version", "--client"] if name in ALSO else ["--version"])).split()[-1]
    text = manual.page(command, section, version, summary, (SECTIONS / f"{name}.roff").read_text())
    pages = folder / f"man/man{section}"
    write(pages / f"{name}.{section}.gz", gzip.compress(text.encode(), 9, mtime=0))
    scripts = {shell: said(program, "completion", shell) for shell in completions.FOLDERS} if name in ALSO else completions.scripts(command)
    for shell, place in completions.FOLDERS.items():
        write(folder / place.format(name), scripts[shell].encode())
    if name in ALSO:
        under_another_name(name, ALSO[name], folder, pages)


def under_another_name(name, other, folder, pages):
    """zsh's script names both itself."""
    for each in (other, COMPLETES):
        link(pages / f"{each}.1.gz", f"{name}.1.gz")
    link(folder / completions.FOLDERS["bash"].format(other), name)
    write(folder / completions.FOLDERS["fish"].format(other), f"complete -c {other} -w {name}\n".encode())


def said(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def link(path, target):
    path.unlink(missing_ok=True)
    path.symlink_to(target)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
