"""Ends this process soon after the agent, however that ended, even while code in C keeps all of Python waiting."""

import ctypes
import faulthandler
import signal
import sys

PR_SET_PDEATHSIG = 1

_leaving = False
_libc = None


def hold():
    """Where the system tells a process of its parent's end, no Python need run for it."""
    global _libc
    if not sys.platform.startswith("linux"):
        return
    _libc = ctypes.CDLL(None)
    # The signal's number, 1, is what its handler is called with, and the handler is alarm(): a second later the process ends, unless
    # the thread that reads the wire got to run and saw to an end in order.
    _libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]
    _libc.signal(int(signal.SIGHUP), ctypes.cast(_libc.alarm, ctypes.c_void_p))
    _libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGHUP), 0, 0, 0)


def leave_within(seconds):
    """However long threads, exit handlers or an endless loop would take. Its clock is a thread that Python cannot hold up."""
    global _leaving
    _leaving = True
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
        _libc.alarm(0)
    faulthandler.dump_traceback_later(seconds, exit=True)


def expect_a_ping_within(seconds):
    """Code in C may keep all of Python waiting, the thread that reads the wire too: once nobody asks any more, it ends."""
    if not _leaving:
        faulthandler.dump_traceback_later(seconds, exit=True)


def expect_nothing():
    if not _leaving:
        faulthandler.cancel_dump_traceback_later()
