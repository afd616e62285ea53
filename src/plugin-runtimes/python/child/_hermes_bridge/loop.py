"""The event loop that all asynchronous handlers share, created for the first one."""

import threading

from . import current

_lock = threading.Lock()
_loop = None


def loop():
    global _loop
    with _lock:
        if _loop is None:
            import asyncio

            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, daemon=True, name="hermes-asyncio").start()
        return _loop


def settle(value, job=None):
    """The value, or its awaited result."""
    if not hasattr(type(value), "__await__"):
        return value
    import asyncio
    import concurrent.futures

    call, plugin, place = current.call.get(), current.plugin.get(), current.place.get()

    async def wait():
        current.call.set(call)
        current.plugin.set(plugin)
        current.place.set(place)
        return await value

    future = asyncio.run_coroutine_threadsafe(wait(), loop())
    if job is not None:
        job.future = future
        if job.cancelled:
            future.cancel()
    try:
        return future.result()
    except concurrent.futures.CancelledError:
        raise current.Cancelled() from None
    finally:
        if job is not None:
            job.future = None
