"""`ctx.fetch`, `ctx.storage`, `ctx.secrets` and `ctx.sessions`: services of the agent for a plugin, under its grants
and in the session of the call.
"""

import base64
import json

from .. import loader, registry
from ..members import refused_words


class FetchReply:
    def __init__(self, answer):
        self.status = answer["status"]
        # : Names in lower case.
        self.headers = answer["headers"]
        self.url = answer["url"]
        self.redirected = answer["redirected"]
        self.content = base64.b64decode(answer["data"])

    @property
    def ok(self):
        return 200 <= self.status < 300

    @property
    def text(self):
        return self.content.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.content)


def fetch(
    plugin,
    url,
    *,
    method=None,
    headers=None,
    body=None,
    timeout=None,
    max_bytes=None,
    max_redirects=None,
    hosts=None,
    configured=None,
):
    params = {
        "plugin": plugin,
        "url": url,
        "method": method,
        "headers": headers,
        "timeout": timeout,
        "max_bytes": max_bytes,
        "max_redirects": max_redirects,
        "hosts": hosts,
        "configured": configured,
    }
    if isinstance(body, (bytes, bytearray)):
        params["data"] = base64.b64encode(body).decode("ascii")
    elif body is not None:
        params["text"] = str(body)
    return FetchReply(
        registry.wire.request("ctx.fetch", {key: value for key, value in params.items() if value is not None})
    )


class Storage:
    """Values of the plugin that outlive the process."""

    def __init__(self, plugin):
        self._plugin = plugin

    def _ask(self, what, **params):
        return registry.wire.request("ctx.storage." + what, {"plugin": self._plugin, **params})

    def get(self, key, default=None):
        value = self._ask("get", key=key)
        return default if value is None else value

    def set(self, key, value):
        self._ask("set", key=key, value=value)

    def delete(self, key):
        return self._ask("delete", key=key)

    def keys(self):
        return self._ask("keys")


class Secrets:
    """Variables of the plugin's own manifest in `.env`, as they are now."""

    def __init__(self, plugin):
        self._plugin = plugin

    def read(self, name, default=None):
        value = registry.wire.request("ctx.secrets.read", {"plugin": self._plugin, "name": name})
        return default if value is None else value

    def __getattr__(self, name):
        refused = loader.refused.get("secrets." + name)
        if refused is not None:
            raise AttributeError(refused_words(self._plugin, "secrets." + name, refused))
        raise AttributeError("%r object has no attribute %r" % (type(self).__name__, name))


class Sessions:
    """Past conversations."""

    def __init__(self, plugin):
        self._plugin = plugin

    def _ask(self, what, **params):
        return registry.wire.request("ctx.sessions", {"plugin": self._plugin, "what": what, **params})

    def list(self, surface=None, limit=None, whose=None):
        """`whose`: only those of this chat user, as `chats.speaker` names them."""
        return self._ask("list", id=surface, seq=limit, whose=whose)

    def search(self, words, limit=None, whose=None, roles=None):
        """By words, newest first, each session with its best message; `roles`: only messages of these."""
        return self._ask("search", id=words, seq=limit, whose=whose, roles=roles)

    def find(self, id_or_title):
        return self._ask("find", id=id_or_title)

    def latest(self, surface=None):
        return self._ask("latest", id=surface)

    def facts(self, session_id):
        return iter(self._ask("facts", id=session_id))

    def branch(self, session_id, seq=None):
        return self._ask("branch", id=session_id, seq=seq)
