"""What chat platforms are made of."""

__all__ = ["BasePlatformAdapter", "MessageEvent", "SendResult"]


def __getattr__(name):
    # Looked up when asked for: a plugin that needs none of it does not pay for it.
    if name in __all__:
        from . import base

        return getattr(base, name)
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
