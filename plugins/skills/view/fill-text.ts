import { shownOf, textOf, toSettled, type ToolContext } from "hermes-agent/plugin";

const MAX_CHARS = 4_000;
const INLINE = /!`([^`\n]+)`/g;

/** Inserts the skill's folder, the session id and, if enabled, the output of its commands into its text. */
export async function fillText(text: string, folder: string, call: ToolContext): Promise<string> {
  const tokens: { readonly [token: string]: string } = { SKILL_DIR: folder, SESSION_ID: call.sessionId };
  const filled =
    call.config("skills.template_vars") === false
      ? text
      : text.replaceAll(/\$\{HERMES_(SKILL_DIR|SESSION_ID)\}/g, (_, token: string) => tokens[token]!);
  if (call.config("skills.inline_shell") !== true) return filled;
  const seconds = Number(call.config("skills.inline_shell_timeout") ?? 10);
  const pieces: string[] = [];
  let at = 0;
  for (const found of filled.matchAll(INLINE)) {
    pieces.push(filled.slice(at, found.index), await outputOf(found[1]!, folder, seconds, call));
    at = found.index + found[0].length;
  }
  return [...pieces, filled.slice(at)].join("");
}

/** Commands pass the dispatch pipeline like all others. */
async function outputOf(command: string, folder: string, seconds: number, call: ToolContext): Promise<string> {
  const outcome = toSettled(await call.call("terminal", { command, workdir: folder, timeout: seconds }));
  const text = textOf(shownOf(outcome));
  const message = parsed(text);
  if (outcome.kind !== "ok") return `[inline-shell error: ${message.error ?? text}]`;
  const output = (message.output ?? text).trimEnd();
  return output.length > MAX_CHARS ? `${output.slice(0, MAX_CHARS).toWellFormed()}...[truncated]` : output;
}

function parsed(text: string): { readonly output?: string; readonly error?: string } {
  try {
    return JSON.parse(text) as { readonly output?: string; readonly error?: string };
  } catch {
    return {}; // No object: the text is the answer.
  }
}
