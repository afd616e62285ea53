"""Asks the user. Silence is never consent."""

import os

from _hermes_bridge import current, registry


def get_current_session_key(default="default"):
    place = current.place.get()
    return place.get("session_key") or place.get("session_id") or os.environ.get("HERMES_SESSION_KEY") or default


def request_tool_approval(tool_name="", reason="", *args, rule_key=None, **kwargs):
    """The same gate that a guard opens with `{"action": "approve"}`."""
    answer = registry.wire.request(
        "ctx.approve", {"plugin": current.plugin.get(), "tool": tool_name, "reason": reason, "key": rule_key}
    )
    return {
        "approved": bool(answer.get("approved")),
        "message": answer.get("message", ""),
        "choice": answer.get("choice", "deny"),
    }


def prompt_dangerous_approval(command, description, timeout_seconds=None, **kwargs):
    answer = registry.wire.request(
        "ctx.approve", {"plugin": current.plugin.get(), "tool": command, "reason": description}
    )
    return answer.get("choice", "deny") if answer.get("approved") else "deny"


def is_approved(session_key, pattern_key):
    """The agent itself checks the user's permanent approvals; a plugin does not see them."""
    return False


def is_approval_bypass_active(*args, **kwargs):
    return bool(current.place.get().get("yolo"))


def resolve_gateway_approval(*args, **kwargs):
    """A plugin may not answer for the user."""
    return 0
