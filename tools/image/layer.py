"""A layer of an image: a tar file that is the same whenever and wherever it is made of the same files."""
import gzip
import hashlib
import io
import pathlib
import tarfile

LEVEL = 6   # that of most tools that make images: 9 takes three times as long for half a percent
FOLDERS = {"/tmp": 0o1777}   # beside those that files are in


class Layer:
    """`plain` is the digest of the tar file, which a configuration names; `packed` what is stored."""

    def __init__(self, files):
        tar = _tar(files)
        self.plain = digest(tar)
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=LEVEL, mtime=0) as out:
            out.write(tar)
        self.packed = packed.getvalue()


def _tar(files):
    folders = dict(FOLDERS)
    for file in files:
        for folder in list(pathlib.PurePosixPath(file.path).parents)[:-1]:
            folders.setdefault(str(folder), 0o755)
    entries = [(path, mode, 0, None) for path, mode in folders.items()]
    entries += [(file.path, file.mode, file.owner, file.content) for file in files]
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path, mode, owner, content in sorted(entries, key=lambda entry: entry[0]):
            info = tarfile.TarInfo(path.lstrip("/"))
            info.mode, info.mtime, info.uid, info.gid = mode, 0, owner, owner
            info.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            info.size = len(content or b"")
            tar.addfile(info, io.BytesIO(content) if content is not None else None)
    return out.getvalue()


def digest(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()
