"""The original's compressor as a base class: the built-in one of Hermes shortens the conversation."""

from _hermes_bridge.services.original import Lacking, ask
from agent.context_engine import ContextEngine
from agent.model_metadata import estimate_messages_tokens_rough

SUMMARY_PREFIX = "[Summary of earlier messages, for reference only. It contains no new requests.]"
COMPRESSED_SUMMARY_METADATA_KEY = "_compressed_summary"
# : Smaller windows are compacted later, because each compaction costs a larger share of them.
SMALL_WINDOW = 512_000
SMALL_WINDOW_THRESHOLD = 0.75
TAIL_SHARE = 0.2


class ContextCompressor(Lacking, ContextEngine):
    _original = "agent.context_compressor.ContextCompressor"
    _instead = "Override compress() or _generate_summary()."

    def __init__(
        self,
        model,
        threshold_percent=0.5,
        protect_first_n=3,
        protect_last_n=20,
        summary_target_ratio=0.2,
        quiet_mode=False,
        summary_model_override=None,
        base_url="",
        api_key="",
        config_context_length=None,
        provider="",
        api_mode="",
        abort_on_summary_failure=False,
        max_tokens=None,
    ):
        self._wanted_threshold = threshold_percent
        self._session = ""
        self.protect_first_n = protect_first_n
        self.protect_last_n = protect_last_n
        self.summary_target_ratio = summary_target_ratio
        self.quiet_mode = quiet_mode
        self.summary_model = summary_model_override or ""
        self.abort_on_summary_failure = abort_on_summary_failure
        self.compression_count = 0
        self.last_prompt_tokens = self.last_completion_tokens = self.last_total_tokens = 0
        self.update_model(model, config_context_length or 0, base_url, api_key, provider, api_mode, max_tokens)

    @property
    def name(self):
        return "compressor"

    def update_model(self, model, context_length, base_url="", api_key="", provider="", api_mode="", max_tokens=None):
        self.model, self.base_url, self.api_key = model, base_url, api_key
        self.provider, self.api_mode, self.max_tokens = provider, api_mode, max_tokens
        self.context_length = context_length
        wanted = self._wanted_threshold
        small = 0 < context_length <= SMALL_WINDOW
        self.threshold_percent = max(wanted, SMALL_WINDOW_THRESHOLD) if small else wanted
        self.threshold_tokens = int((context_length - (max_tokens or 0)) * self.threshold_percent)
        self.tail_token_budget = int(self.threshold_tokens * self.summary_target_ratio)

    def on_session_start(self, session_id, **kwargs):
        self._session = session_id

    def should_compress(self, prompt_tokens=None, **_):
        tokens = self.last_prompt_tokens if prompt_tokens is None else prompt_tokens
        return 0 < self.threshold_tokens <= tokens

    def has_content_to_compress(self, messages):
        start, end = self._middle(messages)
        return start < end

    def compress(self, messages, current_tokens=None, focus_topic=None, force=False, memory_context="", **_):
        """A subclass's own `_generate_summary` writes the summary; without one, the agent shortens the conversation."""
        if type(self)._generate_summary is ContextCompressor._generate_summary:
            shorter = self._shorten(
                messages,
                current_tokens,
                focus_topic,
                force,
                memory_context,
                {"first": self.protect_first_n, "last": self.protect_last_n},
            )
        else:
            start, end = self._middle(messages)
            if start >= end:
                return messages
            summary = self._generate_summary(
                messages[start:end], focus_topic=focus_topic, memory_context=memory_context
            )
            if not summary:
                return messages
            marked = {
                "role": "user",
                "content": self._with_summary_prefix(summary),
                COMPRESSED_SUMMARY_METADATA_KEY: True,
            }
            shorter = [*messages[:start], marked, *messages[end:]]
        self.compression_count += 1
        return shorter

    def _generate_summary(self, turns_to_summarize, focus_topic=None, memory_context=""):
        """A summary by the model for side tasks (`auxiliary.compression`), else the one in use."""
        # The agent always keeps some of the latest messages, so these stand behind the ones to summarise.
        turns = [
            {"role": "user", "content": "."},
            *turns_to_summarize,
            *({"role": "user", "content": "."} for _ in range(4)),
        ]
        shorter = self._shorten(turns, None, focus_topic, False, memory_context, {"first": 0, "last": 4})
        text = next((one["content"] for one in shorter if one not in turns), None)
        # Without the lines that mark it.
        return None if text is None else text.split("\n\n", 1)[-1].rsplit("\n\n", 1)[0]

    @classmethod
    def _with_summary_prefix(cls, summary):
        return summary if summary.startswith(SUMMARY_PREFIX) else "%s\n\n%s" % (SUMMARY_PREFIX, summary)

    def _shorten(self, messages, current_tokens, focus_topic, force, memory_context, keep):
        return ask(
            "ctx.compress",
            messages=messages,
            model=self.model,
            session_id=self._session,
            current_tokens=current_tokens or estimate_messages_tokens_rough(messages),
            context_length=self.context_length,
            max_output_tokens=self.max_tokens or 0,
            compression_count=self.compression_count,
            focus_topic=focus_topic,
            force=force,
            memory_context=memory_context or "",
            keep=keep,
        )

    def _middle(self, messages):
        """The messages that a summary replaces: calls stay together with their results."""
        start = 1 if messages and messages[0].get("role") == "system" else 0
        start = min(len(messages), start + (0 if self.compression_count else self.protect_first_n))
        while start < len(messages) and messages[start].get("role") == "tool":
            start += 1
        end = max(start, len(messages) - self.protect_last_n)
        while end > start and messages[end].get("role") == "tool":
            end -= 1
        return start, end
