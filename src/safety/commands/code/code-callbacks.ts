import type { Call } from "../evaluate/call.ts";
import { perform, type Around } from "./code-acts.ts";
import { type Act, actOf } from "./code-calls.ts";
import type { Token } from "./code-tokens.ts";

/** Acts that are just as severe when other code calls the function. */
const GRAVE: ReadonlySet<Act> = new Set(["shell", "argv", "words", "delete-tree", "dynamic"]);
/** Names that mean something grave only as a member of what they belong to. */
const COMMON = /^(exec|system|spawn|rm|eval|open|load|compile|run|call|command|Function|sh|getattr|Popen)$/;
const MAX_TOKENS_BACK = 120;

/**
 * A function that is handed to another one, which calls it: `map(os.system, […])`, `[…].forEach(fs.rmSync)`,
 * `Thread(target=os.system, args=(…))`.
 */
export function judgeHandedOn(
  tokens: readonly Token[],
  i: number,
  aliases: ReadonlyMap<string, string>,
  around: Around,
  call: Call,
): void {
  const { text } = tokens[i]!;
  const next = tokens[i + 1]?.text;
  const act = actOf(aliases.get(text) ?? text, ownerOf(tokens, i, aliases));
  if (act === undefined || !GRAVE.has(act)) return;
  const bound = next === "." && /^(bind|call|apply|curry)$/.test(tokens[i + 2]?.text ?? "");
  const ruby =
    around.language === "ruby" &&
    tokens[i - 1]?.text === ":" &&
    tokens[i - 2]?.text === "(" &&
    tokens[i - 3]?.text === "method";
  if (!bound && !ruby && next !== "," && next !== ")") return;
  const start = beginning(tokens, i);
  const before = tokens[start - 1];
  const named = before?.text === "=" && tokens[start - 2]?.kind === "name";
  if (!bound && !ruby && !named && before?.text !== "(" && before?.text !== ",") return;
  const open = opening(tokens, start - 1, call);
  if (
    !bound &&
    (open === undefined ||
      tokens[open - 1] === undefined ||
      (tokens[open - 1]!.kind !== "name" && tokens[open - 1]!.text !== ")"))
  )
    return;
  // `import os, system`, `def f(system)`, `print(exec)`.
  const called = open === undefined ? "" : (tokens[open - 1]?.text ?? "");
  if (
    !bound &&
    !ruby &&
    (QUIET.test(called) ||
      (start === i && COMMON.test(text) && !aliases.has(text) && !CALLS.test(called)) ||
      /^(def|function|fn)$/.test(tokens[open! - 2]?.text ?? ""))
  )
    return;
  const texts = bound
    ? stringsIn(tokens, i + 3)
    : [...stringsIn(tokens, open!), ...listBefore(tokens, open! - 2, call)];
  if (texts.length === 0)
    call.by.harm("code-runs", `${call.program}: ${text} is passed as a callback with unknown arguments`);
  for (const one of texts)
    perform(act === "words" || act === "argv" ? "shell" : act, text, [{ text: one }], around, call);
}

/** Ask what something is, and call nothing. */
const QUIET =
  /^(print|puts|p|log|hasattr|isinstance|callable|typeof|id|type|len|str|repr|dir|help|getsource|doc|inspect|assert|equal|import|require|from|if|while|and|or|not|in|is|return|catch|__import__)$/;
/** Take a function to call it, whatever it is called. */
const CALLS =
  /^(map|filter|starmap|imap\w*|apply\w*|submit|partial|Thread|Process|Timer|register|run_in_executor|call_\w+|to_thread|forEach|flatMap|some|every|find\w*|reduce|then|finally|setTimeout|setInterval|setImmediate|nextTick|queueMicrotask|promisify|callbackify|array_map|array_walk|array_filter|usort|call_user_func\w*|each|walk|defer|on|once|addListener|execute|\))$/;

/** `os`, `child_process`, `require` as `actOf` takes them. */
function ownerOf(tokens: readonly Token[], i: number, aliases: ReadonlyMap<string, string>): string {
  const dot = tokens[i - 1]?.text;
  if (dot !== "." && dot !== "::" && dot !== "->") return "";
  const owner = tokens[i - 2];
  return owner?.kind === "name" ? (aliases.get(owner.text) ?? owner.text) : owner?.text === ")" ? "require" : "?";
}

/** Where the chain of names and calls begins that ends at `i`: `require("child_process").execSync`. */
function beginning(tokens: readonly Token[], i: number): number {
  let at = i;
  while (at > 1 && /^(\.|::|->)$/.test(tokens[at - 1]!.text)) {
    if (tokens[at - 2]!.text === ")" && tokens[at - 4]?.text === "(" && tokens[at - 5]?.kind === "name") at -= 5;
    else if (tokens[at - 2]!.kind === "name") at -= 2;
    else break;
  }
  return at;
}

/** The parenthesis around the place. */
function opening(tokens: readonly Token[], from: number, call: Call): number | undefined {
  let depth = 0;
  for (let at = from; at >= 0 && at > from - MAX_TOKENS_BACK; at--) {
    call.state.budget.spend(0.05);
    if (tokens[at]!.kind !== "punctuation") continue;
    if (/^[)\]}]$/.test(tokens[at]!.text)) depth++;
    else if (/^[([{]$/.test(tokens[at]!.text) && --depth < 0) return tokens[at]!.text === "(" ? at : undefined;
  }
  return undefined;
}

/** The texts between a parenthesis and the one that closes it, but for names of modules. */
function stringsIn(tokens: readonly Token[], open: number): readonly string[] {
  const texts: string[] = [];
  let depth = 0;
  for (let at = open; at < tokens.length && at < open + MAX_TOKENS_BACK; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === "string" && tokens[at - 2]?.text !== "require") texts.push(text);
    if (kind !== "punctuation") continue;
    if (/^[([{]$/.test(text)) depth++;
    else if (/^[)\]}]$/.test(text) && --depth <= 0) break;
  }
  return texts;
}

/** `["a", "b"].forEach(`, `Promise.resolve("a").then(`: the texts that the method is called on. */
function listBefore(tokens: readonly Token[], dot: number, call: Call): readonly string[] {
  if (tokens[dot]?.text !== "." || !/^[\])]$/.test(tokens[dot - 1]?.text ?? "")) return [];
  const texts: string[] = [];
  let depth = 0;
  for (let at = dot - 1; at >= 0 && at > dot - MAX_TOKENS_BACK; at--) {
    call.state.budget.spend(0.05);
    const { kind, text } = tokens[at]!;
    if (kind === "string" && tokens[at - 2]?.text !== "require") texts.push(text);
    if (kind !== "punctuation") continue;
    if (/^[)\]}]$/.test(text)) depth++;
    else if (/^[([{]$/.test(text) && --depth <= 0) break;
  }
  return texts;
}
