"""Base of web search and extraction."""

import os
from abc import abstractmethod

from .backend import Backend


class WebSearchProvider(Backend):
    @abstractmethod
    def is_available(self):
        """Fast: reads a variable."""

    def supports_search(self):
        return True

    def supports_extract(self):
        return False

    def search(self, query, limit=5):
        raise NotImplementedError("%s does not search" % self.name)

    def extract(self, urls, **kwargs):
        raise NotImplementedError("%s does not extract" % self.name)


def get_provider_env(name):
    """A variable this plugin declares, or that is not secret; empty without one."""
    return (os.environ.get(name) or "").strip()
