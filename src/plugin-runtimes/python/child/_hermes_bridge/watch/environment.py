"""The variables of this process. Plugins get only secrets that they declare, by name; reading another one is logged."""

import os

_withheld = set()
_reported = set()
_report = None
# : Names looked up while a plugin is loading; None at other times.
_reads = None
# : More lookups than this are a copy of the environment, and say nothing about the plugin.
MOST_READS = 64


class _Asked(type(os.environ)):
    def __getitem__(self, name):
        if _reads is not None:
            _reads.add(name)
        if name in _withheld and name not in _reported and name not in self:
            _reported.add(name)
            _report(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        if _reads is not None:
            _reads.add(name)
        # os._Environ implements this through __getitem__, which would report a name that was only tested.
        return any(key == name for key in self)


def prepare(withheld, report):
    global _report
    _report = report
    _withheld.update(withheld)
    os.environ.__class__ = _Asked


def begin_reads():
    global _reads
    _reads = set()


def end_reads():
    """The names looked up since, which may have influenced the registrations."""
    global _reads
    names, _reads = sorted(str(name) for name in _reads or ()), None
    return names if len(names) <= MOST_READS else []


def grant(variables):
    for name, value in variables.items():
        os.environ[name] = value
