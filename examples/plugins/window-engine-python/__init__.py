"""Drops all but the last turns. It calls no model, so it costs nothing."""

from agent.context_engine import ContextEngine

# : Share of the model's window that a conversation may fill, and how many of its last turns stay.
FULL = 0.6
TURNS = 4


class WindowEngine(ContextEngine):
    asked_from = FULL

    @property
    def name(self) -> str:
        return "window"

    def should_compress(self, prompt_tokens=None) -> bool:
        return prompt_tokens is not None and prompt_tokens >= FULL * self.context_length

    def compress(self, messages, focus_topic=None, **kwargs):
        # A turn begins with the user's message, so calls and results stay together.
        starts = [at for at, one in enumerate(messages) if one["role"] == "user" and not one["content"].startswith("[Forgotten")]
        start = starts[-TURNS] if len(starts) >= TURNS else 0
        if start == 0:
            return messages
        forgotten = [one for one in messages[:start] if one["role"] == "user"]
        about = ["%s: %s" % (one["role"], one["content"][:500]) for one in messages[:start] if focus_topic and one["role"] != "tool" and focus_topic.lower() in one["content"].lower()]
        note = "[Forgotten: %d earlier messages of the user, and the answers]" % len(forgotten)
        self.compression_count += 1
        return [{"role": "user", "content": "\n".join([note] + about)}] + messages[start:]


def register(ctx):
    ctx.register_context_engine(WindowEngine())
