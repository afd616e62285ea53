"""Locks that one process of a machine holds, so that two do not use one account at a time."""

import hashlib
import os

from _hermes_bridge.home import root

_held = {}


def acquire_scoped_lock(scope, identity, metadata=None):
    """(True, None), or (False, details of the holder)."""
    import fcntl

    path = _path(scope, identity)
    if path in _held:
        return True, None
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = open(path, "a+")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.seek(0)
        holder = handle.read().strip()
        handle.close()
        return False, {"pid": int(holder) if holder.isdigit() else None, "scope": scope}
    handle.truncate(0)
    handle.write(str(os.getpid()))
    handle.flush()
    _held[path] = handle
    return True, None


def release_scoped_lock(scope, identity):
    handle = _held.pop(_path(scope, identity), None)
    if handle is not None:
        handle.close()


def get_running_pid(*args, **kwargs):
    """Of the original's gateway; this process belongs to none."""
    return None


def _path(scope, identity):
    return (
        root() / "cache" / "locks" / ("%s-%s.lock" % (scope, hashlib.sha256(str(identity).encode()).hexdigest()[:16]))
    )
