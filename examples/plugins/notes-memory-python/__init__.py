"""Conversations, one line for each turn, in a file of the profile's home."""

import json

from agent.memory_provider import MemoryProvider

from . import notes


class NotesMemory(MemoryProvider):
    @property
    def name(self) -> str:
        return "notes-memory"

    def is_available(self) -> bool:
        return True

    def initialize(self, session_id: str, **kwargs) -> None:
        self._file = notes.notes_file(kwargs["hermes_home"])

    def system_prompt_block(self) -> str:
        return "Notes of earlier conversations are stored. notes_search finds more than the notes recalled automatically."

    def prefetch(self, query: str, **kwargs):
        found = notes.search(self._file, query, 3)
        return "\n".join("- asked: %s / answered: %s" % (one["user"], one["assistant"]) for one in found) or None

    def sync_turn(self, user_message, assistant_response, **kwargs) -> None:
        notes.add(self._file, {"user": user_message, "assistant": assistant_response})

    def get_tool_schemas(self):
        return [{"name": "notes_search", "description": "Searches notes of earlier conversations.", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}}]

    def handle_tool_call(self, tool_name, args, **kwargs):
        return json.dumps({"notes": notes.search(self._file, args["query"], 10)})


def register(ctx):
    ctx.register_memory_provider(NotesMemory())
