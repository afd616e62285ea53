"""stdout and stderr of the process: the agent's log, and the terminal while a `hermes NAME` command of a plugin runs."""

import sys

from . import current


class Output:
    def __init__(self, real, error):
        self._real = real
        self._error = error

    def write(self, text):
        shown = current.output.get()
        if shown is None:
            return self._real.write(text)
        shown(str(text), self._error)
        return len(text)

    def flush(self):
        if current.output.get() is None:
            self._real.flush()

    def isatty(self):
        return False

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self._real, name)


def prepare():
    sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    sys.stdout = Output(sys.stdout, False)
    sys.stderr = Output(sys.stderr, True)
