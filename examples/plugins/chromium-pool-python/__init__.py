"""Browsers of a pool: `POST /sessions` starts one, `DELETE /sessions/ID` ends it."""

import os
from urllib.parse import quote

from agent.browser_provider import BrowserProvider


class ChromiumPool(BrowserProvider):
    def __init__(self, ctx):
        self._fetch = ctx.fetch

    @property
    def name(self) -> str:
        return "chromium-pool"

    @property
    def display_name(self) -> str:
        return "Chromium pool"

    def is_available(self) -> bool:
        return bool(os.environ.get("CHROMIUM_POOL_URL") and os.environ.get("CHROMIUM_POOL_TOKEN"))

    def create_session(self, task_id):
        reply = self._ask("POST", "/sessions")
        if reply.status != 201:
            raise RuntimeError("The pool has no free browser: it answered %d." % reply.status)
        session = reply.json()
        return {"session_name": "hermes_%s" % task_id, "bb_session_id": session["id"], "cdp_url": session["address"], "features": {}}

    def close_session(self, session_id):
        try:
            return self._ask("DELETE", "/sessions/%s" % quote(session_id, safe="")).status in (204, 404)
        except Exception:
            return False

    def emergency_cleanup(self, session_id):
        self.close_session(session_id)

    def get_setup_schema(self):
        return {"name": self.display_name, "badge": "local", "tag": "your own machine", "env_vars": [{"key": "CHROMIUM_POOL_URL", "prompt": "Address of the pool"}, {"key": "CHROMIUM_POOL_TOKEN", "prompt": "Its token"}]}

    def _ask(self, method, path):
        headers = {"authorization": "Bearer %s" % os.environ["CHROMIUM_POOL_TOKEN"]}
        return self._fetch(os.environ["CHROMIUM_POOL_URL"] + path, method=method, headers=headers, max_redirects=0, timeout=60)


def register(ctx):
    ctx.register_browser_provider(ChromiumPool(ctx))
