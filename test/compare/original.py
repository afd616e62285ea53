"""Plays scenes in hermes-agent 0.19.0 through its dispatch of model calls. Reads one JSON scene a line, prints one JSON list of result texts a line; for the line "schemas", prints the parameters of its tools."""

import json, os, re, shutil, sys, tempfile, types, base64

import model_tools
from agent.agent_runtime_helpers import repair_tool_call
from agent.message_sanitization import _repair_tool_call_arguments

NAMES = {"terminal", "process", "read_file", "write_file", "patch", "search_files", "todo", "clarify"}
EVERY = set(model_tools.registry.get_all_tool_names()) | {"send_message"}
NOTED = {
    "$job": r'"job_id": ?("\w+")',
    "$session": r'"session_id": ?("(?!proc_)[^"]+")',
    "$match": r'"match_message_id": ?(\d+)',
}
OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def call(name, text, answer, store):
    if name not in NAMES and name not in EVERY:
        name = repair_tool_call(types.SimpleNamespace(valid_tool_names=NAMES), name) or name
    args = json.loads(_repair_tool_call_arguments(text, name) or text)
    if not isinstance(args, dict):
        args = {}
    if name == "todo":
        from tools.todo_tool import todo_tool

        return todo_tool(todos=args.get("todos"), merge=args.get("merge", False), store=store)
    if name == "clarify":
        from tools.clarify_tool import clarify_tool

        return clarify_tool(
            question=args.get("question", ""), choices=args.get("choices"), callback=lambda question, choices: answer
        )
    if name == "memory":
        from tools.memory_tool import memory_tool

        return memory_tool(
            action=args.get("action"),
            target=args.get("target", "memory"),
            content=args.get("content"),
            old_text=args.get("old_text"),
            operations=args.get("operations"),
            store=store.notes,
        )
    if name == "session_search":
        from tools.session_search_tool import session_search

        return session_search(
            query=args.get("query", ""),
            role_filter=args.get("role_filter"),
            limit=args.get("limit", 3),
            session_id=args.get("session_id"),
            around_message_id=args.get("around_message_id"),
            window=args.get("window", 5),
            sort=args.get("sort"),
            db=store.sessions,
            current_session_id="compare",
        )
    if name == "send_message":
        from tools.send_message_tool import send_message_tool

        return send_message_tool(args)
    return model_tools.handle_function_call(name, args, task_id="compare", session_id="compare")


def content(value):
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    return (value["repeat"][0] * value["repeat"][1]).encode()


def text_of(path):
    return open(path, newline="").read() if os.path.isfile(path) else None


def play(rows):
    from tools.todo_tool import TodoStore
    from tools.memory_tool import MemoryStore
    from hermes_state import SessionDB

    root = os.path.realpath(tempfile.mkdtemp(prefix="compare-"))
    os.chdir(root)
    os.environ["TERMINAL_CWD"] = root
    places = {"$ROOT": root, "$HOME": os.environ["HOME"]}
    store, processes, noted, results = TodoStore(), [], {}, []
    store.notes = MemoryStore()
    store.sessions = SessionDB() if any(row["tool"] == "session_search" for row in rows) else None
    for row in rows:
        store.notes.reset_consolidation_failures()
        for at, earlier in enumerate(row.get("earlier") or []):
            store.sessions.create_session(f"earlier-{at + 1}", "cli", model="loopback")
            store.sessions.set_session_title(f"earlier-{at + 1}", earlier["title"])
            for index, message in enumerate(earlier["messages"]):
                store.sessions.append_message(f"earlier-{at + 1}", "assistant" if index % 2 else "user", message)
        for path, value in (row.get("files") or {}).items():
            full = os.path.join(root, path.replace("$HOME", os.environ["HOME"]))
            if value is None:
                os.makedirs(full, exist_ok=True)
                continue
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "wb") as file:
                file.write(content(value))
        args = row["args"]
        text = args if isinstance(args, str) else json.dumps(args)
        for name, path in places.items():
            text = text.replace(name, path)
        text = re.sub(
            r'"\$(\d)"',
            lambda found: json.dumps((processes + [""] * 9)[int(found[1]) - 1] or "process " + found[1]),
            text,
        )
        for name, value in noted.items():
            text = text.replace(f'"{name}"', value)
        try:
            result = call(row["tool"], text, row.get("answer", ""), store)
        except Exception as error:
            result = json.dumps({"error": f"raised {type(error).__name__}", "$raised": True})
        started = re.search(r'"session_id": ?"(proc_\w+)".*"exit_code": ?0', result)
        if started and started[1] not in processes:
            processes.append(started[1])
        for name, pattern in NOTED.items():
            found = re.search(pattern, result)
            if found:
                noted[name] = found[1]
        looked = None
        if row.get("look"):
            looked = {
                path: text_of(os.path.join(root, path.replace("$HOME", os.environ["HOME"]))) for path in row["look"]
            }
        results.append({"text": result, "files": looked})
    return {"results": results, "places": places}


def schemas():
    entries = {name: model_tools.registry.get_entry(name) for name in model_tools.registry.get_all_tool_names()}
    return {
        name: {**entry.schema, **((entry.dynamic_schema_overrides and entry.dynamic_schema_overrides()) or {})}.get(
            "parameters"
        )
        for name, entry in entries.items()
    }


for line in sys.stdin:
    if json.loads(line) == "schemas":
        OUT.write(json.dumps(schemas()) + "\n")
        OUT.flush()
        continue
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        played = play(json.loads(line))
        shutil.rmtree(played["places"]["$ROOT"], ignore_errors=True)
        for kept in ["memories", "skills", "cron", "scripts", "state.db", "state.db-wal", "state.db-shm"]:
            kept = os.path.join(os.environ["HERMES_HOME"], kept)
            shutil.rmtree(kept, ignore_errors=True) if os.path.isdir(kept) else os.path.exists(kept) and os.remove(kept)
        with os.fdopen(writer, "w") as out:
            out.write(json.dumps(played))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        OUT.write((answer.read() or "null") + "\n")
    OUT.flush()
    os.waitpid(child, 0)
