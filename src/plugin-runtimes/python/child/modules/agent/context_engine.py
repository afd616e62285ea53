"""Base of context engines."""

import json
from abc import ABC, abstractmethod


class ContextEngine(ABC):
    last_prompt_tokens = 0
    last_completion_tokens = 0
    last_total_tokens = 0
    threshold_tokens = 0
    context_length = 0
    compression_count = 0
    threshold_percent = 0.75
    protect_first_n = 3
    protect_last_n = 6

    @property
    @abstractmethod
    def name(self):
        """Its name in `context.engine`."""

    @abstractmethod
    def should_compress(self, prompt_tokens=None):
        """Whether a compaction is due."""

    @abstractmethod
    def compress(self, messages, current_tokens=None, focus_topic=None, force=False, memory_context=""):
        """A shorter list of messages."""

    def update_from_response(self, usage):
        self.last_prompt_tokens = usage.get("prompt_tokens", 0)
        self.last_completion_tokens = usage.get("completion_tokens", 0)
        self.last_total_tokens = usage.get("total_tokens", 0)

    def should_compress_preflight(self, messages):
        return False

    def has_content_to_compress(self, messages):
        return True

    def should_defer_preflight_to_real_usage(self, rough_tokens):
        return False

    def on_session_start(self, session_id, **kwargs):
        return None

    def on_session_end(self, session_id, messages):
        return None

    def on_session_reset(self):
        self.last_prompt_tokens = self.last_completion_tokens = self.last_total_tokens = self.compression_count = 0

    def get_tool_schemas(self):
        return []

    def handle_tool_call(self, name, args, **kwargs):
        return json.dumps({"error": "Unknown context engine tool: %s" % name})

    def get_status(self):
        share = 100 * self.last_prompt_tokens / self.context_length if self.context_length else 0
        return {
            "last_prompt_tokens": self.last_prompt_tokens,
            "threshold_tokens": self.threshold_tokens,
            "context_length": self.context_length,
            "usage_percent": min(100, share),
            "compression_count": self.compression_count,
        }

    def update_model(self, model, context_length, base_url="", api_key="", provider="", api_mode=""):
        self.context_length = context_length
        self.threshold_tokens = int(context_length * self.threshold_percent)
