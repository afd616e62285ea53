"""`ctx.proxy`: the agent's guarded proxy. The plugin transfers the traffic of programs over the wire, connection by
connection.
"""

import base64
import socket
import threading

from .. import registry
from ..wire import RemoteError

MOST_AT_ONCE = 1 << 16


class GuardedProxy:
    def __init__(self, plugin, hosts, allow_private, refused):
        self._plugin = plugin
        self._hosts = hosts
        self._allow_private = allow_private
        self._refused = refused
        self._open = set()
        self._proxy = self._ask("open", **self._settings())["proxy"]

    def serve(self, connection):
        """Takes over one connection of a program, a connected socket, answers on it and closes it. Returns at once."""
        self._open.add(connection)
        threading.Thread(target=self._carry, args=(connection,), daemon=True, name="hermes-proxy").start()

    def judge(self, url, sent="", look_up=False):
        """Why this address may not be requested, or None. `sent` is searched for stored secrets."""
        return self._ask("judge", proxy=self._proxy, url=url, sent=sent, look_up=look_up, **self._settings())

    def close(self):
        self._ask("close", proxy=self._proxy)
        for connection in list(self._open):
            _end(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _ask(self, method, **params):
        return registry.wire.request("ctx.proxy." + method, {"plugin": self._plugin, **params})

    def _settings(self):
        hosts = self._hosts() if callable(self._hosts) else self._hosts
        allowed = self._allow_private() if callable(self._allow_private) else self._allow_private
        return {"hosts": list(hosts or []), "allow_private": bool(allowed)}

    def _carry(self, connection):
        identity = None
        try:
            identity = self._ask("connect", proxy=self._proxy, **self._settings())["connection"]
            threading.Thread(target=self._onward, args=(connection, identity), daemon=True, name="hermes-proxy").start()
            self._back(connection, identity)
        except (OSError, RemoteError):
            pass  # The program has ended, or the agent refused: the connection ends either way.
        finally:
            _end(connection)
            self._open.discard(connection)
            if identity is not None:
                try:
                    self._ask("hang_up", connection=identity)
                except RemoteError:
                    pass  # The agent has ended, and the connection with it.

    def _onward(self, connection, identity):
        try:
            while True:
                data = connection.recv(MOST_AT_ONCE)
                if not data:
                    self._ask("send", connection=identity, end=True)
                    return
                self._ask("send", connection=identity, data=base64.b64encode(data).decode("ascii"))
        except (OSError, RemoteError):
            pass  # Finished; the other direction closes the connection.

    def _back(self, connection, identity):
        while True:
            answer = self._ask("receive", connection=identity)
            for words in answer.get("refused") or []:
                if self._refused is not None:
                    self._refused(words)
            if answer.get("end"):
                return
            connection.sendall(base64.b64decode(answer["data"]))


def _end(connection):
    try:
        # Wakes a thread that waits in recv, which closing alone does not.
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # Already finished.
    connection.close()
