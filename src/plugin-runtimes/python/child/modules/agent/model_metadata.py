"""Estimates the length of a text for a model."""

import json


# : A model with a smaller context is not usable.
MINIMUM_CONTEXT_LENGTH = 64_000


def estimate_tokens_rough(text):
    return (len(text) + 3) // 4 if text else 0


def estimate_messages_tokens_rough(messages):
    return sum(estimate_tokens_rough(json.dumps(message, ensure_ascii=False, default=str)) for message in messages)


def estimate_request_tokens_rough(messages, *, system_prompt="", tools=None):
    """With the instructions and tools of the request."""
    return (
        estimate_tokens_rough(system_prompt)
        + estimate_messages_tokens_rough(messages or [])
        + (estimate_tokens_rough(json.dumps(tools, default=str)) if tools else 0)
    )
