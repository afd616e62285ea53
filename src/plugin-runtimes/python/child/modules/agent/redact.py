"""Masking, with the agent's rules and stored secrets."""

from _hermes_bridge import current, registry


def redact_sensitive_text(text, **_):
    if not text or not isinstance(text, str):
        return text
    return registry.wire.request("ctx.redact", {"plugin": current.plugin.get(), "text": text})


def mask_secret(value, *, head=4, tail=4, floor=12, placeholder="***", empty=""):
    """Its two ends; nothing of a short one."""
    return empty if not value else placeholder if len(value) < floor else "%s...%s" % (value[:head], value[-tail:])


redact_for_egress = redact_sensitive_text
