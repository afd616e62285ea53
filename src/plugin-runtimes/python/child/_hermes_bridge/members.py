"""Context members apart from registrations: the members of TypeScript's contexts under their Python names."""

from _hermes_bridge import loader, registry


class Members:
    """Base of a plugin's context, which has `manifest`, `_key` and `_config`. An unsupported member is absent,
    because plugins test with hasattr.
    """

    def __getattr__(self, name):
        # Runs only for missing names. The agent's text gives the reason and the alternative.
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
        """Plugins reach behind their context for this, to see which other plugins run."""
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
        """Set when the plugin is unloaded: `ctx.signal.wait(60)` in a plugin's own thread."""
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
        """The text with stored secrets, and text that looks like one, masked."""
        return self._ask("ctx.redact", text=text)

    def call(self, tool, args=None, session_id=None):
        """Runs a tool through the dispatch pipeline. Its outcome, a dict with `kind`; `dispatch_tool` gives its text."""
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
        """Guarded network access: `method`, `headers`, `body`, `timeout`, `max_bytes`, `max_redirects`, `hosts`."""
        from _hermes_bridge.services.granted import fetch

        return fetch(self._key, url, **options)

    def proxy(self, hosts=None, allow_private=False, refused=None):
        """Guarded network access for programs that the plugin starts: a proxy for them. `hosts` may be a function,
        called at each connection.
        """
        from _hermes_bridge.services.proxy import GuardedProxy

        return GuardedProxy(self._key, hosts, allow_private, refused)

    def browser_return(self, host="127.0.0.1", port=0, path="/callback"):
        """For a sign-in by browser: an address on this machine that it returns to. Port 0 is a free one."""
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
        Changes a text file of the agent's home that others write too: `change` receives the content (None if there is no file) and returns
        the new content, or None to leave it. It runs again if another writer changed the file meanwhile.
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
        """Runs when the plugin is unloaded, last registered first."""
        self._cleanups.append(cleanup)


def refused_words(plugin, member, refused):
    return "The plugin %s cannot use ctx.%s here: %s" % (
        '"%s"' % plugin,
        member,
        refused.replace("entries.NAME", "entries.%s" % plugin),
    )
