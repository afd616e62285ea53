"""The variables of this process. Secrets are given by name to plugins that declare them; asking for another one is told to the log."""

import os

_withheld = set()
_told = set()
_tell = None
#: Names looked up while a plugin is loaded; None at other times.
_reads = None
#: More than this were not looked up but copied: they tell nothing.
MOST_READS = 64


class _Asked(type(os.environ)):
    def __getitem__(self, name):
        if _reads is not None:
            _reads.add(name)
        if name in _withheld and name not in _told and name not in self:
            _told.add(name)
            _tell(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        if _reads is not None:
            _reads.add(name)
        # os._Environ answers this through __getitem__, which would tell of a name that was only looked for.
        return any(key == name for key in self)


def prepare(withheld, tell):
    global _tell
    _tell = tell
    _withheld.update(withheld)
    os.environ.__class__ = _Asked


def begin_reads():
    global _reads
    _reads = set()


def end_reads():
    """The names looked up since, which may have decided what was registered."""
    global _reads
    names, _reads = sorted(str(name) for name in _reads or ()), None
    return names if len(names) <= MOST_READS else []


def grant(variables):
    for name, value in variables.items():
        os.environ[name] = value
