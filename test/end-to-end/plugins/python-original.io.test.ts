import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { NewUser } from "../support/test-user.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

/** A plugin whose tool `probe` runs these lines, with the value of `result` as its answer. */
function probe(user: NewUser, lines: string): void {
  const body = lines
    .split("\n")
    .map((line) => `    ${line}\n`)
    .join("");
  user.write("~/.hermes/plugins/probe/plugin.yaml", "name: probe\nversion: 1.0.0\ndescription: Probes.\n");
  user.write(
    "~/.hermes/plugins/probe/__init__.py",
    `import json\n\ndef probe(args, **kwargs):\n${body}    return json.dumps(result)\n\ndef register(ctx):\n    ctx.register_tool(name="probe", toolset="probe", schema={"description": "p", "parameters": {"type": "object", "properties": {}}}, handler=probe)\n`,
  );
}

async function answer(user: NewUser): Promise<unknown> {
  const { out } = await user.run(["tools", "call", "probe"]);
  try {
    return JSON.parse(out) as unknown;
  } catch {
    throw new Error(`not JSON: ${out}`);
  }
}

function begin(): NewUser {
  const user = new NewUser();
  user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [probe]\nterminal:\n  cwd: .\n");
  return user;
}

// field: P06
test("SessionDB of the original reads the conversations of Hermes", withPython, async () => {
  using user = begin();
  await user.run(["chat", "-q", "hello alpha world"]);
  probe(
    user,
    `from hermes_state import SessionDB, DEFAULT_DB_PATH
with SessionDB() as db:
    one = db.list_sessions_rich(source="cli", limit=5)[-1]
    sid = one["id"]
    hits = db.search_messages("alpha", role_filter=["user"])
    rows = db.get_messages(sid)
    try:
        SessionDB("/tmp/other.db")
        other = None
    except ValueError as cause:
        other = str(cause)
    try:
        db.append_message(sid, "user", "x")
        lacks = None
    except AttributeError as cause:
        lacks = str(cause)
    result = {
        "preview": one["preview"], "source": one["source"], "columns": len(one), "archived": one["archived"],
        "started": abs(one["started_at"] - rows[0]["timestamp"]) < 60,
        "first": {k: rows[0][k] for k in ("session_id", "role", "content", "tool_calls", "active")} == {"session_id": sid, "role": "user", "content": "hello alpha world", "tool_calls": None, "active": 1},
        "roles": [r["role"] for r in db.get_messages_as_conversation(sid)],
        "hit": [hits[0]["session_id"] == sid, hits[0]["snippet"], hits[0]["context"][0]["content"]],
        "same": [db.get_session(sid)["id"] == sid, db.resolve_session_id(sid[:-1]) == sid, db.session_count(source="cli") >= 1, db.message_count(sid) == len(rows)],
        "none": [db.get_session("nope"), db.get_session_by_title("nope"), db.get_messages("nope"), db.export_session("nope")],
        "recent": db.list_recent_user_messages(sid)[0]["preview"],
        "meta": [db.get_meta("k"), db.set_meta("k", "v"), db.get_meta("k")],
        "other": other, "lacks": lacks, "has": hasattr(db, "delete_session"), "path": DEFAULT_DB_PATH.name,
    }`,
  );
  const found = (await answer(user)) as JsonObject;
  assert.deepEqual(found, {
    preview: "hello alpha world",
    source: "cli",
    columns: 48,
    archived: 0,
    started: true,
    first: true,
    roles: ["user", "assistant"],
    hit: [true, "hello >>>alpha<<< world", "hello alpha world"],
    same: [true, true, true, true],
    none: [null, null, [], null],
    recent: "hello alpha world",
    meta: [null, null, "v"],
    other: "SessionDB reads only the conversations of this home, not those in /tmp/other.db.",
    lacks:
      "hermes_state.SessionDB.append_message of the Python original does not exist here. Hermes writes conversations itself; plugins read them with this class or ctx.sessions.",
    has: false,
    path: "state.db",
  });
  assert.match((await user.run(["logs"])).out, /used hermes_state\.SessionDB\.append_message of the Python original/);
});

// field: P06
test("tools of the original as functions run through the dispatch pipeline", withPython, async () => {
  using user = begin();
  user.write("~/.hermes/skills/tides/SKILL.md", "---\nname: tides\ndescription: Reads tide tables.\n---\n\n# Tides\n");
  user.write("note.txt", "one\ntwo\n");
  probe(
    user,
    `import asyncio
from tools.terminal_tool import terminal_tool, check_terminal_requirements
from tools.skills_tool import skills_list, skill_view, _find_all_skills, SKILLS_DIR
from tools.file_tools import read_file_tool, search_tool
from tools.todo_tool import todo_tool
def fails(call):
    try:
        call()
    except (TypeError, ImportError) as cause:
        return str(cause)
def missing():
    try:
        from tools.terminal_tool import get_active_env
    except ImportError as cause:
        raise ImportError(str(cause).partition(" (")[0])
def wrong():
    from tools.vision_tools import vision_analyze_tool
    asyncio.run(vision_analyze_tool("x.png", "what?", model="m"))
result = {
    "terminal": {k: v for k, v in json.loads(terminal_tool("echo $((6 * 7))", timeout=20, task_id="t", force=True)).items() if k in ("output", "exit_code")},
    "blocked": json.loads(terminal_tool("rm -rf /")).get("exit_code", 1) != 0,
    "can": check_terminal_requirements(),
    "skill": "tides" in [one["name"] for one in _find_all_skills()] and "tides" in skills_list() and "# Tides" in json.loads(skill_view("tides"))["content"],
    "folder": SKILLS_DIR.name,
    "file": "two" in read_file_tool("note.txt", 1, 10),
    "search": "note.txt" in search_tool("two", path="."),
    "todo": json.loads(todo_tool([{"id": "1", "content": "a", "status": "pending"}]))["todos"][0]["content"],
    "missing": fails(missing), "wrong": fails(wrong), "unknown": fails(lambda: terminal_tool("ls", shell=True)),
}`,
  );
  assert.deepEqual(await answer(user), {
    terminal: { output: "42", exit_code: 0 },
    blocked: true,
    can: true,
    skill: true,
    folder: "skills",
    file: true,
    search: true,
    todo: "a",
    missing: "cannot import name 'get_active_env' from 'tools.terminal_tool'",
    wrong: "vision_analyze() has no argument model here.",
    unknown: "terminal() got an unexpected argument 'shell'",
  });
});

// field: P06
test("cron.jobs of the original creates, changes and removes scheduled jobs", withPython, async () => {
  using user = begin();
  probe(
    user,
    `from cron.jobs import AmbiguousJobReference, create_job, get_job, list_jobs, load_jobs, pause_job, remove_job, resolve_job_ref, resume_job, trigger_job, update_job
job = create_job("Say hello", "every 2h", name="greet", skill="tides", repeat=3)
jid = job["id"]
steps = [get_job(jid)["schedule_display"], pause_job(jid, "later")["state"], [len(list_jobs()), len(list_jobs(include_disabled=True))], resume_job(jid)["state"]]
changed = update_job(jid, {"prompt": "Say bye", "schedule": {"kind": "interval", "display": "every 3h"}, "enabled": False})
create_job("x", "every 5h", name="Twice")
create_job("y", "every 5h", name="twice")
try:
    resolve_job_ref("twice")
    ambiguous = None
except AmbiguousJobReference as cause:
    ambiguous = str(cause)[:22]
try:
    create_job("z", "every 5h", base_url="http://x")
    refused = None
except ValueError as cause:
    refused = str(cause)
result = {
    "made": [job["skills"], job["repeat"]["times"], job["prompt"]], "steps": steps,
    "changed": [changed["prompt"], changed["schedule_display"], changed["enabled"]],
    "none": [get_job("nope"), update_job("nope", {}), pause_job("nope"), trigger_job("nope"), remove_job("nope"), resolve_job_ref("nope")],
    "by": resolve_job_ref("greet")["id"] == jid, "ambiguous": ambiguous, "refused": refused,
    "removed": [remove_job(jid), len(load_jobs())],
}`,
  );
  assert.deepEqual(await answer(user), {
    made: [["tides"], 3, "Say hello"],
    steps: ["every 120m", "paused", [0, 1], "scheduled"],
    changed: ["Say bye", "every 180m", false],
    none: [null, null, null, null, false, null],
    by: true,
    ambiguous: "'twice' names 2 jobs: ",
    refused: "A job here has no base_url.",
    removed: [true, 2],
  });
  assert.match((await user.run(["cron", "list"])).out, /Twice/i);
});
