"""`ctx.browser_return`: an address of this machine that a browser returns to. The agent listens."""

from .. import registry
from .answers import answer_of


class BrowserReturn:
    def __init__(self, plugin, host, port, path):
        self._plugin = plugin
        opened = registry.wire.request(
            "ctx.browser_return.open", {"plugin": plugin, "host": host, "port": port, "path": path}
        )
        self._return = opened["return"]
        self.port = opened["port"]

    def came(self, state, timeout=None, interactive=True):
        """
        Waits until the browser returns, or the user pastes its last address into the terminal of the command under which this runs. Accepts
        only a request with `state`. Returns its `code` and `iss`. Raises TimeoutError after `timeout` seconds.
        """
        answer = registry.wire.request(
            "ctx.browser_return.came",
            {"plugin": self._plugin, "return": self._return, "state": state, "interactive": interactive},
            timeout=timeout,
        )
        return answer_of(answer)

    def close(self):
        registry.wire.request("ctx.browser_return.close", {"plugin": self._plugin, "return": self._return})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
