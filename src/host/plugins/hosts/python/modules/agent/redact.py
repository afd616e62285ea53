"""Masking, by the agent's own rules and with the secrets it knows."""

from _hermes_bridge import current, registry


def redact_sensitive_text(text, **_):
    if not text or not isinstance(text, str):
        return text
    return registry.wire.request("ctx.redact", {"plugin": current.plugin.get(), "text": text})


redact_for_egress = redact_sensitive_text
