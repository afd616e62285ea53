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
    return settle(found(*(params.get("args") or []), **registry.accepted(found, params.get("named") or {})), job)
