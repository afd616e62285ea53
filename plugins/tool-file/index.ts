import { defineTool, type Plugin, type RiskContext } from "hermes-agent/plugin";
import { NO_PAGE } from "./read/no-page.ts";
import type { Shared } from "./shared-state.ts";

/** read_file, write_file, patch, search_files: files wherever the task's terminal is. */
const register: Plugin = (ctx) => {
  /** What the four share; made when the first of them is used. */
  let shared: Promise<Shared> | undefined;
  const share = () => (shared ??= import("./shared-state.ts").then(({ makeShared }) => makeShared(ctx)));
  const risk = async (path: string, access: "read" | "write", call: RiskContext) =>
    (await share()).guard.risk([{ path, access }], call);

  ctx.tool(
    defineTool({
      name: "read_file",
      toolset: "file",
      emoji: "📖",
      description:
        "Reads a text file, each line as `N|text`. A cut page names the offset to go on with. Also reads .ipynb, .docx, .xlsx.",
      input: {
        type: "object",
        properties: {
          path: { type: "string" },
          offset: { type: "integer", description: "First line. Default 1" },
          limit: { type: "integer", description: "Lines, at most 2000. Default 500" },
        },
        required: ["path"],
      },
      effect: "read",
      refusal: NO_PAGE,
      maxResultChars: "unlimited",
      risk: (input, call) => risk(input.path, "read", call),
      provenance: async (input, call) =>
        (await import("./access/outside-workspace.ts")).outsideWords(ctx, input.path, call),
      async execute(input, call) {
        const { memory, guard } = await share();
        return (await import("./read/read-file.ts")).readFile(input, call, memory, guard);
      },
    }),
  );

  ctx.tool(
    defineTool({
      name: "write_file",
      toolset: "file",
      emoji: "✍️",
      description: "Writes a whole file, replacing what was there; makes missing folders. To change a part, use patch.",
      input: {
        type: "object",
        properties: { path: { type: "string" }, content: { type: "string", description: "Without line numbers" } },
        required: ["path", "content"],
      },
      effect: "write",
      refusal: { bytes_written: 0, dirs_created: false },
      risk: (input, call) => risk(input.path, "write", call),
      reach: async (input, call) =>
        (await import("./access/outside-workspace.ts")).instructionsChanged([input.path], call),
      touches: (input) => [input.path],
      async execute(input, call) {
        const { memory, guard, locks } = await share();
        return (await import("./write/write-file.ts")).writeFile(input, call, memory, guard, locks);
      },
    }),
  );

  ctx.tool(
    defineTool({
      name: "patch",
      toolset: "file",
      emoji: "🔧",
      aliases: ["file_edit"],
      description:
        "Edits files. Mode replace puts new_string where old_string stands in one file; old_string must be found once unless replace_all. " +
        "Mode patch applies a V4A patch to several files, all or nothing:\n*** Begin Patch\n*** Update File: a.py\n@@ def f @@\n context\n-old\n+new\n*** Add File: b.py\n+line\n*** Delete File: c.py\n*** Move File: d.py -> e.py\n*** End Patch",
      summary: "Edits files: one text for another, or a V4A patch over several.",
      input: {
        type: "object",
        properties: {
          mode: { type: "string", enum: ["replace", "patch"], description: "Default replace" },
          path: { type: "string" },
          old_string: { type: "string" },
          new_string: { type: "string" },
          replace_all: { type: "boolean" },
          patch: { type: "string" },
        },
      },
      effect: "write",
      refusal: { success: false },
      async risk(input, call) {
        const { guard } = await share();
        return (await import("./patch/patch-risk.ts")).patchRisk(input, call, guard);
      },
      async reach(input, call) {
        const { patchedPaths } = await import("./patch/patch-risk.ts");
        return (await import("./access/outside-workspace.ts")).instructionsChanged(
          patchedPaths(input).map(({ path }) => path),
          call,
        );
      },
      touches: async (input) => (await import("./patch/patch-risk.ts")).patchedPaths(input).map(({ path }) => path),
      async execute(input, call) {
        const tools = await share();
        return (await import("./patch/patch.ts")).patch(input, call, tools);
      },
    }),
  );

  ctx.tool(
    defineTool({
      name: "search_files",
      toolset: "file",
      emoji: "🔎",
      aliases: ["search"],
      description:
        "Searches file contents by regular expression, or lists files by name (target files, a glob, newest first). Leaves out hidden and ignored files.",
      input: {
        type: "object",
        properties: {
          pattern: { type: "string" },
          target: { type: "string", description: "content (default) or files" },
          path: { type: "string" },
          file_glob: { type: "string", description: "*.py" },
          limit: { type: "integer", description: "Default 50" },
          offset: { type: "integer" },
          output_mode: { type: "string", enum: ["content", "files_only", "count"] },
          context: { type: "integer" },
        },
        required: ["pattern"],
      },
      effect: "read",
      refusal: { total_count: 0 },
      maxResultChars: 100_000,
      risk: (input, call) => risk(input.path ?? ".", "read", call),
      provenance: async (input, call) =>
        (await import("./access/outside-workspace.ts")).outsideWords(ctx, input.path ?? ".", call),
      async execute(input, call) {
        const { memory, guard } = await share();
        return (await import("./search/search-files.ts")).searchFiles(input, call, memory, guard);
      },
    }),
  );
};

export default register;
