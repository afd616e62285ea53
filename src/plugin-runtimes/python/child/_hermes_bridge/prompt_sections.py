"""`ctx.register_system_prompt_section` of later originals. Here a plugin's sections join the requests of each turn,
like the result of `pre_llm_call`.
"""

import os
import re
import types

from . import registry
from .loop import settle

# : For one section, and for all of a plugin.
LONGEST = 4000
MOST = 8000
# : Sessions whose sections are cached as first created.
CACHED_SESSIONS = 256


class PromptSections:
    def __init__(self, plugin, profile):
        self._plugin = plugin
        self._profile = profile
        self._sections = {}
        self._made = {}

    def add(self, name, content, position, max_chars):
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9._-]{1,128}", name):
            raise ValueError("The id of a section may have letters, digits, ., _ and -, not %r." % (name,))
        if name in self._sections:
            raise ValueError("There is already a section %r." % name)
        if position != "after_memory":
            raise ValueError("The position of a section must be after_memory, not %r." % (position,))
        if isinstance(max_chars, bool) or not isinstance(max_chars, int) or not 1 <= max_chars <= LONGEST:
            raise ValueError("A section must have 1 to %d characters, not %r." % (LONGEST, max_chars))
        if not isinstance(content, str) and not callable(content):
            raise TypeError("The section %r must be a string or a function." % name)
        self._sections[name] = (content, max_chars)

    def __call__(self, session_id="", model="", platform="", **_):
        """The same for a whole session."""
        if session_id not in self._made:
            about = {
                "session_id": session_id,
                "model": model,
                "provider": "",
                "platform": platform,
                "profile_name": self._profile,
                "cwd": os.getcwd(),
            }
            while len(self._made) >= CACHED_SESSIONS:
                del self._made[next(iter(self._made))]
            self._made[session_id] = self._text(types.MappingProxyType(about))
        return self._made[session_id] or None

    def _text(self, about):
        found = []
        for name, (content, max_chars) in sorted(self._sections.items()):
            try:
                text = settle(content(about)) if callable(content) else content
            except Exception as cause:
                self._skip(name, "it raised %s: %s" % (type(cause).__name__, cause))
                continue
            if not isinstance(text, str) or text.strip() == "":
                continue
            piece = "[%s, of the plugin %s]\n%s" % (name, self._plugin, text.strip())
            if len(text) > max_chars:
                self._skip(name, "it has %d characters, of which %d are allowed" % (len(text), max_chars))
            elif sum(map(len, found)) + len(piece) > MOST:
                self._skip(name, "all sections of a plugin have %d characters together" % MOST)
            else:
                found.append(piece)
        return "\n\n".join(found)

    def _skip(self, name, why):
        registry.wire.notify(
            "log",
            {
                "plugin": self._plugin,
                "level": "warning",
                "message": "The prompt section %r is left out: %s." % (name, why),
            },
        )
