"""Colours of a terminal."""

import os
import sys


class Colors:
    RESET, BOLD, DIM = "\033[0m", "\033[1m", "\033[2m"
    RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN = ("\033[%dm" % code for code in range(31, 37))


def should_use_color():
    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def color(text, *codes):
    return "".join(codes) + text + Colors.RESET if should_use_color() else text
