import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { diffLines } from "./diff-lines.ts";
import { languageOf, type PreviewLine } from "./preview-line.ts";
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
 * The preview of a result, by its shape: a diff, a command's output, search hits, a checklist, the user's answer, a
 * file, or text.
 * @param result The text that the model read.
 * @param args The arguments of the call.
 */
export function previewOf(result: string, args: JsonObject = {}): CallPreview {
  const value = jsonOf(result);
  if (value === undefined) return textPreview(result);
  if (typeof value["error"] === "string" && value["output"] === undefined) return NOTHING;
  for (const shape of SHAPES) {
    const preview = shape(value, args);
    if (preview !== undefined) return preview;
  }
  return textPreview(JSON.stringify(value, null, 2));
}

const SHAPES: readonly ((value: JsonObject, args: JsonObject) => CallPreview | undefined)[] = [
  ({ diff }) => (typeof diff === "string" && diff !== "" ? diffPreview(diff) : undefined),
  ({ output, exit_code: code }) =>
    typeof output === "string" && typeof code === "number"
      ? { ...textPreview(output), shortLines: 5, shortPart: "end" }
      : undefined,
  ({ todos }) => (Array.isArray(todos) ? checklist(todos) : undefined),
  answered,
  hits,
  ({ content }, { path }) => (typeof content === "string" ? fileOrText(content, path) : undefined),
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
    return [{ kind, text: `${mark} ${printable(String(content))}`, wraps: true }];
  });
  const done = lines.filter(({ kind }) => kind === "done").length;
  const summary = lines.length === 0 ? "" : `${done}/${lines.length} done`;
  return { summary, lines, shortLines: 20, shortPart: "beginning" };
}

/** A question that fits beside the title is part of it. */
const TITLE_QUESTION = 60;

function answered({ user_response: answer }: JsonObject, { question }: JsonObject): CallPreview | undefined {
  if (typeof answer !== "string") return undefined;
  const sentence = (text: string): PreviewLine => ({ kind: "plain", text: printable(text), wraps: true });
  const asked = typeof question === "string" && question.length > TITLE_QUESTION ? [sentence(question)] : [];
  const lines: readonly PreviewLine[] = [...asked, { ...sentence(`→ ${answer}`), kind: "current" }];
  return { summary: "", lines, shortLines: lines.length, shortPart: "beginning" };
}

/** The matches of a search, or the files it found. */
function hits(value: JsonObject, { pattern }: JsonObject): CallPreview | undefined {
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
  const word = typeof pattern === "string" && !Array.isArray(files) ? literalOf(pattern) : "";
  const lines = found.map((text) => withFound(plain(text), word));
  return { summary: `${count} ${noun}`, lines, shortLines: 5, shortPart: "beginning" };
}

/** The text that a pattern matches, if it matches only one; else "". The pattern itself may take for ever to match. */
function literalOf(pattern: string): string {
  return /^(?:\\[^\w\s]|[^\\^$.*+?()[\]{}|])+$/.test(pattern) ? pattern.replaceAll(/\\(.)/g, "$1") : "";
}

function withFound(line: PreviewLine, word: string): PreviewLine {
  if (word === "") return line;
  const found: [number, number][] = [];
  for (let at = line.text.indexOf(word); at >= 0; at = line.text.indexOf(word, at + word.length))
    found.push([at, at + word.length]);
  return { ...line, found };
}

function hitText(match: Json): string {
  if (typeof match !== "object" || match === null || Array.isArray(match)) return String(match);
  const { path, line, content } = match as JsonObject;
  return `${String(path)}:${String(line)}: ${String(content)}`;
}

/** `12|text` as reading tools number lines. */
const NUMBERED = /^ *(\d+)\|(.*)$/;

/** A file that was read, with the range of its lines; else text. */
function fileOrText(content: string, path: Json | undefined): CallPreview {
  const rows = content.split("\n").map((row) => NUMBERED.exec(row.replace(/\r$/, "")));
  // The number behind the last line end has no line.
  if (rows.at(-1)?.[2] === "") rows.pop();
  const numbers = rows.map((row) => Number(row?.[1] ?? Number.NaN));
  if (rows.length === 0 || numbers.some(Number.isNaN) || typeof path !== "string") return textPreview(content);
  const width = String(numbers.at(-1)).length;
  const language = languageOf(path);
  const lines = rows.map((row): PreviewLine => {
    const text = printable(`${row?.[1]?.padStart(width)}  ${row?.[2]}`.trimEnd());
    return { kind: "plain", text, code: { at: width + 2, language } };
  });
  const summary = numbers.length === 1 ? String(numbers[0]) : `${numbers[0]}–${numbers.at(-1)}`;
  return { summary, lines, shortLines: 0, shortPart: "beginning" };
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
