import { defineTool, type Plugin } from "hermes-agent/plugin";
import { SANDBOX_TOOLS } from "./sandbox-tools.ts";
import { settingsOf } from "./settings.ts";

/** execute_code: Python scripts that call tools. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "execute_code",
      title: "Run Python",
      toolset: "code_execution",
      emoji: "🐍",
      description:
        "Runs Python and returns its output. For calls with logic between them, or to filter long results: " +
        "module hermes_tools has these as functions that return dicts: %tools%.",
      mentions: SANDBOX_TOOLS.map(({ name }) => name),
      input: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
      effect: "execute",
      timeoutMs: (call) => settingsOf((path) => call.config(path)).seconds * 1_000,
      refusal: { output: "", tool_calls_made: 0, duration_seconds: 0, status: "error" },
      programs: ["python3"],
      assess: async ({ code }, call) => (await import("./judge-code.ts")).assessCode(code, call, ctx),
      execute: async ({ code }, call) =>
        (await import("./execute-code.ts")).executeCode(code, call, (text) => ctx.redact(text)),
    }),
  );
};

export default register;
