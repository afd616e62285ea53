"""Modules of the command line that plugins import."""

__version__ = "0.19.0"
