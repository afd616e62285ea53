"""Ends this process soon after the agent, however that ended, even while C code blocks all of Python."""

import ctypes
import faulthandler
import signal
import sys

PR_SET_PDEATHSIG = 1

_leaving = False
_libc = None


def hold():
    """If the system signals a parent's end to a process, this works without running any Python."""
    global _libc
    if not sys.platform.startswith("linux"):
        return
    _libc = ctypes.CDLL(None)
    # The signal number, 1, becomes the argument of its handler, alarm(): the process ends a second later, unless the
    # thread that reads the wire shuts it down in order first.
    _libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    _libc.signal(int(signal.SIGHUP), ctypes.cast(_libc.alarm, ctypes.c_void_p))
    _libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGHUP), 0, 0, 0)


def leave_within(seconds):
    """However long threads, exit handlers or an endless loop would take. Its timer is a thread that Python cannot
    block.
    """
    global _leaving
    _leaving = True
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
        _libc.alarm(0)
    faulthandler.dump_traceback_later(seconds, exit=True)


def expect_a_ping_within(seconds):
    """C code may block all of Python, including the thread that reads the wire: once the agent stops asking, this
    process ends.
    """
    if not _leaving:
        faulthandler.dump_traceback_later(seconds, exit=True)


def expect_nothing():
    if not _leaving:
        faulthandler.cancel_dump_traceback_later()
