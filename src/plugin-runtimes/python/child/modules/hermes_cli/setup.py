"""Prints and questions of a setup dialogue, on the terminal of a `hermes NAME` command."""

import getpass

from hermes_cli.colors import Colors, color  # noqa: F401 (plugins look for all of these here, too)
from hermes_cli.config import get_env_value, load_config, save_config, save_env_value  # noqa: F401


def _line(mark, text):
    print("%s %s" % (mark, text) if mark else text)


def print_header(text):
    _line("", "\n== %s ==" % text)


def print_info(text):
    _line(" ", text)


def print_success(text):
    _line("✓", text)


def print_warning(text):
    _line("!", text)


def print_error(text):
    _line("✗", text)


def prompt(question, default=None, password=False):
    shown = "%s%s: " % (question, " [%s]" % default if default else "")
    answer = getpass.getpass(shown) if password else input(shown)
    return answer.strip() or default or ""


def prompt_yes_no(question, default=True):
    answer = prompt("%s (%s)" % (question, "Y/n" if default else "y/N")).lower()
    return default if answer == "" else answer in ("y", "yes")


def prompt_choice(question, choices, default=0):
    for number, choice in enumerate(choices, 1):
        print("  %d. %s" % (number, choice))
    answer = prompt(question, str(default + 1))
    return int(answer) - 1 if answer.isdigit() and 0 < int(answer) <= len(choices) else default
