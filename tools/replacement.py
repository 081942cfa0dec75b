"""Folders that are replaced as a whole: whoever looks sees the old one or the new one, also when the writer is killed."""
import contextlib
import ctypes
import errno
import os
import shutil

HERE = -100        # AT_FDCWD
EXCHANGE = 2       # RENAME_EXCHANGE
NOT_HERE = (errno.EINVAL, errno.ENOSYS, errno.EXDEV)   # the file system cannot


@contextlib.contextmanager
def replaced(place):
    """Yields a new folder, which takes the place's own at the end. What an earlier writer left of a new one is removed."""
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_name(f".{place.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    try:
        yield new
        if place.exists():
            exchange(new, place)
        else:
            new.rename(place)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def exchange(one, other):
    """At once where the file system can; else there is none for a moment."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.renameat2(HERE, os.fsencode(one), HERE, os.fsencode(other), EXCHANGE) == 0:
        return
    if (code := ctypes.get_errno()) not in NOT_HERE:
        raise OSError(code, os.strerror(code), str(other))
    old = other.with_name(f".{other.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    other.rename(old)
    one.rename(other)
    old.rename(one)
