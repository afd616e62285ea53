"""The main loop: reads messages of the agent, passes calls to workers, sends answers."""

import copy
import json
import os
import platform
import signal
import sys
import threading

from . import commands, current, lifeline, loader, output, providers, registry, yaml_fallback
from .services.answers import answer_of
from .loop import settle
from .numbers import whole
from .watch import environment
from .wire import RemoteError, Wire
from .workers import Job, Workers, stack_of

PROTOCOL = 1
# : How long plugins may take to end on request, and after the agent has ended.
END_SECONDS = 3.0
GONE_SECONDS = 1.2
# : Switch interval while no call waits for the agent.
SILENCE_SECONDS = 30.0
VERSIONS = {"telemetry_schema_version": "hermes.observer.v1"}


def run(incoming, outgoing):
    lifeline.hold()
    output.prepare()
    # Ctrl-C, and a supervisor's signal to all processes of a service, are for the agent, which shuts this process
    # down in order. A handler, not SIG_IGN, which child processes of plugins would inherit.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    yaml_fallback.install()
    wire = Wire(incoming, outgoing)
    registry.wire = wire
    host = Host(wire)
    threading.Thread(target=host.read, daemon=True, name="hermes-wire").start()
    host.workers.run_main()
    if not host.gone:
        lifeline.leave_within(END_SECONDS)
    loader.unload_all()
    sys.stdout.flush()
    # Not by the interpreter's own shutdown, which stops the thread above first and may then wait forever for a lock.
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join()
    _run_exit_handlers()
    os._exit(0)


def _run_exit_handlers():
    """As the interpreter would, without its wait for threads that never end."""
    import atexit

    atexit._run_exitfuncs()


class Host:
    def __init__(self, wire):
        self.wire = wire
        self.gone = False
        self.workers = Workers(self.finished)
        self.calls = {
            "plugin.load": lambda params, job: loader.load(params),
            "plugin.unload": lambda params, job: loader.unload(params["plugin"]),
            "tool.call": call_tool,
            "tool.check": lambda params, job: bool(settle(registry.find(params["handle"])["check"](), job)),
            "tool.provenance": words_brought,
            "hook.call": call_hook,
            "middleware.call": call_middleware,
            "command.run": run_command,
            "cli.run": commands.run_cli,
            "provider.call": providers.call,
            "doctor.look": lambda params, job: settle(registry.find(params["handle"])["run"](), job),
        }

    def read(self):
        try:
            for message in self.wire.lines():
                self.take(message)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        # The agent has ended. Running calls are notified and have little time left.
        self.gone = True
        lifeline.leave_within(GONE_SECONDS)
        for identity in list(self.workers.running):
            self.workers.cancel(identity)
            self.wire.abandon(identity)
        self.wire.close()
        self.workers.stop()

    def take(self, message):
        method = message.get("method")
        params = message.get("params") or {}
        if method is None:
            self.wire.answered(message)
        elif method == "ping":
            lifeline.expect_a_ping_within(SILENCE_SECONDS)
            self.wire.send({"id": message["id"], "result": {"busy": self.workers.busy_seconds()}})
        elif method == "initialize":
            self.wire.send({"id": message["id"], **self.initialize(params)})
        elif method == "cancel":
            self.workers.cancel(params.get("id"))
            self.wire.abandon(params.get("id"))
        elif method == "env":
            environment.grant(params.get("variables") or {})
        elif method == "shutdown":
            self.wire.send({"id": message["id"], "result": None})
            self.workers.stop()
        elif method in self.calls:
            run_it = self.calls[method]
            self.workers.submit(
                Job(
                    message["id"],
                    params.get("plugin") or plugin_of(params.get("handle")),
                    lambda job: run_it(params, job),
                    params.get("context") or {},
                )
            )
        elif "id" in message:
            self.wire.send(
                {
                    "id": message["id"],
                    "error": {"code": -32601, "message": "This runtime does not support the method %s." % method},
                }
            )

    def initialize(self, params):
        if params.get("protocol") != PROTOCOL:
            return {"error": {"code": -32600, "message": "This runtime supports protocol %d." % PROTOCOL}}
        loader.prepare(params)
        environment.prepare(
            params.get("withheld", []),
            lambda name: self.wire.notify(
                "log",
                {
                    "plugin": current.plugin.get(),
                    "level": "warning",
                    "message": words_of(name),
                    "detail": {"breach": True},
                },
            ),
        )
        limit_memory(params.get("memory_mb"))
        return {"result": {"protocol": PROTOCOL, "host": "python", "version": platform.python_version()}}

    def finished(self, job, result, error):
        if not self.workers.running:
            lifeline.expect_nothing()
        if error is None:
            self.wire.send({"id": job.identity, "result": result})
            return
        kind = type(error).__name__
        if isinstance(error, current.Cancelled):
            answer = {"code": -32800, "message": "The call was cancelled."}
        else:
            answer = {"code": -32000, "message": text_of(error), "data": {"type": kind, "stack": stack_of(error)}}
            if isinstance(error, RemoteError):
                answer["data"].update(error.data)
        self.wire.send({"id": job.identity, "error": answer})


def text_of(error):
    if isinstance(error, SystemExit):
        return "exit status %s" % error.code
    try:
        return str(error)
    except Exception as cause:
        # An exception whose text cannot be read must fail only its own call.
        return "it has no text (%s)" % type(cause).__name__


def words_of(name):
    key = current.plugin.get()
    helps = "" if key is None else " To pass it, run: hermes config set plugins.entries.%s.env '[\"%s\"]'" % (key, name)
    return "A plugin read the variable %s, which no manifest declares, so it was not passed.%s" % (name, helps)


def plugin_of(handle):
    return None if handle is None else handle[: handle.rindex("/", 0, handle.index(":"))]


def call_tool(params, job):
    found = registry.find(params["handle"])
    function = found["run"]
    schema = (found.get("entry") or {}).get("schema") or {}
    schema = schema.get("function", schema)
    args = whole(params.get("args") or {}, schema.get("parameters", schema))
    return settle(function(args, **registry.accepted(function, params.get("context") or {})), job)


def words_brought(params, job):
    """The source of a result's text: fixed, or the result of a function for each call."""
    provenance = registry.find(params["handle"])["provenance"]
    return settle(provenance(params.get("args") or {}), job) if callable(provenance) else provenance


def call_hook(params, job):
    function = registry.find(params["handle"])["run"]
    payload = {**params["payload"], **VERSIONS}
    # A library's object in the original: read by attribute, and by key in later versions.
    if "assistant_message" in payload:
        payload["assistant_message"] = answer_of(payload["assistant_message"])
    before = copy.deepcopy(payload.get("args")) if params["hook"] == "pre_tool_call" else None
    answer = settle(function(**registry.accepted(function, payload)), job)
    # A guard may change the arguments in place, and request an approval as well.
    if before is None or payload.get("args") == before:
        return answer
    if isinstance(answer, dict) and answer.get("action") in ("block", "approve", "modify"):
        return {"args": payload["args"], **answer}
    return {"action": "modify", "args": payload["args"]}


def call_middleware(params, job):
    function = registry.find(params["handle"])["run"]
    wire = registry.wire
    spent = []

    def next_call(changed=None):
        if spent:
            raise RuntimeError("next_call was called twice")
        spent.append(True)
        return answer_of(wire.request("middleware.next", {"changed": changed}))

    keywords = {**params["input"], **VERSIONS, "middleware_schema_version": "hermes.middleware.v1"}
    if params["middleware"].endswith("_execution"):
        keywords["next_call"] = next_call
    return settle(function(**registry.accepted(function, keywords)), job)


def run_command(params, job):
    shown = settle(registry.find(params["handle"])["run"](params.get("args", "")), job)
    return (
        None if not shown else shown if isinstance(shown, str) else json.dumps(shown, default=str, ensure_ascii=False)
    )


def limit_memory(megabytes):
    """A plugin that needs more gets a MemoryError, which ends its call and not this process."""
    if not megabytes:
        return
    try:
        import resource

        most = megabytes << 20
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))
    except (ImportError, ValueError, OSError):
        pass  # Not on this system.
