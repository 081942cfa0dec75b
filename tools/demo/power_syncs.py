"""Ironic's power syncs as its own log tells of them: each holds a shared lock on the node while it compares."""

PURPOSE = "power state sync"
BEGUN = "Attempting to get shared lock on node {uuid} (for " + PURPOSE
DONE = "lock for " + PURPOSE + " on node {uuid}"
UNREAD = "could not get power state for node {uuid}"


def completed(lines, uuid):
    """How many syncs of that node began and ended in these lines, having read the node's power."""
    begun = unread = False
    count = 0
    for line in lines:
        if BEGUN.format(uuid=uuid) in line:
            begun, unread = True, False
        elif UNREAD.format(uuid=uuid) in line:
            unread = True
        elif "Successfully released" in line and DONE.format(uuid=uuid) in line:
            count += begun and not unread
            begun = False
    return count


class PowerSyncs:
    """Counts the power syncs of a node that begin after this object was created."""

    def __init__(self, log, uuid):
        self.log, self.uuid = log, uuid
        self.start = log.stat().st_size

    def count(self):
        with open(self.log, "rb") as log:
            log.seek(self.start)
            return completed(log.read().decode(errors="replace").splitlines(), self.uuid)
