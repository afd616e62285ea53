import { defineTool, type Plugin } from "hermes-agent/plugin";
import { sandboxTools } from "./sandbox-tools.ts";
import { settingsOf } from "./settings.ts";

/** execute_code: Python scripts that call tools. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "execute_code",
      toolset: "code_execution",
      emoji: "🐍",
      summary: "Runs a Python script that can call the other tools.",
      description: (offered) => {
        const names = sandboxTools(offered).map(({ name }) => name);
        const calls = names.length === 0 ? "" : ` \`from hermes_tools import ${names.join(", ")}\` calls those tools as functions (same arguments, results as dicts): for several calls with logic between them, or to filter long results.`;
        return `Runs a Python script and returns what it prints.${calls}`;
      },
      input: { type: "object", properties: { code: { type: "string" } }, required: ["code"] },
      effect: "execute",
      timeoutMs: (call) => settingsOf((path) => call.config(path)).seconds * 1_000,
      refusal: { output: "", tool_calls_made: 0, duration_seconds: 0, status: "error" },
      async available(probe) {
        const backend = probe.config("terminal.backend");
        // Whether a place elsewhere has it is known when the script is to run there.
        if (typeof backend === "string" && !["", "local"].includes(backend)) return { ok: true };
        return (await probe.which("python3")) === undefined ? { ok: false, reason: "There is no python3 on PATH.", needs: ["python3"] } : { ok: true };
      },
      risk: async ({ code }, call) => (await import("./judge-code.ts")).codeRisk(code, call, ctx),
      provenance: async ({ code }, call) => (await import("./judge-code.ts")).codeWords(code, call, ctx),
      execute: async ({ code }, call) => (await import("./execute-code.ts")).executeCode(code, call, (text) => ctx.redact(text)),
    }),
  );
};

export default register;
