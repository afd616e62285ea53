import { parameterNames, type SandboxTool } from "./sandbox-tools.ts";

/** Maximum size of one call. */
export const MAX_CALL_BYTES = 4_000_000;

/** The Python module `hermes_tools`: a function for each tool, and a few helpers for scripts. */
export function toolsModule(tools: readonly SandboxTool[]): string {
  const names = tools.map(({ name }) => name);
  const functions = tools.map(
    (tool) =>
      `def ${tool.name}(${tool.parameters}):\n    ${JSON.stringify(tool.does)}\n    return _call(${JSON.stringify(tool.name)}, {${parameterNames(
        tool,
      )
        .map((name) => `"${name}": ${name}`)
        .join(", ")}})\n`,
  );
  const about =
    names.length === 0
      ? "This session has no tools that scripts can call."
      : `Tools that scripts of this session can call: ${names.join(", ")}.`;
  return [
    `${JSON.stringify(about)}\n`,
    CHANNEL,
    ...functions,
    HELPERS,
    absent(about),
    `__all__ = ${JSON.stringify([...names, "json_parse", "shell_quote", "retry"])}\n`,
  ].join("\n");
}

/** The line that the runner replaces with the actual pipes and the PID whose child may use them. */
export const WAYS = "_to, _from, _runner = -1, -1, -1";

/** Thread-safe: answers are matched by number. */
const CHANNEL = `from __future__ import annotations
import itertools as _itertools
import json as _json
import os as _os
import threading as _threading

${WAYS}
_numbers = _itertools.count(1)
_lock = _threading.Lock()
_waiting = {}
_reader = None
_gone = "hermes_tools works only in the script itself, not in a program that it started." if _os.getppid() != _runner else None


def _forked():
    global _gone, _lock
    _lock = _threading.Lock()
    _gone = "hermes_tools works only in the script's own process, not in a forked one."


_os.register_at_fork(after_in_child=_forked)


def _read():
    global _gone
    try:
        with _os.fdopen(_from, "rb", closefd=False) as answers:
            for line in answers:
                answer = _json.loads(line)
                waiter = _waiting.pop(answer["id"], None)
                if waiter is not None:
                    waiter.append(answer["result"])
                    waiter[0].set()
    except (OSError, ValueError):
        pass
    with _lock:
        _gone = _gone or "The agent accepts no more calls of this script."
        left = list(_waiting.values())
        _waiting.clear()
    for waiter in left:
        waiter[0].set()


def _call(tool, args):
    global _reader
    number = next(_numbers)
    waiter = [_threading.Event()]
    line = (_json.dumps({"id": number, "tool": tool, "args": {key: value for key, value in args.items() if value is not None}}) + "\\n").encode()
    if len(line) > ${MAX_CALL_BYTES}:
        raise ValueError(f"A call can have at most {${MAX_CALL_BYTES}} bytes; this one of {tool} has {len(line)}.")
    with _lock:
        if _gone is not None:
            raise RuntimeError(_gone)
        _waiting[number] = waiter
        if _reader is None:
            _reader = _threading.Thread(target=_read, daemon=True)
            _reader.start()
        sent = memoryview(line)
        while sent:
            sent = sent[_os.write(_to, sent):]
    waiter[0].wait()
    if len(waiter) < 2:
        raise RuntimeError(_gone)
    try:
        return _json.loads(waiter[1])
    except ValueError:
        return waiter[1]

`;

const HELPERS = `
def json_parse(text):
    "Parses JSON that has raw line breaks and tabs in its strings."
    return _json.loads(text, strict=False)


def shell_quote(text):
    "Quotes text as one word of a shell command."
    import shlex
    return shlex.quote(str(text))


def retry(act, max_attempts=3, delay=2):
    "Returns act(); retries after an exception, with a delay that doubles each time."
    import time
    for attempt in range(max_attempts):
        try:
            return act()
        except Exception:
            if attempt + 1 >= max_attempts:
                raise
            time.sleep(delay * 2 ** attempt)

`;

function absent(about: string): string {
  return `
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError(f"hermes_tools has no {name!r}. " + ${JSON.stringify(about)})

`;
}
