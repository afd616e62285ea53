"""Building blocks of chat platforms."""

__all__ = ["BasePlatformAdapter", "MessageEvent", "SendResult"]


def __getattr__(name):
    # Imported on access: a plugin without them does not pay for the import.
    if name in __all__:
        from . import base

        return getattr(base, name)
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
