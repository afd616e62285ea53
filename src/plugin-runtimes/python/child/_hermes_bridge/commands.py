"""`hermes NAME ...` of a plugin: its own argparse tree, its prints on the terminal."""

import sys

from . import current, registry
from .loop import settle


def run_cli(params, job):
    import argparse  # Imported here, not before a tool's first call.

    functions = registry.find(params["handle"])
    wire = registry.wire

    def show(text, error):
        wire.notify("cli.output", {"call": job.identity, "text": text, "error": error})

    token = current.output.set(show)
    terminal = open_terminal() if params.get("interactive") else None
    standard = sys.stdin
    if terminal is not None:
        sys.stdin = terminal
    try:
        parser = argparse.ArgumentParser(
            prog="hermes %s" % params["name"], description=params.get("description") or None
        )
        if functions.get("run") is not None:
            parser.set_defaults(func=functions["run"])
        if functions.get("setup") is not None:
            functions["setup"](parser)
        options = parser.parse_args(params.get("words") or [])
        run = getattr(options, "func", None)
        if run is None:
            parser.print_help()
            return 0
        status = settle(run(options), job)
        return status if isinstance(status, int) and not isinstance(status, bool) else 0
    except SystemExit as end:
        if isinstance(end.code, str):
            show(end.code + "\n", True)
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    finally:
        if terminal is not None:
            sys.stdin = standard
            terminal.close()
        current.output.reset(token)


def open_terminal():
    try:
        return open("/dev/tty")
    except OSError:
        return None
