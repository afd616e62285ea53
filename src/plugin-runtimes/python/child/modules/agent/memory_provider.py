"""Base of memory providers."""

from abc import ABC, abstractmethod


class MemoryProvider(ABC):
    @property
    @abstractmethod
    def name(self):
        """Its name in `memory.provider`."""

    @abstractmethod
    def is_available(self):
        """Whether it can be used; uses no network."""

    @abstractmethod
    def initialize(self, session_id, **kwargs):
        """A session begins."""

    def get_tool_schemas(self):
        return []

    def handle_tool_call(self, tool_name, args, **kwargs):
        raise NotImplementedError("%s does not handle the tool %s" % (self.name, tool_name))

    def system_prompt_block(self):
        return ""

    def prefetch(self, query, *, session_id=""):
        return ""

    def queue_prefetch(self, query, *, session_id=""):
        return None

    def sync_turn(self, user_content, assistant_content, *, session_id="", messages=None):
        return None

    def on_turn_start(self, turn_number, message, **kwargs):
        return None

    def on_session_end(self, messages):
        return None

    def on_session_switch(self, new_session_id, *, parent_session_id="", reset=False, rewound=False, **kwargs):
        return None

    def on_pre_compress(self, messages):
        return ""

    def on_memory_write(self, action, target, content, metadata=None):
        return None

    def on_delegation(self, task, result, *, child_session_id="", **kwargs):
        return None

    def get_config_schema(self):
        return []

    def save_config(self, values, hermes_home):
        return None

    def backup_paths(self):
        return []

    def shutdown(self):
        return None
