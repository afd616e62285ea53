"""`hermes notes-memory status`, while it is the selected provider."""

from hermes_constants import get_hermes_home

from . import notes


def _status(args):
    file = notes.notes_file(get_hermes_home())
    print("%d notes in %s" % (len(notes.read(file)), file))


def register_cli(subparser):
    subs = subparser.add_subparsers(dest="notes_command")
    subs.add_parser("status", help="how many notes there are").set_defaults(func=_status)
