"""Messages in and out, and waiting for answers."""

import json
import os
import queue
import threading

from . import current
from .plain import plain


GONE = "The agent has exited."


class RemoteError(RuntimeError):
    """The agent refused a request or could not fulfil it."""

    def __init__(self, message, data=None):
        super().__init__(message)
        self.data = data or {}


class Wire:
    def __init__(self, incoming, outgoing):
        self._incoming = incoming
        self._outgoing = outgoing
        self._writing = threading.Lock()
        self._asking = threading.Lock()
        self._next = 0
        self._waiting = {}
        self._closed = False

    def lines(self):
        """Every message that arrives, until the agent closes the pipe."""
        rest = []
        while True:
            chunk = os.read(self._incoming, 1 << 16)
            if not chunk:
                return
            lines = chunk.split(b"\n")
            if len(lines) == 1:
                rest.append(chunk)
                continue
            lines[0] = b"".join(rest) + lines[0]
            rest = [lines.pop()]
            for line in lines:
                if line.strip():
                    yield json.loads(line)

    def send(self, message):
        message["jsonrpc"] = "2.0"
        # ASCII only: a lone surrogate in a string survives as its escape.
        try:
            line = json.dumps(message, default=plain, allow_nan=False, separators=(",", ":"))
        except (ValueError, TypeError, RecursionError):
            line = json.dumps(plain(message, deep=True), allow_nan=False, separators=(",", ":"))
        data = memoryview(line.encode("ascii") + b"\n")
        with self._writing:
            while data:
                data = data[os.write(self._outgoing, data) :]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params, timeout=None):
        """Sends a request to the agent and waits. Names the call it belongs to, so that the agent knows the session."""
        if self._closed:
            raise RemoteError(GONE)
        answer = queue.SimpleQueue()
        call = current.call.get()
        with self._asking:
            self._next += 1
            identity = "p%d" % self._next
            self._waiting[identity] = (answer, call)
        if call is not None:
            params = {"call": call, **params}
        self.send({"id": identity, "method": method, "params": params})
        try:
            message = answer.get(timeout=timeout)
        except queue.Empty:
            self._waiting.pop(identity, None)
            self.notify("cancel", {"id": identity})
            raise TimeoutError("%s was not answered within %s seconds" % (method, timeout)) from None
        error = message.get("error")
        if error is None:
            return message.get("result")
        if error.get("cancelled"):
            raise current.Cancelled()
        raise RemoteError(error.get("message", "The agent refused."), error.get("data"))

    def answered(self, message):
        waiting = self._waiting.pop(message.get("id"), None)
        if waiting is not None:
            waiting[0].put(message)

    def close(self):
        """The agent has ended: no answer will arrive."""
        self._closed = True
        for identity in list(self._waiting):
            self.answered({"id": identity, "error": {"message": GONE}})

    def abandon(self, call):
        """Cancels everything that waits for the agent under this call."""
        for identity, (_, under) in list(self._waiting.items()):
            if under == call:
                self.answered({"id": identity, "error": {"cancelled": True}})
