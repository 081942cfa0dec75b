"""What tools that are not ours say about a disk that was provisioned."""
import json
import pathlib
import subprocess

import yaml

from failure import Failure
from processes import clean_environment, run

SECTOR = 512
MIB = 1 << 20


def sha256_of_region(path, offset, size):
    """By dd and sha256sum."""
    command = ["dd", f"if={path}", "bs=1M", f"skip={offset}", f"count={size}", "iflag=skip_bytes,count_bytes", "status=none"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as dd:
        done = subprocess.run(["sha256sum"], stdin=dd.stdout, capture_output=True, text=True, check=True)
    if dd.returncode != 0:
        raise Failure(f"dd cannot read {path}")
    return done.stdout.split()[0]


def image_is_on(disk, image):
    """The image's bytes lie on the disk. Its first MiB holds the partition table, into which the config drive was entered:
    the table is checked by sfdisk, everything behind it byte for byte."""
    rest = image.size - MIB
    wanted, found = (sha256_of_region(path, MIB, rest) for path in (image.path, disk))
    if wanted != found:
        raise Failure(f"{disk}: the written region has the SHA-256 {found}, the image {wanted}")
    ours, theirs = partitions(image.path)[0], partitions(disk)[0]
    if any(ours[what] != theirs.get(what) for what in ("start", "size", "uuid")):   # an MBR's partitions have no uuid
        raise Failure(f"{disk}: the first partition is {theirs}, in the image {ours}")
    # sfdisk reports errors on standard error and exits with 0 all the same.
    report = run(["sfdisk", "--verify", disk], f"sfdisk --verify {disk}", errors_too=True)
    if "No errors detected" not in report:
        raise Failure(f"{disk}: sfdisk finds errors in the partition table: {' '.join(report.split())}")
    return found


def partitions(path):
    return json.loads(run(["sfdisk", "--json", path], f"partitions of {path}"))["partitiontable"]["partitions"]


def table_type(path):
    """"gpt", "dos", or nothing, by blkid; it exits with 2 when it recognises nothing."""
    done = subprocess.run(["blkid", "-p", "-o", "value", "-s", "PTTYPE", path], capture_output=True, text=True, check=False,
                          env=clean_environment())
    return done.stdout.strip()


def config_drive(disk, scratch):
    """Label as blkid says it, and the three files as isoinfo reads them, of the partition at the disk's end."""
    last = max(partitions(disk), key=lambda partition: partition["start"])
    offset, size = last["start"] * SECTOR, last["size"] * SECTOR
    probe = run(["blkid", "-p", "-o", "export", "-O", str(offset), "-S", str(size), disk], f"blkid on the end of {disk}")
    facts = dict(line.split("=", 1) for line in probe.splitlines() if "=" in line)
    if (facts.get("LABEL"), facts.get("TYPE")) != ("config-2", "iso9660"):
        raise Failure(f"{disk}: the last partition is no config drive; blkid says {' '.join(probe.split())}")
    iso = scratch / f"{pathlib.Path(disk).stem}.config-2.iso"
    run(["dd", f"if={disk}", f"of={iso}", "bs=1M", f"skip={offset}", f"count={size}", "iflag=skip_bytes,count_bytes",
         "conv=sparse", "status=none"], "copying the config drive")
    return {name: read_file(iso, name) for name in ("user_data", "meta_data.json", "network_data.json")}


def read_file(iso, name):
    done = subprocess.run(["isoinfo", "-i", iso, "-R", "-x", f"/openstack/latest/{name}"], capture_output=True, check=False,
                          env=clean_environment())
    if done.returncode != 0 or not done.stdout:
        raise Failure(f"{iso}: isoinfo finds no {name}")
    return done.stdout.decode()


def config_is(drive, host, manifests):
    """The config drive holds what the Secrets say; meta-data may hold more (uuid, names)."""
    if drive["user_data"] != manifests.config_text(host, "userData"):
        raise Failure(f"{host}: the config drive's user_data differs from the Secret")
    network = yaml.safe_load(manifests.config_text(host, "networkData"))
    if json.loads(drive["network_data.json"]) != network:
        raise Failure(f"{host}: the config drive's network_data.json differs from the Secret")
    held = json.loads(drive["meta_data.json"])
    for key, value in yaml.safe_load(manifests.config_text(host, "metaData")).items():
        if held.get(key) != value:
            raise Failure(f"{host}: meta_data.json says {key} = {held.get(key)!r}, the Secret {value!r}")
