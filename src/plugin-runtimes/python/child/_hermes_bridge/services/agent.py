"""`ctx.chats`, `ctx.jobs` and `ctx.skills`: services of the agent, method by method. Answers are dicts with the
agent's keys.
"""

from .. import registry


class Service:
    service = ""

    def __init__(self, plugin, **more):
        self._plugin = plugin
        self._more = more

    def _ask(self, method, *args):
        return registry.wire.request(
            "ctx.desk",
            {"plugin": self._plugin, "desk": self.service, "method": method, "args": list(args), **self._more},
        )


class Chats(Service):
    """Chats of the gateway, to send to."""

    service = "chats"

    def platforms(self):
        return self._ask("platforms")

    def running(self):
        return self._ask("running")

    def destinations(self, target, origin=None):
        """The current chat of a target: `PLATFORM`, `PLATFORM:CHAT[:THREAD]`, `all`, `origin`."""
        return [_address(one) for one in self._ask("destinations", target, origin)]

    def deliver(self, platform, text, *, key, chat_id=None, thread_id=None):
        """Queues a text for a platform's home channel, or a chat of it. A text with a known key is not sent again."""
        to = {"platform": platform, "key": key, "chatId": chat_id, "threadId": thread_id}
        self._ask("deliver", {name: value for name, value in to.items() if value is not None}, text)

    def heard(self):
        """Chats with recent messages, the latest first."""
        return [_address(one) for one in self._ask("heard")]

    def speaker(self, session_id):
        return self._ask("speaker", session_id)


class Jobs(Service):
    """Scheduled jobs. A job is given by keywords: `schedule`, `prompt`, `name`, `deliver`, `repeat`, `skills`,
    `script`, ...
    """

    service = "jobs"

    def seen_from(self, session_id):
        return Jobs(self._plugin, seen_from=session_id)

    def list(self):
        return self._ask("list")

    def find(self, id_or_name):
        return self._ask("find", id_or_name)

    def create(self, **job):
        return self._ask("create", job)

    def change(self, id_or_name, **job):
        return self._ask("change", id_or_name, job)

    def pause(self, id_or_name, reason=None):
        return self._ask("pause", id_or_name, reason)

    def resume(self, id_or_name):
        return self._ask("resume", id_or_name)

    def trigger(self, id_or_name):
        return self._ask("trigger", id_or_name)

    def remove(self, id_or_name):
        return self._ask("remove", id_or_name)

    def runner(self):
        return self._ask("runner")


class Skills(Service):
    """The skills there are."""

    service = "skills"

    @property
    def folder(self):
        return self._ask("folder")

    @property
    def bundled(self):
        return self._ask("bundled")

    def seed(self):
        self._ask("seed")

    def reseed(self):
        self._ask("reseed")

    def set_enabled(self, name, on, platform=None):
        return self._ask("setEnabled", name, on, platform)

    def all(self):
        return self._ask("all")

    def roots(self):
        return self._ask("roots")

    def head(self, text):
        return self._ask("head", text)

    def has(self, variable):
        return self._ask("has", variable)

    def judge(self, what):
        return self._ask("judge", what if isinstance(what, dict) else str(what))

    def fetch(self, source, into):
        return self._ask("fetch", source, str(into))

    def publish(self, folder, wish, stage):
        return self._ask("publish", str(folder), wish, str(stage))

    def of_plugins(self):
        return self._ask("ofPlugins")

    def asleep(self, plugin):
        return self._ask("asleep", plugin)


def _address(one):
    names = {"chatId": "chat_id", "threadId": "thread_id"}
    return {names.get(name, name): value for name, value in one.items()}
