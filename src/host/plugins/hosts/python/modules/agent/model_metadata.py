"""How long a text is for a model, roughly."""

import json


def estimate_tokens_rough(text):
    return (len(text) + 3) // 4 if text else 0


def estimate_messages_tokens_rough(messages):
    return sum(estimate_tokens_rough(json.dumps(message, ensure_ascii=False, default=str)) for message in messages)
