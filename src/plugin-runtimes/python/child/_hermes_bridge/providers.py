"""Objects that fill a slot (memory, context engine, images, ...), called by the name of their method."""

from . import registry
from .loop import settle


def methods_of(provider):
    from inspect import getattr_static  # A slow import, and most plugins provide nothing.

    names = []
    for name in dir(provider):
        if name.startswith("_"):
            continue
        try:
            found = getattr_static(provider, name)
        except AttributeError:
            continue
        if callable(found) or isinstance(found, (staticmethod, classmethod)):
            names.append(name)
    return names


def call(params, job):
    provider = registry.find(params["handle"])["provider"]
    method = params["method"]
    if method.startswith("_"):
        raise AttributeError("%s may not be called" % method)
    found = getattr(provider, method)
    if not callable(found):
        return found
    args, named = list(params.get("args") or []), dict(params.get("named") or {})
    # Engines take these in several orders, and not all of them: each gets the arguments that it names.
    places = _BY_NAME.get(method, ())
    fixed = next((at for at, name in enumerate(places) if name), len(args))
    named.update(zip(places[fixed:], args[fixed:]))
    return settle(found(*args[:fixed], **registry.accepted(found, named)), job)


# : The names of these arguments; those without one keep their positions.
_BY_NAME = {"should_compress": ("messages", "model"), "compress": (None, "model")}
