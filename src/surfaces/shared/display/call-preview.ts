import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { diffLines } from "./diff-lines.ts";
import type { PreviewLine } from "./preview-line.ts";
import { printable } from "./printable.ts";

/** What surfaces show of a call's result. */
export interface CallPreview {
  /** For the call's title, such as `+3 −1` or `12 matches`; "" for nothing. */
  readonly summary: string;
  readonly lines: readonly PreviewLine[];
  /** The lines to show until the user expands the card; 0 if the title says it all. */
  readonly shortLines: number;
  /** Which of the lines these are. */
  readonly shortPart: "beginning" | "end";
  readonly isDiff?: true;
}

/** A call has nothing to show. */
const NOTHING: CallPreview = { summary: "", lines: [], shortLines: 0, shortPart: "beginning" };

/**
 * The preview of a result, by its shape: a diff, a command's output, search hits, a checklist, the user's answer, or
 * text.
 * @param result The text that the model read.
 */
export function previewOf(result: string): CallPreview {
  const value = jsonOf(result);
  if (value === undefined) return textPreview(result);
  if (typeof value["error"] === "string" && value["output"] === undefined) return NOTHING;
  for (const shape of SHAPES) {
    const preview = shape(value);
    if (preview !== undefined) return preview;
  }
  return textPreview(JSON.stringify(value, null, 2));
}

const SHAPES: readonly ((value: JsonObject) => CallPreview | undefined)[] = [
  ({ diff }) => (typeof diff === "string" && diff !== "" ? diffPreview(diff) : undefined),
  ({ output, exit_code: code }) =>
    typeof output === "string" && typeof code === "number"
      ? { ...textPreview(output), shortLines: 5, shortPart: "end" }
      : undefined,
  ({ todos }) => (Array.isArray(todos) ? checklist(todos) : undefined),
  ({ user_response: answer }) =>
    typeof answer === "string"
      ? { summary: "", lines: [plain(`→ ${answer}`)], shortLines: 3, shortPart: "beginning" }
      : undefined,
  hits,
  ({ content }) => (typeof content === "string" ? textPreview(content) : undefined),
];

function diffPreview(diff: string): CallPreview {
  const lines = diffLines(diff);
  const count = (kind: PreviewLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
  const summary = `+${count("added")} −${count("removed")}`;
  return { summary, lines, shortLines: 40, shortPart: "beginning", isDiff: true };
}

const MARKS: { readonly [status: string]: readonly [string, PreviewLine["kind"]] } = {
  pending: ["☐", "plain"],
  in_progress: ["◐", "current"],
  completed: ["☑", "done"],
  cancelled: ["☒", "done"],
};

function checklist(todos: readonly Json[]): CallPreview {
  const lines = todos.flatMap((todo): PreviewLine[] => {
    if (typeof todo !== "object" || todo === null || Array.isArray(todo)) return [];
    const { content, status } = todo as JsonObject;
    const [mark, kind] = MARKS[String(status)] ?? ["☐", "plain"];
    return [{ kind, text: `${mark} ${printable(String(content))}` }];
  });
  const done = lines.filter(({ kind }) => kind === "done").length;
  const summary = lines.length === 0 ? "" : `${done}/${lines.length} done`;
  return { summary, lines, shortLines: 20, shortPart: "beginning" };
}

/** The matches of a search, or the files it found. */
function hits(value: JsonObject): CallPreview | undefined {
  const { matches, matches_text: grouped, files, total_count: total } = value;
  const found =
    typeof grouped === "string"
      ? grouped.split("\n")
      : Array.isArray(matches)
        ? matches.map(hitText)
        : Array.isArray(files)
          ? files.map(String)
          : undefined;
  if (found === undefined) return undefined;
  const count = typeof total === "number" ? total : found.length;
  const noun = Array.isArray(files) ? (count === 1 ? "file" : "files") : count === 1 ? "match" : "matches";
  return { summary: `${count} ${noun}`, lines: found.map(plain), shortLines: 5, shortPart: "beginning" };
}

function hitText(match: Json): string {
  if (typeof match !== "object" || match === null || Array.isArray(match)) return String(match);
  const { path, line, content } = match as JsonObject;
  return `${String(path)}:${String(line)}: ${String(content)}`;
}

function textPreview(text: string): CallPreview {
  const shown = text.trimEnd();
  const lines = shown === "" ? [] : shown.split("\n").map(plain);
  return { summary: "", lines, shortLines: 0, shortPart: "beginning" };
}

function plain(text: string): PreviewLine {
  return { kind: "plain", text: printable(text) };
}

function jsonOf(text: string): JsonObject | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined; // The result is truncated, or not JSON.
  }
}
