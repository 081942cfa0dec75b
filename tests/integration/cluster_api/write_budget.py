"""What machines cost, apart from what a busy computer makes of it: coordinator/README.md lists the writes of one."""
import collections

CONFLICT = 409
# How often each object's is written where nothing is waited for. Once more tells of a wait that lasts.
USUAL = {"metal3machines/status": 2, "baremetalhosts/status": 2, "metal3dataclaims/status": 1, "metal3datas/status": 1,
         "ipclaims/status": 1}


def apart(writes):
    """(what was written whatever happens, what tells of waits or met somebody else's write)."""
    times, own, more = collections.Counter(), [], []
    for each in writes:
        written = each.code != CONFLICT
        times[each.resource, each.name] += written
        told = each.resource in USUAL and times[each.resource, each.name] > USUAL[each.resource]
        (own if written and not told else more).append(each)
    return own, more
