"""What plugins import of the command line."""

__version__ = "0.19.0"
