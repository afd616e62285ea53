"""Sends the log entries of plugins to the agent's log, with level and logger name."""

import sys

from . import current, registry

_bridged = False


def bridge(plugins):
    """Runs once a plugin has imported `logging`, which is too slow to import for plugins that do not use it."""
    global _bridged
    logging = sys.modules.get("logging")
    if _bridged or logging is None:
        return
    _bridged = True

    class ToAgent(logging.Handler):
        def emit(self, record):
            try:
                message = "%s: %s" % (record.name, record.getMessage())
                stack = {"stack": logging.Formatter().formatException(record.exc_info)} if record.exc_info else {}
                level = (
                    "error"
                    if record.levelno >= logging.ERROR
                    else "warning"
                    if record.levelno >= logging.WARNING
                    else "info"
                    if record.levelno >= logging.INFO
                    else "debug"
                )
                registry.wire.notify(
                    "log", {"plugin": _owner(record.name, plugins), "level": level, "message": message, "detail": stack}
                )
            except Exception:
                self.handleError(record)

    root = logging.getLogger()
    root.addHandler(ToAgent())
    if root.level == logging.WARNING:
        root.setLevel(logging.INFO)


def _owner(logger, plugins):
    """For a thread that a plugin started, only the names of its loggers are known."""
    known = current.plugin.get()
    if known is not None:
        return known
    return next(
        (key for key in plugins if logger.startswith("hermes_plugins." + key.replace("-", "_").replace("/", "__"))),
        next(iter(plugins), None),
    )
