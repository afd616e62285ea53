import { FORMATS } from "./call-formats.ts";
import { each, type FormattedCall, listed, whole } from "./call-readers.ts";
import { looseCalls } from "./loose-calls.ts";
import { withoutEndTokens } from "./read-tolerantly.ts";

/** Calls that a model wrote into its words, as models do whose server does not understand their format. */
export interface TextualCalls {
  /** The text before the calls. */
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: string }[];
  /**
   * Exactly in a format that models are trained to call with, and which means nothing else. Otherwise it is bare JSON or
   * a form that had to be guessed, and may be meant for the user.
   */
  readonly marked: boolean;
}

/** Longer words end in no call. */
const MAX_CHARS = 400_000;

/**
 * The calls at the end of an answer. No text may follow them, every one must name an offered tool by its exact name,
 * and all must be readable; otherwise the text stays text. A call quoted in the middle, or in a marked code block, is
 * therefore not a call.
 */
export function textualCalls(words: string, offered: ReadonlySet<string>): TextualCalls | undefined {
  const text = withoutEndTokens(words.trimEnd());
  if (text === "" || text.length > MAX_CHARS) return undefined;
  for (const read of [respelled, marked, fenced, bare, loose]) {
    const found = read(text);
    if (found !== undefined && found.calls.length > 0 && found.calls.every(({ tool }) => offered.has(tool)))
      return {
        text: found.text,
        calls: found.calls.map(({ tool, args }) => ({ tool, args })),
        marked: found.marked && found.calls.every(({ exact }) => exact !== false),
      };
  }
  return undefined;
}

/**
 * A call that was clearly meant and cannot be read: the mark of a format begins a line outside of code, and an offered
 * tool is named behind it. Text may not follow the call in its line: then it is an example.
 */
export function unreadableCall(
  words: string,
  offered: ReadonlySet<string>,
): { readonly tool: string; readonly why: string } | undefined {
  const text = unquoted(usualBars(withoutEndTokens(words.trimEnd())));
  if (text.length > MAX_CHARS) return undefined;
  for (const { begin, end } of [...FORMATS, ...namedMarks(offered)]) {
    const at = text.indexOf(begin);
    if (at < 0 || !/(?:^|\n)[ \t]*$/.test(text.slice(0, at))) continue;
    // In a code block it is a quotation.
    if ((text.slice(0, at).match(/^\s*```/gm)?.length ?? 0) % 2 === 1) continue;
    const rest = text.slice(at + begin.length);
    const inMark = [...offered].find((tool) => begin === `<${tool}>\n` || begin === `Action: ${tool}`);
    const closes = end === undefined ? -1 : rest.lastIndexOf(end);
    if (closes >= 0 && /^[ \t]*\S/.test(rest.slice(closes + end!.length))) continue;
    const named = inMark ?? [...offered].find((tool) => namedIn(rest.slice(0, MAX_NAME_AT), tool));
    if (named !== undefined) return { tool: named, why: whyUnreadable(closes < 0 ? rest : rest.slice(0, closes)) };
  }
  return undefined;
}

/** Marks with the tool's name in them: `<read_file>`, and a ReAct step. */
function namedMarks(offered: ReadonlySet<string>): readonly { readonly begin: string; readonly end?: string }[] {
  return [...offered].flatMap((tool) => [{ begin: `<${tool}>\n`, end: `</${tool}>` }, { begin: `Action: ${tool}` }]);
}

/** Within so many characters a call names its tool. */
const MAX_NAME_AT = 400;

function namedIn(text: string, tool: string): boolean {
  const at = text.indexOf(tool);
  return at >= 0 && !/[\w-]/.test(text[at - 1] ?? " ") && !/[\w-]/.test(text[at + tool.length] ?? " ");
}

function whyUnreadable(inside: string): string {
  const at = inside.search(/[[{]/);
  if (at < 0) return "it has no arguments in JSON";
  try {
    JSON.parse(inside.slice(at).trim());
    return "its form is none that Hermes knows";
  } catch (cause) {
    const message = (cause as Error).message
      .replace(/, (?:\.\.\.)?"[^]*is not valid JSON$/, "")
      .replace(" in JSON", "");
    return `its JSON is not valid: ${message}`;
  }
}

function marked(text: string): Found | undefined {
  for (const { begin, end, read, textFollows } of FORMATS) {
    const at = text.indexOf(begin);
    if (at < 0) continue;
    const behind = text.slice(at + begin.length);
    const last = textFollows === true ? behind.lastIndexOf(end ?? "") : -1;
    const rest = last < 0 ? behind : behind.slice(0, last + end!.length);
    const ended = end !== undefined && rest.endsWith(end);
    const calls = read((ended ? rest.slice(0, -end.length) : rest).trim(), ended);
    return calls === undefined ? undefined : { text: text.slice(0, at).trimEnd(), calls, marked: true };
  }
  return undefined;
}

/** Other bars around DeepSeek's marks, and a closing tag whose opening one is missing: the form is guessed. */
function respelled(text: string): Found | undefined {
  const bars = usualBars(text)
    .replace(/(?:<tool_call>\s*){2,}/g, "<tool_call>")
    .replace(/(?:<\/tool_call>\s*){2,}$/, "</tool_call>");
  const usual = bars.includes("<tool_calls>")
    ? bars.replace(/<answer>\s*(<tool_calls>[\s\S]*<\/tool_calls>)\s*<\/answer>$/, "$1")
    : bars.includes("<tool_call>")
      ? bars
      : bars.replace(/(<function=[\s\S]*<\/function>)\s*<\/tool_call>$/, "$1");
  const found = usual === text ? undefined : marked(usual);
  return found === undefined ? undefined : { ...found, marked: false };
}

const usualBars = (text: string): string =>
  text.includes("DSML") ? text.replace(/<(\/?)\s*(?:[|｜‖]\s*){1,2}DSML\s*(?:[|｜‖]\s*){1,2}/g, "<$1｜DSML｜") : text;

/** The whole answer is a code block with a call in a format. */
function fenced(text: string): Found | undefined {
  const inside = unquoted(text);
  const found = inside === text ? undefined : marked(inside);
  return found === undefined ? undefined : { ...found, marked: false };
}

/** Without the code block that is the whole text. */
function unquoted(text: string): string {
  const inside = /^\s*```(?:json|xml|tool_call|tool_calls)?[ \t]*\n([\s\S]*?)\n?```$/.exec(text)?.[1];
  return inside === undefined || inside.includes("```") ? text : inside.trim();
}

function loose(text: string): Found | undefined {
  const found = looseCalls(text);
  return found === undefined ? undefined : { ...found, marked: false };
}

interface Found extends TextualCalls {
  readonly calls: readonly FormattedCall[];
}

/** The whole answer is one call or a list of calls, in a code block or not. */
function bare(text: string): Found | undefined {
  const fence = /^```(?:json|tool_call)?\s*\n([\s\S]*?)\n?```$/.exec(text.trimStart());
  const inside = (fence?.[1] ?? text).trim();
  const calls = inside.startsWith("[") ? listed(inside) : inside.startsWith("{") ? each([inside], whole) : undefined;
  return calls === undefined ? undefined : { text: "", calls, marked: false };
}
