"""Past conversations with the original's functions. Hermes stores and changes them itself, so these only read."""

from pathlib import Path

from _hermes_bridge.home import home
from _hermes_bridge.services.granted import Sessions, Storage
from _hermes_bridge.services.original import Lacking, ask, plugin
from _hermes_bridge.wire import RemoteError

DEFAULT_DB_PATH = home() / "state.db"
ALL = 1_000_000
COLUMNS = (
    "id source user_id session_key chat_id chat_type thread_id display_name origin_json expiry_finalized model "
    "model_config system_prompt parent_session_id started_at ended_at end_reason message_count tool_call_count "
    "input_tokens output_tokens cache_read_tokens cache_write_tokens reasoning_tokens cwd git_branch git_repo_root "
    "billing_provider billing_base_url billing_mode estimated_cost_usd actual_cost_usd cost_status cost_source "
    "pricing_version title api_call_count handoff_state handoff_platform handoff_error compression_failure_cooldown_until "
    "compression_failure_error compression_fallback_streak profile_name rewind_count archived"
).split()


class SessionDB(Lacking):
    _original = "hermes_state.SessionDB"
    _instead = "Hermes writes conversations itself; plugins read them with this class or ctx.sessions."

    def __init__(self, db_path=None, read_only=False):
        if db_path is not None and Path(db_path) != DEFAULT_DB_PATH:
            raise ValueError("SessionDB reads only the conversations of this home, not those in %s." % db_path)
        self.db_path = DEFAULT_DB_PATH
        self.read_only = read_only

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def close(self):
        return None

    def get_session(self, session_id):
        found = _find(session_id)
        return _row(found) if found is not None and found["id"] == session_id else None

    def resolve_session_id(self, session_id_or_prefix):
        found = _find(session_id_or_prefix)
        return found["id"] if found is not None and found["id"].startswith(session_id_or_prefix) else None

    def get_session_by_title(self, title):
        found = _find(title)
        return _row(found) if found is not None and found.get("title") == title else None

    def resolve_session_by_title(self, title):
        found = self.get_session_by_title(title)
        return None if found is None else found["id"]

    def get_session_title(self, session_id):
        found = self.get_session(session_id)
        return None if found is None else found["title"]

    def list_sessions_rich(
        self,
        source=None,
        exclude_sources=None,
        cwd_prefix=None,
        limit=20,
        offset=0,
        include_children=False,
        min_message_count=0,
        order_by_last_active=False,
        id_query=None,
        search_query=None,
        **_,
    ):
        """Newest first. Also `last_active` and `preview`."""
        found = [
            one
            for one in _all(source, exclude_sources, cwd_prefix, min_message_count, not include_children)
            if (id_query or "") in one["id"]
            and (search_query or "").lower() in "\n".join((one["id"], one.get("title") or "", one["preview"])).lower()
        ]
        found.sort(key=lambda one: one["lastAt" if order_by_last_active else "startedAt"], reverse=True)
        return [
            {**_row(one), "last_active": one["lastAt"] / 1000, "preview": one["preview"]}
            for one in found[offset : offset + limit]
        ]

    def search_sessions(self, source=None, limit=20, offset=0):
        return self.list_sessions_rich(source, limit=limit, offset=offset, include_children=True)

    def session_count(
        self, source=None, cwd_prefix=None, min_message_count=0, exclude_children=False, exclude_sources=None, **_
    ):
        return len(_all(source, exclude_sources, cwd_prefix, min_message_count, exclude_children))

    def search_messages(
        self, query, source_filter=None, exclude_sources=None, role_filter=None, limit=20, offset=0, **_
    ):
        """The best message of each conversation, with its neighbours; hits are between >>> and <<<."""
        if not str(query or "").strip():
            return []
        found = []
        for hit in Sessions(plugin()).search(query, limit=offset + limit, roles=role_filter):
            session = hit["session"]
            if (source_filter and session["surface"] not in source_filter) or session["surface"] in (
                exclude_sources or ()
            ):
                continue
            messages = self.get_messages(session["id"])
            at = next((at for at, one in enumerate(messages) if one["id"] == hit["seq"]), None)
            near = [] if at is None else messages[max(0, at - 1) : at + 2]
            found.append(
                {
                    "id": hit["seq"],
                    "session_id": session["id"],
                    "role": hit["role"],
                    "snippet": hit["snippet"],
                    "timestamp": hit["at"] / 1000,
                    "tool_name": None if at is None else messages[at]["tool_name"],
                    "source": session["surface"],
                    "model": session.get("model"),
                    "session_started": session["startedAt"] / 1000,
                    "context": [{"role": one["role"], "content": (one["content"] or "")[:200]} for one in near],
                }
            )
        return found[offset:]

    def get_messages(self, session_id, include_inactive=False, limit=None, offset=0):
        """Their ids are unique in their conversation."""
        messages = _unless_missing(lambda: ask("ctx.sessions", what="messages", id=session_id)) or []
        return messages[offset:] if limit is None else messages[offset : offset + limit]

    def get_messages_as_conversation(self, session_id, **_):
        return [
            {
                name: one[name]
                for name in ("role", "content", "timestamp", "tool_calls", "tool_call_id", "tool_name")
                if name in ("role", "content") or one[name] is not None
            }
            for one in self.get_messages(session_id)
        ]

    def get_messages_around(self, session_id, around_message_id, window=5):
        messages = self.get_messages(session_id)
        at = next((at for at, one in enumerate(messages) if one["id"] == around_message_id), None)
        if at is None:
            return {"window": [], "messages_before": 0, "messages_after": 0}
        start, end = max(0, at - window), at + window + 1
        return {
            "window": messages[start:end],
            "messages_before": at - start,
            "messages_after": min(end, len(messages)) - at - 1,
        }

    def list_recent_user_messages(self, session_id, limit=20, **_):
        found = [one for one in self.get_messages(session_id) if one["role"] == "user"]
        return [
            {"id": one["id"], "timestamp": one["timestamp"], "preview": " ".join(one["content"].split())[:80]}
            for one in found[::-1][:limit]
        ]

    def message_count(self, session_id=None):
        if session_id is not None:
            return len(self.get_messages(session_id))
        return sum(one["messages"] for one in _all())

    def export_session(self, session_id):
        found = self.get_session(session_id)
        return None if found is None else {**found, "messages": self.get_messages(session_id)}

    def export_all(self, source=None):
        return [self.export_session(one["id"]) for one in _all(source)]

    def get_meta(self, key):
        return Storage(plugin()).get("state_meta:" + key)

    def set_meta(self, key, value):
        """In the plugin's own storage, so other plugins do not see it."""
        Storage(plugin()).set("state_meta:" + key, value)


def format_session_db_unavailable(prefix="Session database not available"):
    return "%s." % prefix


def _find(name):
    return _unless_missing(lambda: Sessions(plugin()).find(name))


def _unless_missing(read):
    try:
        return read()
    except RemoteError as cause:
        if cause.data.get("code") == "blocked":
            raise
        return None  # None has that id or title, or several do.


def _all(source=None, exclude=None, cwd_prefix=None, least=0, no_children=False):
    return [
        one
        for one in Sessions(plugin()).list(surface=source, limit=ALL)
        if one["surface"] not in (exclude or ())
        and one["cwd"].startswith(cwd_prefix or "")
        and one["messages"] >= least
        and not (no_children and one.get("parentId"))
    ]


def _row(one):
    """With every column of the original; those that Hermes has no value for are None."""
    return {
        **dict.fromkeys(COLUMNS),
        "id": one["id"],
        "source": one["surface"],
        "user_id": one.get("whose"),
        "model": one.get("model"),
        "parent_session_id": one.get("parentId"),
        "started_at": one["startedAt"] / 1000,
        "message_count": one["messages"],
        "tool_call_count": one["toolCalls"],
        "input_tokens": one["inputTokens"],
        "output_tokens": one["outputTokens"],
        "cwd": one["cwd"],
        "estimated_cost_usd": one.get("costUsd"),
        "title": one.get("title"),
        "api_call_count": one["apiCalls"],
        "archived": 0,
    }
