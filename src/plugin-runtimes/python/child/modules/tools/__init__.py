"""Modules of the tools that plugins import."""
