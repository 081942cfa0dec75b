"""Disks as sfdisk, blkid and isoinfo see them: a right one passes, and each way to be wrong is told."""
import base64
import json
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

import parts  # noqa: F401  (it finds the demo's modules)

import image
import verify
from failure import Failure
from manifests import Manifests
from processes import run

FILES = {"user_data": "#cloud-config\n", "meta_data.json": '{"name": "node-1", "uuid": "u"}', "network_data.json": '{"links": []}'}
CONFIG = {"userData": "#cloud-config\n", "metaData": "name: node-1\n", "networkData": "links: []\n"}


class Disk(unittest.TestCase):
    """A small image, and a disk to which it was written, with a config drive at its end."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-verify-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(setattr, image, "MEBIBYTES", image.MEBIBYTES)
        image.MEBIBYTES = 4
        self.image = image.Image(self.folder, "http://127.0.0.1:1")
        self.image.make()
        self.disk = self.folder / "disk.img"
        shutil.copy(self.image.path, self.disk)
        with open(self.disk, "r+b") as disk:
            disk.truncate(8 << 20)

    def add_config_drive(self, label="config-2", files=FILES):
        content = self.folder / "content/openstack/latest"
        content.mkdir(parents=True)
        for name, text in files.items():
            (content / name).write_text(text)
        iso = self.folder / "config.iso"
        subprocess.run(["genisoimage", "-quiet", "-R", "-V", label, "-o", iso, self.folder / "content"], check=True)
        run(["sfdisk", "--quiet", "--append", self.disk], "adding a partition", stdin="start=10240, size=2048\n")
        self.put(10240 * 512, iso.read_bytes())

    def put(self, offset, data):
        with open(self.disk, "r+b") as disk:
            disk.seek(offset)
            disk.write(data)

    def move_partition(self, index, first):
        """In the first copy of the GPT, its checksums included: sfdisk would refuse to write such a table."""
        with open(self.disk, "r+b") as disk:
            disk.seek(512)
            header = bytearray(disk.read(92))
            count, size = struct.unpack_from("<II", header, 80)
            disk.seek(1024)
            entries = bytearray(disk.read(count * size))
            struct.pack_into("<Q", entries, index * size + 32, first)
            struct.pack_into("<I", header, 88, zlib.crc32(entries))
            struct.pack_into("<I", header, 16, 0)
            struct.pack_into("<I", header, 16, zlib.crc32(header))
        self.put(512, header)
        self.put(1024, entries)

    def drive(self):
        return verify.config_drive(self.disk, self.folder)


class TheImage(Disk):
    def test_that_was_written_is_recognised(self):
        self.add_config_drive()
        self.assertEqual(len(verify.image_is_on(self.disk, self.image)), 64)

    def test_with_one_wrong_byte_is_told_with_both_digests(self):
        self.put((2 << 20) + 5, b"\0\1\2\3")
        with self.assertRaisesRegex(Failure, "the written region has the SHA-256 [0-9a-f]{64}, the image [0-9a-f]{64}"):
            verify.image_is_on(self.disk, self.image)

    def test_behind_another_partition_table_is_told(self):
        run(["sfdisk", "--quiet", self.disk], "another table", stdin="label: gpt\nstart=2048, size=2048\n")
        with open(self.image.path, "rb") as source:   # the table's second copy lies in the image's last MiB: put its data back
            source.seek(1 << 20)
            self.put(1 << 20, source.read())
        with self.assertRaisesRegex(Failure, "the first partition is .*, in the image "):
            verify.image_is_on(self.disk, self.image)

    def test_on_a_disk_whose_table_sfdisk_finds_wrong_is_told(self):
        self.add_config_drive()
        self.move_partition(1, first=3000)
        with self.assertRaisesRegex(Failure, "sfdisk finds errors in the partition table: .*overlaps.*1 error detected"):
            verify.image_is_on(self.disk, self.image)

    def test_on_a_disk_whose_table_became_one_of_another_type_is_told(self):
        self.put(512, bytes(512))   # the first copy's header, and there is no second one where the disk ends
        with self.assertRaisesRegex(Failure, "the first partition is .*, in the image "):
            verify.image_is_on(self.disk, self.image)

    def test_on_a_disk_that_cannot_be_read_is_told(self):
        self.disk.unlink()
        with self.assertRaisesRegex(Failure, "dd cannot read"):
            verify.image_is_on(self.disk, self.image)

    def test_of_a_disk_without_a_table_is_told(self):
        self.put(0, bytes(1 << 20))
        with self.assertRaisesRegex(Failure, "partitions of "):
            verify.image_is_on(self.disk, self.image)


class TheConfigDrive(Disk):
    def manifests(self):
        host = {"spec": {field: {"name": field.lower()} for field in CONFIG}}
        held = Manifests.__new__(Manifests)
        held.hosts = {"node-1": host}
        held.secrets = {field.lower(): {"metadata": {"name": field.lower()}, "data": {"value": base64.b64encode(text.encode()).decode()}}
                        for field, text in CONFIG.items()}
        return held

    def test_with_what_the_secrets_say_is_right(self):
        self.add_config_drive()
        verify.config_is(self.drive(), "node-1", self.manifests())

    def test_that_differs_from_a_secret_is_told(self):
        for name, text, words in (("user_data", "#!/bin/sh\n", "node-1: the config drive's user_data differs from the Secret"),
                                  ("network_data.json", '{"links": [1]}', "node-1: the config drive's network_data.json differs"),
                                  ("meta_data.json", json.dumps({"name": "node-2"}), "node-1: meta_data.json says name = 'node-2'")):
            with self.subTest(name), self.assertRaisesRegex(Failure, words):
                verify.config_is({**FILES, name: text}, "node-1", self.manifests())

    def test_with_another_label_is_told(self):
        self.add_config_drive(label="cidata")
        with self.assertRaisesRegex(Failure, "the last partition is no config drive; blkid says .*cidata"):
            self.drive()

    def test_without_a_file_is_told(self):
        self.add_config_drive(files={"user_data": "x", "meta_data.json": "{}"})
        with self.assertRaisesRegex(Failure, "isoinfo finds no network_data.json"):
            self.drive()

    def test_of_a_secret_without_the_field_is_told(self):
        held = self.manifests()
        held.secrets["userdata"]["data"] = {}
        with self.assertRaisesRegex(Failure, "Secret userdata has no userData"):
            held.config_text("node-1", "userData")


class Tools(unittest.TestCase):
    def test_a_tool_that_fails_is_told_with_its_last_words(self):
        with self.assertRaisesRegex(Failure, "^making it: no space$"):
            run(["sh", "-c", "echo first >&2; echo no space >&2; exit 1"], "making it")

    def test_a_tool_that_fails_silently_is_told_by_its_code(self):
        with self.assertRaisesRegex(Failure, "^making it: exit code 3$"):
            run(["sh", "-c", "exit 3"], "making it")

    def test_a_tool_that_hangs_is_told(self):
        with self.assertRaisesRegex(Failure, "^making it: 'sleep' did not end within 0.1 s$"):
            run(["sleep", "10"], "making it", seconds=0.1)


if __name__ == "__main__":
    unittest.main()
