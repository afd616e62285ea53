"""The tool `send_message`, as a function."""

from _hermes_bridge.services.original import call_tool


def send_message_tool(args, **_):
    return call_tool("send_message", args)
