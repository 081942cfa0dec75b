"""Disk images with random content, and what tools of others say about a disk that one was written to."""
import hashlib
import json
import os
import pathlib
import subprocess

SECTOR = 512
PATH = {**os.environ, "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin", "LC_ALL": "C"}


def tool(*argv, stdin=None):
    return subprocess.run(argv, check=True, capture_output=True, text=stdin is None or isinstance(stdin, str), input=stdin,
                          env=PATH, timeout=300).stdout


def make_image(path, mebibytes=24, label="gpt"):
    """One partition full of random bytes. Returns the image's SHA-256."""
    with open(path, "wb") as image:
        image.truncate(mebibytes << 20)
    tool("sfdisk", "--quiet", str(path), stdin=f"label: {label}\nstart=2048, size={(mebibytes - 2) * 2048}\n")
    with open(path, "r+b") as image:
        image.seek(2048 * SECTOR)
        for _ in range(mebibytes - 2):
            image.write(os.urandom(1 << 20))
    return hashlib.sha256(path.read_bytes()).hexdigest()


def partitions(path):
    return json.loads(tool("sfdisk", "--json", str(path)))["partitiontable"]["partitions"]


def sha256_of_region(path, start, size):
    """Of sectors, by dd and sha256sum."""
    dd = subprocess.Popen(["dd", f"if={path}", f"bs={SECTOR}", f"skip={start}", f"count={size}", "status=none"],
                          stdout=subprocess.PIPE)
    line = subprocess.run(["sha256sum"], stdin=dd.stdout, check=True, capture_output=True, text=True).stdout
    dd.wait()
    return line.split()[0]


def check_disk(disk, image):
    """The image's partition is on the disk byte for byte; the disk's partition tables are sound."""
    wanted = partitions(image)[0]
    found = partitions(disk)[0]
    assert (found["start"], found["size"]) == (wanted["start"], wanted["size"]), (found, wanted)
    assert sha256_of_region(disk, found["start"], found["size"]) == sha256_of_region(image, wanted["start"], wanted["size"])
    report = tool("sfdisk", "--verify", str(disk))
    assert "No errors detected" in report, report


def config_drive(disk, scratch):
    """Files of the config drive, found by blkid and read by isoinfo."""
    last = max(partitions(disk), key=lambda p: p["start"])
    offset, size = last["start"] * SECTOR, last["size"] * SECTOR
    probe = tool("blkid", "-p", "-o", "export", "-O", str(offset), "-S", str(size), str(disk))
    facts = dict(line.split("=", 1) for line in probe.splitlines() if "=" in line)
    assert facts.get("LABEL") == "config-2" and facts.get("TYPE") == "iso9660", probe
    iso = pathlib.Path(scratch) / "config.iso"
    tool("dd", f"if={disk}", f"of={iso}", f"bs={SECTOR}", f"skip={last['start']}", f"count={last['size']}", "status=none")
    return {name: tool("isoinfo", "-i", str(iso), "-R", "-x", f"/openstack/latest/{name}")
            for name in ("user_data", "meta_data.json", "network_data.json")}
