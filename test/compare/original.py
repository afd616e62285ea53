"""Plays scenes in hermes-agent 0.19.0, by the road a model's call takes there. One JSON scene a line in, one JSON list of result texts a line out."""
import json, os, re, shutil, sys, tempfile, types, base64

import model_tools
from agent.agent_runtime_helpers import repair_tool_call
from agent.message_sanitization import _repair_tool_call_arguments

NAMES = {"terminal", "process", "read_file", "write_file", "patch", "search_files", "todo", "clarify"}
OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def call(name, text, answer, store):
    if name not in NAMES:
        name = repair_tool_call(types.SimpleNamespace(valid_tool_names=NAMES), name) or name
    args = json.loads(_repair_tool_call_arguments(text, name) or text)
    if not isinstance(args, dict):
        args = {}
    if name == "todo":
        from tools.todo_tool import todo_tool
        return todo_tool(todos=args.get("todos"), merge=args.get("merge", False), store=store)
    if name == "clarify":
        from tools.clarify_tool import clarify_tool
        return clarify_tool(question=args.get("question", ""), choices=args.get("choices"), callback=lambda question, choices: answer)
    return model_tools.handle_function_call(name, args, task_id="compare", session_id="compare")


def content(value):
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    return (value["repeat"][0] * value["repeat"][1]).encode()


def play(rows):
    from tools.todo_tool import TodoStore
    root = os.path.realpath(tempfile.mkdtemp(prefix="compare-"))
    os.chdir(root)
    os.environ["TERMINAL_CWD"] = root
    places = {"$ROOT": root, "$HOME": os.environ["HOME"]}
    store, processes, results = TodoStore(), [], []
    for row in rows:
        for path, value in (row.get("files") or {}).items():
            full = os.path.join(root, path)
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
        text = re.sub(r'"\$(\d)"', lambda found: json.dumps((processes + [""] * 9)[int(found[1]) - 1] or "process " + found[1]), text)
        try:
            result = call(row["tool"], text, row.get("answer", ""), store)
        except Exception as error:
            result = json.dumps({"error": f"raised {type(error).__name__}", "$raised": True})
        started = re.search(r'"session_id": ?"(proc_\w+)".*"exit_code": ?0', result)
        if started and started[1] not in processes:
            processes.append(started[1])
        looked = None
        if row.get("look"):
            looked = {path: open(os.path.join(root, path), newline="").read() if os.path.isfile(os.path.join(root, path)) else None for path in row["look"]}
        results.append({"text": result, "files": looked})
    return {"results": results, "places": places}


for line in sys.stdin:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        played = play(json.loads(line))
        shutil.rmtree(played["places"]["$ROOT"], ignore_errors=True)
        with os.fdopen(writer, "w") as out:
            out.write(json.dumps(played))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        OUT.write((answer.read() or "null") + "\n")
    OUT.flush()
    os.waitpid(child, 0)
