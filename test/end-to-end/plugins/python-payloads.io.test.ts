import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";
const TIMES = "api_duration, started_at, ended_at";
const REQUEST =
  "task_id, turn_id, api_request_id, session_id, platform, model, provider, base_url, api_mode, api_call_count, telemetry_schema_version";
const CALL = "tool_name, args, task_id, session_id, tool_call_id, turn_id, api_request_id, telemetry_schema_version";
/**
 * Every key that the original's reference has for the hook. A callback that declares one which is not sent would never
 * run.
 */
const NAMED: { readonly [hook: string]: string } = {
  on_session_start: "session_id, model, platform, telemetry_schema_version",
  pre_llm_call:
    "session_id, user_message, conversation_history, is_first_turn, model, platform, task_id, turn_id, sender_id, telemetry_schema_version",
  pre_api_request: `${REQUEST}, user_message, conversation_history, request_messages, message_count, tool_count, approx_input_tokens, request_char_count, max_tokens, started_at, middleware_trace, request`,
  post_api_request: `${REQUEST}, ${TIMES}, finish_reason, message_count, response_model, response, usage, assistant_message, assistant_content_chars, assistant_tool_call_count`,
  api_request_error: `${REQUEST}, ${TIMES}, status_code, retry_count, max_retries, retryable, reason, error, request`,
  pre_tool_call: `${CALL}, middleware_trace`,
  transform_tool_result: `${CALL}, result, duration_ms, status, error_type, error_message`,
  post_tool_call: `${CALL}, result, duration_ms, status, error_type, error_message, middleware_trace`,
  pre_verify: "session_id, platform, model, coding, attempt, final_response, changed_paths",
  transform_llm_output: "response_text, session_id, model, platform",
  post_llm_call:
    "session_id, user_message, assistant_response, conversation_history, model, platform, task_id, turn_id",
  on_session_end: "session_id, completed, interrupted, model, platform, task_id, turn_id, reason",
  on_session_finalize: "session_id, platform, reason",
};
const PLUGIN = `import json, os
def tell(hook, **more):
    with open(os.path.join(os.environ["HERMES_HOME"], "told.jsonl"), "a") as file:
        file.write(json.dumps({"hook": hook, **more}) + "\\n")
${Object.entries(NAMED)
  .map(([hook, names]) => `def ${hook}(${names}):\n    tell("${hook}"${MORE(hook)})\n`)
  .join("")}
def register(ctx):
${Object.keys(NAMED)
  .map((hook) => `    ctx.register_hook("${hook}", ${hook})\n`)
  .join("")}`;

function MORE(hook: string): string {
  if (hook === "pre_api_request")
    return ", first=request_messages[0]['role'], history=conversation_history[0]['role'], body=sorted(request['body']), chars=request_char_count, started=started_at";
  if (hook === "post_api_request")
    return ", seconds=api_duration, took=ended_at - started_at, finish=finish_reason, said=assistant_message.content, calls=[one['function']['name'] for one in assistant_message.tool_calls or []], answer=response['assistant_message']['role']";
  if (hook === "api_request_error")
    return ", seconds=api_duration, status=status_code, reason=reason, body=sorted(request['body']), asked=request['body']['messages'][-1]['role']";
  return /tool_call|tool_result/.test(hook) && hook !== "pre_tool_call" ? ", whole=isinstance(duration_ms, int)" : "";
}

// req: hooks.api-request-events, hooks.post-tool-call
test(
  "a Python callback may name every key of the original's payloads, with the original's time units",
  { skip: NO_PYTHON },
  async () => {
    await using server = await startOpenAiServer([
      { status: 503 },
      { calls: [{ tool: "write_file", args: { path: "b.txt", content: "x" } }] },
      { text: "Done." },
    ]);
    using user = new NewUser();
    user.connect("custom", server.url, "plugins:\n  enabled: [ear]\n");
    user.write("~/.hermes/plugins/ear/plugin.yaml", "name: ear\nversion: 1.0.0\ndescription: Hears.\n");
    user.write("~/.hermes/plugins/ear/__init__.py", PLUGIN);
    const began = Date.now() / 1000;
    const { status, err } = await user.run(["chat", "-Q", "-q", "write b.txt"]);
    assert.equal(status, 0, err);
    const message = readFileSync(join(user.agentHome, "told.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly hook: string; readonly [key: string]: unknown });
    assert.deepEqual([...new Set(message.map(({ hook }) => hook))].sort(), Object.keys(NAMED).sort());
    const [first] = message.filter(({ hook }) => hook === "pre_api_request");
    assert.deepEqual(
      [first!["first"], first!["history"], first!["body"]],
      ["system", "user", ["messages", "model", "tools"]],
    );
    assert.ok(Math.abs(Number(first!["started"]) - began) < 60, "seconds since 1970");
    const answers = message.filter(({ hook }) => hook === "post_api_request");
    assert.deepEqual(
      answers.map(({ finish, said: text, calls, answer }) => [finish, text, calls, answer]),
      [
        ["tool_calls", "", ["write_file"], "assistant"],
        ["stop", "Done.", [], "assistant"],
      ],
    );
    for (const { seconds, took } of answers) assert.ok(Math.abs(Number(seconds) - Number(took)) < 0.001);
    const [failed] = message.filter(({ hook }) => hook === "api_request_error");
    assert.deepEqual(
      [failed!["status"], typeof failed!["seconds"], failed!["body"], failed!["asked"]],
      [503, "number", ["messages", "model", "tools"], "user"],
    );
    for (const { hook, whole } of message.filter(({ whole }) => whole !== undefined)) assert.equal(whole, true, hook);
  },
);
