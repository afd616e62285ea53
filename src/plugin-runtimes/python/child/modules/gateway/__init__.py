"""Modules of the gateway that plugins import."""

_FROM = {
    "GatewayConfig": "config",
    "PlatformConfig": "config",
    "HomeChannel": "config",
    "load_gateway_config": "config",
}


def __getattr__(name):
    if name in _FROM:
        from importlib import import_module

        return getattr(import_module("gateway.%s" % _FROM[name]), name)
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
