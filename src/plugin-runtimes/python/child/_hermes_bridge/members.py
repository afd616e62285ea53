"""What a context offers beside registrations: the members of TypeScript's contexts, as Python spells them."""

from _hermes_bridge import loader, registry


class Members:
    """Base of a plugin's context, which has `manifest`, `_key` and `_config`. What it has no member for is absent: plugins probe with hasattr."""

    def __getattr__(self, name):
        # Only for what is not there. The words of the agent say why, and what to do instead.
        refused = loader.refused.get(name)
        if refused is not None:
            raise AttributeError(refused_words(self._key, name, refused))
        raise AttributeError("%r object has no attribute %r" % (type(self).__name__, name))

    def _ask(self, method, **params):
        return registry.wire.request(method, {"plugin": self._key, **params})

    @property
    def id(self):
        return self._key

    @property
    def _manager(self):
        """What plugins reach for behind their context, to see who else is there."""
        from hermes_cli.plugins import get_plugin_manager

        return get_plugin_manager()

    @property
    def version(self):
        return self.manifest.version

    @property
    def dir(self):
        """The plugin's own folder."""
        from pathlib import Path

        return Path(self.manifest.path)

    @property
    def home(self):
        """The agent's own home."""
        from _hermes_bridge.home import home

        return home()

    @property
    def log(self):
        import logging

        return logging.getLogger("hermes_plugins.%s" % loader.slug(self._key))

    @property
    def signal(self):
        """Set when the plugin is unloaded: `ctx.signal.wait(60)` in a thread of its own."""
        return self._unloaded

    @property
    def profile_name(self):
        return loader.agent.get("profile") or "default"

    @property
    def config(self):
        """The plugin's own section of config.yaml."""
        return dict(self._config)

    def get_config(self, key=None, default=None):
        return dict(self._config) if key is None else self._config.get(key, default)

    def setting(self, path, default=None):
        """Any configuration value by dotted path."""
        value = self._ask("ctx.setting", path=path)
        return default if value is None else value

    def env(self, name, default=None):
        """A variable that the manifest or one of the plugin's tools declares."""
        value = self._ask("ctx.env", name=name)
        return default if value is None else value

    def tools(self):
        """Every tool registered so far: `name`, `toolset`, `owner`."""
        return self._ask("ctx.tools")

    def redact(self, text):
        """The text with stored secrets, and what looks like one, masked."""
        return self._ask("ctx.redact", text=text)

    def call(self, tool, args=None, session_id=None):
        """Runs a tool by the one road. Its outcome, a dict with `kind`; `dispatch_tool` gives its text."""
        return self._ask(
            "ctx.call_tool", tool=tool, args=args or {}, **({} if session_id is None else {"session": session_id})
        )["outcome"]

    @property
    def llm(self):
        if self._llm is None:
            from _hermes_bridge.services.llm import PluginLlm

            self._llm = PluginLlm(self._key)
        return self._llm

    def fetch(self, url, **options):
        """The guarded way to the network: `method`, `headers`, `body`, `timeout`, `max_bytes`, `max_redirects`, `hosts`."""
        from _hermes_bridge.services.granted import fetch

        return fetch(self._key, url, **options)

    def proxy(self, hosts=None, allow_private=False, refused=None):
        """The same way for programs that the plugin starts: a proxy for them to speak to. `hosts` may be a function, asked at each connection."""
        from _hermes_bridge.services.proxy import GuardedProxy

        return GuardedProxy(self._key, hosts, allow_private, refused)

    def browser_return(self, host="127.0.0.1", port=0, path="/callback"):
        """For a sign-in by browser: where it comes back to this machine. Port 0 is a free one."""
        from _hermes_bridge.services.browser_return import BrowserReturn

        return BrowserReturn(self._key, host, port, path)

    @property
    def storage(self):
        from _hermes_bridge.services.granted import Storage

        return Storage(self._key)

    @property
    def sessions(self):
        from _hermes_bridge.services.granted import Sessions

        return Sessions(self._key)

    @property
    def secrets(self):
        from _hermes_bridge.services.granted import Secrets

        return Secrets(self._key)

    @property
    def chats(self):
        from _hermes_bridge.services.agent import Chats

        return Chats(self._key)

    @property
    def jobs(self):
        from _hermes_bridge.services.agent import Jobs

        return Jobs(self._key)

    @property
    def skills(self):
        from _hermes_bridge.services.agent import Skills

        return Skills(self._key)

    def change_file(self, path, change):
        """
        Changes a text file of the agent's home that others write too: `change` is given what it says (None: it is not there) and returns what it
        is to say, or None to leave it. It is asked again where somebody else wrote meanwhile.
        """
        seen = self._ask("ctx.change_file", path=path)
        while True:
            to = change(seen["text"])
            if to is None or to == seen["text"]:
                return
            seen = self._ask("ctx.change_file", path=path, **{"from": seen["text"], "to": to})
            if not seen["changed"]:
                return

    def on_unload(self, cleanup):
        """Run when the plugin is unloaded, last registered first."""
        self._cleanups.append(cleanup)


def refused_words(plugin, member, refused):
    return "The plugin %s cannot use ctx.%s here: %s" % (
        '"%s"' % plugin,
        member,
        refused.replace("entries.NAME", "entries.%s" % plugin),
    )
