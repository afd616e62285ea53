"""Modules of the agent that plugins import."""
