"""Base of cloud browsers."""

from abc import abstractmethod

from .backend import Backend


class BrowserProvider(Backend):
    @abstractmethod
    def is_available(self):
        """Fast: reads a variable."""

    def is_configured(self):
        return self.is_available()

    @abstractmethod
    def create_session(self, task_id):
        """`session_name`, `bb_session_id`, `cdp_url`, `features`."""

    @abstractmethod
    def close_session(self, session_id):
        """Never raises."""

    def emergency_cleanup(self, session_id):
        return None
