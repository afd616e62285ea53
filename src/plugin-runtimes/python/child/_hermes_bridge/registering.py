"""Registers a plugin: by its `register`, or by its class if there is none."""

import types

from .loop import settle

# : Flag of a code object whose function has `*args`.
_TAKES_ANY = 0x04


def register(found, context, is_entry):
    """
    `found` is a module, or with `is_entry` the target of a package's entry point: a function, a class, an object. False if nothing in it
    could register.
    """
    function = _register_of(found, is_entry)
    if function is None:
        return (
            _registered(context)
            or (is_entry and _is_memory(found) and _provide(found, context))
            or _adopt(found, context)
        )
    made = settle(function() if _takes_nothing(function) else function(context))
    # A factory only returns the object it made.
    if made is not None and not _registered(context):
        _provide(made, context)
    return True


def _register_of(found, is_entry):
    if isinstance(found, type):
        # Not the `register` that every abstract class has from its metaclass.
        if not any("register" in vars(base) for base in found.__mro__):
            return None
        own = vars(next(base for base in found.__mro__ if "register" in vars(base)))["register"]
        return getattr(found if isinstance(own, (staticmethod, classmethod)) else found(), "register")
    function = getattr(found, "register", None)
    if callable(function):
        return function
    return found if is_entry and not isinstance(found, types.ModuleType) and callable(found) else None


def _takes_nothing(function):
    """As a model provider's, which needs no context."""
    return (
        isinstance(function, types.FunctionType)
        and function.__code__.co_argcount == 0
        and not function.__code__.co_flags & _TAKES_ANY
    )


def _registered(context):
    """A model profile, or a tool of the original's registry, registers itself during the import."""
    return bool(context._counts)


def _adopt(found, context):
    """The first class of a module that can be a provider."""
    from agent.context_engine import ContextEngine
    from agent.memory_provider import MemoryProvider

    classes = (
        [found]
        if isinstance(found, type)
        else [one for one in vars(found).values() if isinstance(one, type)]
        if isinstance(found, types.ModuleType)
        else []
    )
    whole = [
        one
        for one in classes
        if not getattr(one, "__abstractmethods__", None) and one not in (ContextEngine, MemoryProvider)
    ]
    if any(_provide(one, context) for one in whole if issubclass(one, (MemoryProvider, ContextEngine))):
        return True
    # A provider need not inherit the base class; then its name identifies it.
    named = next(
        (
            one
            for one in whole
            if one.__name__.endswith("MemoryProvider") and callable(getattr(one, "initialize", None))
        ),
        None,
    )
    if named is not None:
        context.register_memory_provider(named())
    return named is not None


def _provide(provider, context):
    """A provider, or the class of one."""
    from agent.context_engine import ContextEngine

    made = provider() if isinstance(provider, type) else provider
    if isinstance(made, ContextEngine):
        context.register_context_engine(made)
        return True
    if _is_memory(made):
        context.register_memory_provider(made)
        return True
    return False


def _is_memory(found):
    from agent.memory_provider import MemoryProvider

    if isinstance(found, MemoryProvider) or (isinstance(found, type) and issubclass(found, MemoryProvider)):
        return True
    return callable(getattr(found, "initialize", None)) and any(
        callable(getattr(found, name, None)) for name in ("prefetch", "sync_turn", "handle_tool_call")
    )
