import { textOf, type JsonObject, type ToolResultPart } from "hermes-agent/plugin";
import type { Request } from "./request.ts";

/** Describes a result briefly and exactly, and marks errors and refusals. */
export function reportResult(
  request: Request,
  result: ToolResultPart,
): { readonly text: string; readonly ok: boolean } {
  const raw = unfenced(textOf(result.parts));
  const value = objectIn(raw);
  const trouble = troubleOf(result, value, raw);
  if (trouble !== undefined) return { ok: false, text: trouble };
  return { ok: true, text: report(request, value, raw, result) };
}

/** Removes the delimiters around untrusted content, which are only for language models. */
function unfenced(text: string): string {
  return text.replaceAll(
    /<untrusted-text ([0-9a-f]{16}) from="[^"]*">\n[^\n]*\n([\s\S]*?)\n<\/untrusted-text \1>/g,
    "$2",
  );
}

const MAX_LINES = 80;

function report(request: Request, value: JsonObject | undefined, raw: string, result: ToolResultPart): string {
  switch (request.kind) {
    case "list":
      return reportList(request.path, linesOf(text(value, "output") ?? list(value, "files")?.join("\n") ?? raw));
    case "find": {
      const files = list(value, "files") ?? [];
      return files.length === 0
        ? `No file matches \`${request.pattern}\`${inPlace(request.path)}.`
        : `${plural(files.length, "file")} match \`${request.pattern}\`${inPlace(request.path)}:\n\n${bullets(files)}`;
    }
    case "read":
      return reportFile(request.path, text(value, "content") ?? text(value, "output"), value, raw);
    case "search":
      return reportMatches(request, value, raw);
    case "write": {
      const path = list(value, "files_modified")?.[0] ?? text(value, "resolved_path") ?? request.path;
      return `I wrote ${plural(Number(value?.["bytes_written"] ?? Buffer.byteLength(request.text)), "byte")} to \`${path}\`.`;
    }
    case "run":
      return reportCommand(value, raw);
    case "add-todo":
    case "show-todos":
      return reportTodos(value, raw);
    case "delegate":
      return reportSubagents(value, raw);
    case "use":
    case "help":
      return reportAny(result.tool, value, raw);
  }
}

/** A refusal, an error, an interruption, or a command that failed; `undefined` when all went well. */
function troubleOf(result: ToolResultPart, value: JsonObject | undefined, raw: string): string | undefined {
  const error = text(value, "error")?.trim();
  const status = text(value, "status");
  const hint = text(value, "hint");
  const more = hint === undefined ? "" : ` ${hint}`;
  // Show only the reason, without the instructions for language models.
  if (status === "blocked")
    return `That was refused: ${sentence(error?.replace(/ There is no consent:.*$/s, "") ?? "no reason was given")}`;
  if (error !== undefined && error !== "") {
    if (/^(cancelled|interrupted)\b/i.test(error)) return `${sentence(error)}${more}`;
    const output = text(value, "output")?.trim();
    return `\`${result.tool}\` failed: ${sentence(error)}${more}${output === undefined || output === "" ? "" : `\n\n${fence(output)}`}`;
  }
  if (result.failed) return `\`${result.tool}\` failed: ${raw}`;
  const exit = value?.["exit_code"];
  if (typeof exit === "number" && exit !== 0) {
    const output = text(value, "output")?.trim() ?? "";
    return `The command ended with status ${exit}${output === "" ? " and wrote nothing." : `:\n\n${fence(output)}`}`;
  }
  return undefined;
}

function reportList(path: string, names: readonly string[]): string {
  const where = path === "." ? "here" : `in \`${path}\``;
  if (names.length === 0) return `There is nothing ${where}.`;
  const folders = names.filter((name) => name.endsWith("/")).length;
  const counts = [
    ...(names.length > folders ? [plural(names.length - folders, "file")] : []),
    ...(folders > 0 ? [plural(folders, "folder")] : []),
  ].join(" and ");
  return `I found ${counts} ${where}:\n\n${bullets(names)}`;
}

function reportFile(path: string, content: string | undefined, value: JsonObject | undefined, raw: string): string {
  const status = text(value, "status");
  if (content === undefined && status === "unchanged")
    return `\`${path}\` has not changed since I read it; its text is above.`;
  if (content === undefined) return `\`${path}\`:\n\n${fence(raw)}`;
  const numbered = content.split("\n").every((line) => line === "" || /^\d+\|/.test(line));
  const lines = (numbered ? content.replace(/^\d+\|/gm, "") : content).replace(/\n$/, "").split("\n");
  const total = typeof value?.["total_lines"] === "number" ? value["total_lines"] : lines.length;
  if (lines.join("") === "") return `\`${path}\` is empty.`;
  return `\`${path}\`${total > Math.min(lines.length, MAX_LINES) ? `, the first ${Math.min(lines.length, MAX_LINES)} of ${total} lines` : ""}:\n\n${fence(lines.slice(0, MAX_LINES).join("\n"))}`;
}

function reportMatches(
  request: Extract<Request, { kind: "search" }>,
  value: JsonObject | undefined,
  raw: string,
): string {
  const where = inPlace(request.path);
  const matches = Array.isArray(value?.["matches"]) ? (value["matches"] as readonly JsonObject[]) : undefined;
  const grouped = text(value, "matches_text") ?? text(value, "output");
  const total = Number(
    value?.["total_count"] ?? matches?.length ?? (grouped ?? raw).split("\n").filter(Boolean).length,
  );
  if (total === 0) return `“${request.words}” was not found${where}.`;
  const shown =
    matches === undefined
      ? fence(grouped ?? raw)
      : bullets(
          matches.map(
            (match) => `\`${String(match["path"])}:${String(match["line"])}\` ${String(match["content"] ?? "").trim()}`,
          ),
        );
  return `“${request.words}” was found ${total === 1 ? "once" : `${total} times`}${where}:\n\n${shown}`;
}

function reportCommand(value: JsonObject | undefined, raw: string): string {
  const session = value?.["session_id"];
  if (typeof session === "string") return `It runs in the background as \`${session}\`.`;
  const output = (text(value, "output") ?? raw).replace(/\n+$/, "");
  return output.trim() === ""
    ? "The command ended well and wrote nothing."
    : `The command ended well and wrote:\n\n${fence(output)}`;
}

const MARKS: { readonly [status: string]: string } = {
  pending: "[ ]",
  in_progress: "[~]",
  completed: "[x]",
  cancelled: "[-]",
};

function reportTodos(value: JsonObject | undefined, raw: string): string {
  const todos = value?.["todos"];
  if (!Array.isArray(todos)) return raw;
  if (todos.length === 0) return "The to-do list is empty.";
  return `The to-do list:\n\n${todos.map((todo: JsonObject) => `- ${MARKS[String(todo["status"])] ?? "[ ]"} ${String(todo["content"])}`).join("\n")}`;
}

function reportSubagents(value: JsonObject | undefined, raw: string): string {
  const results = value?.["results"];
  if (!Array.isArray(results)) return raw;
  return results
    .map(
      (result: JsonObject, index) =>
        `${results.length === 1 ? "The subagent" : `Subagent ${index + 1}`} says:\n\n${text(result, "summary") || text(result, "error") || "nothing"}`,
    )
    .join("\n\n");
}

function reportAny(tool: string, value: JsonObject | undefined, raw: string): string {
  if (value === undefined)
    return raw.trim() === ""
      ? `\`${tool}\` ended well and said nothing.`
      : `\`${tool}\` says:\n\n${raw.includes("\n") ? fence(raw) : raw}`;
  const entries = Object.entries(value);
  const flat = entries.length > 0 && entries.every(([, one]) => typeof one !== "object" || one === null);
  return `\`${tool}\` says:\n\n${flat ? reportFlat(entries) : fence(JSON.stringify(value, null, 2), "json")}`;
}

/** Values with several lines follow below the list. */
function reportFlat(entries: readonly (readonly [name: string, value: unknown])[]): string {
  const long = entries.filter(([, value]) => String(value).includes("\n"));
  const short = entries.filter((entry) => !long.includes(entry)).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    ...(short.length === 0 ? [] : [bullets(short)]),
    ...long.map(([name, value]) => `${name}:\n\n${fence(String(value))}`),
  ].join("\n\n");
}

/** The JSON object a result is, or begins with: some tools add a hint in plain words behind it. */
function objectIn(raw: string): JsonObject | undefined {
  for (const end of [raw.length, raw.lastIndexOf("}\n") + 1, raw.lastIndexOf("}") + 1]) {
    try {
      const value: unknown = JSON.parse(raw.slice(0, end));
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
    } catch {
      // Not JSON up to here.
    }
  }
  return undefined;
}

function text(value: JsonObject | undefined, key: string): string | undefined {
  const found = value?.[key];
  return typeof found === "string" ? found : undefined;
}

function list(value: JsonObject | undefined, key: string): readonly string[] | undefined {
  const found = value?.[key];
  return Array.isArray(found)
    ? found.map((one: unknown) =>
        typeof one === "string" ? one : String((one as JsonObject | null)?.["path"] ?? JSON.stringify(one)),
      )
    : undefined;
}

function linesOf(output: string): readonly string[] {
  return output.split("\n").filter((line) => line.trim() !== "");
}

function bullets(rows: readonly string[]): string {
  const more = rows.length - MAX_LINES;
  return `${rows
    .slice(0, MAX_LINES)
    .map((row) => `- ${row}`)
    .join("\n")}${more > 0 ? `\n- … and ${more} more` : ""}`;
}

/** A fence longer than any inside, so that nothing in the output can end it. */
function fence(output: string, language = ""): string {
  const longest = Math.max(2, ...[...output.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${output.replace(/\n$/, "")}\n${ticks}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function inPlace(path: string): string {
  return path === "." ? " here" : ` in \`${path}\``;
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
