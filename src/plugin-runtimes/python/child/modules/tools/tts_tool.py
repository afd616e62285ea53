"""The tool `text_to_speech`, as a function."""

from _hermes_bridge.services.original import tool_function

text_to_speech_tool = tool_function("text_to_speech", "text output_path")
