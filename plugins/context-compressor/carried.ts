import type { ChatMessage } from "hermes-agent/plugin";

/** Content of the conversation that a summary must repeat verbatim. */
interface Carried {
  readonly todos: readonly string[];
  readonly files: readonly string[];
  readonly refused: readonly string[];
  readonly unknown: readonly string[];
  readonly asked: string;
}

type Lines = Exclude<keyof Carried, "asked">;

const OPEN = "[Kept word for word]";
const CLOSE = "[End of what is kept word for word]";
const TITLES: { readonly [part in Lines]: string } = {
  todos: "Open to-dos:",
  files: "Files that were changed:",
  refused: "Refused, not to be tried again in any form:",
  unknown: "Interrupted, it may or may not have happened:",
};
const ASKED = "The user's last message, which is to be answered:";
/** The newest of each. */
const MAX = 60;
const MAX_CHARS = 300;
/** The first line of a stored summary. Earlier versions continued it differently after the comma. */
const SUMMARY_START = /^\[Summary of the conversation so far, [^\]\n]*\]/;
/** Includes the form that earlier versions stored. */
const ASKED_LINE = /\n\nThe (?:user|person)'s last message, [^\n]*:\n/;
const OPEN_STATUS = new Set(["pending", "in_progress"]);

/**
 * The content that must outlive these messages verbatim: the user's last message, open to-dos, changed files, refused
 * and interrupted calls. Includes what an earlier summary carried. "" when there is none.
 * @param to Index of the first message that stays; content of those that stay is not repeated.
 */
export function carriedText(messages: readonly ChatMessage[], to: number): string {
  let carried: Carried = { todos: [], files: [], refused: [], unknown: [], asked: "" };
  for (const [index, message] of messages.slice(0, to).entries()) {
    if (message.role === "user")
      carried = SUMMARY_START.test(message.content)
        ? readAgain(message.content)
        : { ...carried, asked: message.content };
    else if (message.role === "tool")
      carried = withResult(carried, message, callOf(messages, index, message.tool_call_id));
  }
  const rest = messages.slice(to);
  if (rest.some(({ role }) => role === "user")) carried = { ...carried, asked: "" };
  if (rest.some(({ name, content }) => name === "todo" && todosIn(content) !== undefined))
    carried = { ...carried, todos: [] };
  const parts = (Object.keys(TITLES) as Lines[]).flatMap((part) =>
    carried[part].length === 0
      ? []
      : [[TITLES[part], ...carried[part].slice(-MAX).map((line) => `- ${line}`)].join("\n")],
  );
  if (carried.asked !== "") parts.push(`${ASKED}\n${carried.asked}`);
  return parts.length === 0 ? "" : [OPEN, ...parts, CLOSE].join("\n\n");
}

function withResult(carried: Carried, { name = "", content }: ChatMessage, args: string): Carried {
  const result = objectIn(content);
  const call = oneLine(`${name} ${args}`);
  if (name === "todo") return { ...carried, todos: todosIn(content) ?? carried.todos };
  if (result["status"] === "blocked")
    return { ...carried, refused: added(carried.refused, `${call}: ${firstSentence(String(result["error"] ?? ""))}`) };
  const error = result["error"];
  if (typeof error === "string" && error.startsWith("Interrupted, outcome unknown"))
    return { ...carried, unknown: added(carried.unknown, call) };
  if (typeof error === "string" && error !== "") return carried;
  return { ...carried, files: filesOf(name, objectIn(args)).reduce(added, carried.files) };
}

/** The newest last, each once. */
function added(lines: readonly string[], line: string): readonly string[] {
  return [...lines.filter((one) => one !== line), line];
}

function callOf(messages: readonly ChatMessage[], index: number, id: string | undefined): string {
  const made = messages
    .slice(0, index)
    .findLast(({ tool_calls }) => tool_calls?.some((call) => call.id === id) === true);
  return made?.tool_calls?.find((call) => call.id === id)?.function.arguments ?? "";
}

/** Absent where the result is none of the list's. */
function todosIn(content: string): readonly string[] | undefined {
  const { todos } = objectIn(content);
  if (!Array.isArray(todos)) return undefined;
  return todos.flatMap((todo: unknown) => {
    const { id, content: text, status } = (todo ?? {}) as { readonly [key: string]: unknown };
    return OPEN_STATUS.has(String(status))
      ? [`[${String(status)}] ${String(id)}: ${String(text).replaceAll(/\s+/g, " ")}`]
      : [];
  });
}

function filesOf(name: string, { path, patch }: { readonly [key: string]: unknown }): readonly string[] {
  if (name !== "write_file" && name !== "patch") return [];
  const named =
    typeof patch === "string"
      ? [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(([, file = ""]) => file)
      : [];
  return [...(typeof path === "string" ? [path] : []), ...named].map(oneLine);
}

/**
 * Reads the block that `carriedText` wrote. The block precedes all text that a model wrote, so no text in a summary can
 * imitate it.
 */
function readAgain(text: string): Carried {
  const begin = `${SUMMARY_START.exec(text)?.[0] ?? ""}\n\n${OPEN}\n\n`;
  const end = text.indexOf(`\n\n${CLOSE}`);
  const block = text.startsWith(begin) && end >= 0 ? text.slice(begin.length, end) : "";
  const [before = "", asked = ""] = splitOnce(`\n\n${block}`, ASKED_LINE);
  const lines = (title: string): readonly string[] =>
    before
      .split("\n\n")
      .find((part) => part.startsWith(`${title}\n`))
      ?.split("\n")
      .slice(1)
      .map((line) => line.slice(2)) ?? [];
  return {
    todos: lines(TITLES.todos),
    files: lines(TITLES.files),
    refused: lines(TITLES.refused),
    unknown: lines(TITLES.unknown),
    asked,
  };
}

function splitOnce(text: string, at: RegExp): readonly [string, string] {
  const found = at.exec(text);
  return found === null ? [text, ""] : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
}

function objectIn(text: string): { readonly [key: string]: unknown } {
  if (!text.startsWith("{")) return {};
  try {
    return JSON.parse(text) as { readonly [key: string]: unknown };
  } catch {
    return {}; // Cut, or no JSON after all.
  }
}

function firstSentence(text: string): string {
  return oneLine(/^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text);
}

function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= MAX_CHARS ? flat : `${flat.slice(0, MAX_CHARS - 1)}…`.toWellFormed();
}
