import { defineTool, type Assessment, type Plugin, type PluginContext, type RiskContext } from "hermes-agent/plugin";
import type { Touched } from "./access/guard.ts";
import { NO_PAGE } from "./read/no-page.ts";
import type { Shared } from "./shared-state.ts";

/** read_file, write_file, patch, search_files: work in the task's terminal environment. */
const register: Plugin = (ctx) => {
  /** State that the four tools share; created on first use. */
  let shared: Promise<Shared> | undefined;
  const share = () => (shared ??= import("./shared-state.ts").then(({ makeShared }) => makeShared(ctx)));
  const assess = assessmentsOf(ctx, share);
  ctx.tool(readFileTool(share, assess));
  ctx.tool(writeFileTool(share, assess));
  ctx.tool(patchTool(share, assess));
  ctx.tool(searchFilesTool(share, assess));
};

export default register;

type Share = () => Promise<Shared>;

/** What a call would do, as the user is asked. */
interface Assess {
  read(path: string, call: RiskContext): Promise<Assessment>;
  write(touched: readonly Touched[], call: RiskContext): Promise<Assessment>;
}

function assessmentsOf(ctx: PluginContext, share: Share): Assess {
  const assessRead = async (path: string, call: RiskContext): Promise<Assessment> => ({
    risk: (await share()).guard.risk([{ path, access: "read" }], call),
    // Asked right before the read: it opens the task's terminal.
    untrusted: async () =>
      (await (await import("./access/outside-workspace.ts")).outsideWords(ctx, path, call)) ?? false,
  });
  const assessWrite = async (touched: readonly Touched[], call: RiskContext): Promise<Assessment> => {
    const touches = touched.map(({ path }) => path);
    const { instructionsChanged } = await import("./access/outside-workspace.ts");
    return {
      risk: (await share()).guard.risk(touched, call),
      egress: instructionsChanged(touches, call),
      touches,
    };
  };
  return { read: assessRead, write: assessWrite };
}

function readFileTool(share: Share, assess: Assess) {
  return defineTool({
    name: "read_file",
    toolset: "file",
    emoji: "📖",
    title: "Read {path}",
    description:
      "Reads a text file, each line as `N|text`. A truncated page gives the offset to continue. Also reads .ipynb, .docx, .xlsx.",
    input: {
      type: "object",
      properties: {
        path: { type: "string" },
        offset: { type: "integer", description: "First line. Default 1" },
        limit: { type: "integer", description: "Lines, at most 2000. Default 500" },
        column: { type: "integer", description: "First character of long lines. Default 1" },
      },
      required: ["path"],
    },
    effect: "read",
    refusal: NO_PAGE,
    maxResultChars: "unlimited",
    assess: (input, call) => assess.read(input.path, call),
    async execute(input, call) {
      const { memory, guard } = await share();
      return (await import("./read/read-file.ts")).readFile(input, call, memory, guard);
    },
  });
}

function writeFileTool(share: Share, assess: Assess) {
  return defineTool({
    name: "write_file",
    toolset: "file",
    emoji: "✍️",
    title: "Write {path}",
    description: "Writes a complete file, replacing its content; creates missing folders. To change a part, use patch.",
    input: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string", description: "Without line numbers" } },
      required: ["path", "content"],
    },
    effect: "write",
    refusal: { bytes_written: 0, dirs_created: false },
    assess: ({ path }, call) => assess.write([{ path, access: "write" }], call),
    async execute(input, call) {
      const { memory, guard, locks } = await share();
      return (await import("./write/write-file.ts")).writeFile(input, call, memory, guard, locks);
    },
  });
}

function patchTool(share: Share, assess: Assess) {
  return defineTool({
    name: "patch",
    toolset: "file",
    emoji: "🔧",
    title: "Edit[ {path}]",
    aliases: ["file_edit"],
    description:
      "Edits files. Mode replace replaces old_string by new_string in one file; old_string must occur once unless replace_all is set. " +
      "Mode patch applies a V4A patch to several files, all or nothing:\n*** Begin Patch\n*** Update File: a.py\n@@ def f @@\n context\n-old\n+new\n*** Add File: b.py\n+line\n*** Delete File: c.py\n*** Move File: d.py -> e.py\n*** End Patch",
    summary: "Edits files: replaces text in one, or applies a V4A patch to several.",
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
    assess: async (input, call) => assess.write((await import("./patch/patched-paths.ts")).patchedPaths(input), call),
    async execute(input, call) {
      const tools = await share();
      return (await import("./patch/patch.ts")).patch(input, call, tools);
    },
  });
}

function searchFilesTool(share: Share, assess: Assess) {
  return defineTool({
    name: "search_files",
    toolset: "file",
    emoji: "🔎",
    title: "Search {pattern}[ in {path}]",
    aliases: ["search"],
    description:
      "Searches file contents by regular expression, or lists files by name (target files, a glob, newest first). Skips hidden and ignored files.",
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
    assess: (input, call) => assess.read(input.path ?? ".", call),
    async execute(input, call) {
      const { memory, guard } = await share();
      return (await import("./search/search-files.ts")).searchFiles(input, call, memory, guard);
    },
  });
}
