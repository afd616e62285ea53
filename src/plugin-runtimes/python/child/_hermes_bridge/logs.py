"""What plugins log goes to the agent's log, with its level and the logger's name."""

import sys

from . import current, registry

_bridged = False


def bridge(plugins):
    """Once some plugin has imported `logging`, which is too dear to be imported for those that have not."""
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
    """Of a thread that a plugin started nothing is known but the names of its loggers."""
    known = current.plugin.get()
    if known is not None:
        return known
    return next(
        (key for key in plugins if logger.startswith("hermes_plugins." + key.replace("-", "_").replace("/", "__"))),
        next(iter(plugins), None),
    )
