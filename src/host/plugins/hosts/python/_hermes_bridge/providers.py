"""Objects that fill a slot (memory, context engine, images, ...), called by the name of their method."""

import inspect

from . import registry
from .loop import settle


def methods_of(provider):
    names = []
    for name in dir(provider):
        if name.startswith("_"):
            continue
        try:
            found = inspect.getattr_static(provider, name)
        except AttributeError:
            continue
        if callable(found) or isinstance(found, (staticmethod, classmethod)):
            names.append(name)
    return names


def call(params, job):
    provider = registry.find(params["handle"])["provider"]
    method = params["method"]
    if method.startswith("_"):
        raise AttributeError("%s is not for others to call" % method)
    found = getattr(provider, method)
    if not callable(found):
        return found
    args, named = list(params.get("args") or []), dict(params.get("named") or {})
    # Engines take these in several orders, and not all of them: by name each gets what it asks for.
    for name in reversed(_BY_NAME.get(method, ())):
        named[name] = args.pop()
    return settle(found(*args, **registry.accepted(found, named)), job)


_BY_NAME = {"should_compress": ("messages", "model"), "compress": ("model",)}
