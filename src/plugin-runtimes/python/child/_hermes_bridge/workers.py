"""Runs the agent's calls: on the main thread while it is free, because plugins were loaded there, else on other
threads.
"""

import ctypes
import queue
import threading
import time

from . import current

MOST_THREADS = 32


class Job:
    def __init__(self, identity, plugin, run, place):
        self.identity = identity
        self.plugin = plugin
        self.run = run
        self.place = place
        self.thread = None
        self.cpu_from = 0.0
        # : Held by the interrupting thread, so that the call does not finish meanwhile.
        self.ending = threading.Lock()
        # : Of an asynchronous handler.
        self.future = None
        self.cancelled = False


class Workers:
    def __init__(self, finish):
        # : Called with (job, result, error); `error` is an exception or None.
        self._finish = finish
        self._lock = threading.Lock()
        self._main = queue.SimpleQueue()
        self._main_free = True
        self._idle = []
        self._count = 0
        self._backlog = []
        self.running = {}

    def submit(self, job):
        with self._lock:
            self.running[job.identity] = job
            if self._main_free:
                self._main_free = False
                inbox = self._main
            elif self._idle:
                inbox = self._idle.pop()
            elif self._count < MOST_THREADS:
                self._count += 1
                inbox = queue.SimpleQueue()
                threading.Thread(
                    target=self._work, args=(inbox,), daemon=True, name="hermes-call-%d" % self._count
                ).start()
            else:
                self._backlog.append(job)
                return
        inbox.put(job)

    def run_main(self):
        """Works until `stop`."""
        while self._step(self._main, main=True):
            pass

    def stop(self):
        self._main.put(None)

    def cancel(self, identity):
        job = self.running.get(identity)
        if job is None:
            return
        job.cancelled = True
        future = job.future
        if future is not None:
            future.cancel()
            return
        with job.ending:
            if job.thread is not None:
                # Ends Python code wherever it is; a wait inside C continues until it returns, or until the agent ends
                # this process.
                interrupt(job.thread, ctypes.py_object(current.Cancelled))

    def busy_seconds(self):
        """Processor time of each running call."""
        times = {}
        for identity, job in list(self.running.items()):
            thread = job.thread
            if thread is not None:
                try:
                    times[str(identity)] = time.clock_gettime(time.pthread_getcpuclockid(thread)) - job.cpu_from
                except (AttributeError, OSError):
                    continue  # Not on this system, or the thread has just ended.
        return times

    def _work(self, inbox):
        while self._step(inbox, main=False):
            pass

    def _step(self, inbox, main):
        job = inbox.get()
        if job is None:
            return False
        self._run(job)
        while True:
            with self._lock:
                if not self._backlog:
                    break
                job = self._backlog.pop(0)
            self._run(job)
        with self._lock:
            if main:
                self._main_free = True
            else:
                self._idle.append(inbox)
        return True

    def _seal(self, job):
        """From now on it cannot be interrupted; an exception that was sent and has not arrived is withdrawn."""
        with job.ending:
            job.thread = None
            interrupt(threading.get_ident(), None)

    def _run(self, job):
        result, error = None, None
        tokens = (current.call.set(job.identity), current.plugin.set(job.plugin), current.place.set(job.place))
        try:
            try:
                job.cpu_from = time.thread_time()
                job.thread = threading.get_ident()
                if job.cancelled:
                    raise current.Cancelled()
                result = job.run(job)
            except BaseException as cause:  # A plugin may raise anything, even SystemExit; it ends only its call.
                error = cause
            self._seal(job)
        except current.Cancelled as cause:  # The interrupt came as the call ended.
            error = cause
            self._seal(job)
        current.call.reset(tokens[0])
        current.plugin.reset(tokens[1])
        current.place.reset(tokens[2])
        self.running.pop(job.identity, None)
        self._finish(job, result, error)


def interrupt(thread, exception):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)


def stack_of(error):
    """The part of a traceback that is in the plugin."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if "_hermes_bridge" not in frame.filename]
    return "".join(traceback.format_list(theirs or frames) + traceback.format_exception_only(type(error), error))
