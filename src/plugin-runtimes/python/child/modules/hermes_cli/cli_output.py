"""The prints and questions of `hermes_cli.setup`, under their other name."""

from hermes_cli.colors import Colors, color
from hermes_cli.setup import print_error, print_header, print_info, print_success, print_warning, prompt, prompt_yes_no

__all__ = [
    "Colors",
    "color",
    "print_error",
    "print_header",
    "print_info",
    "print_success",
    "print_warning",
    "prompt",
    "prompt_yes_no",
]
