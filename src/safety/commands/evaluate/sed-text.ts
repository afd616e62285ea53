const MAX_INPUT = 2_000;

/**
 * Commands of sed on a text: `s/a/b/`, `2p`, `1d`, `$d`, `q`, several of them; a pattern may repeat at most one thing.
 * Anything else is not followed.
 */
export function sedText(text: string, scripts: readonly string[], quiet: boolean): string | undefined {
  if (text.length > MAX_INPUT) return undefined;
  const commands = scripts.flatMap((script) => commandsOf(script) ?? [undefined]);
  if (commands.length === 0 || commands.includes(undefined)) return undefined;
  const ended = text.endsWith("\n");
  const lines = (ended ? text.slice(0, -1) : text).split("\n");
  const out: string[] = [];
  for (const [at, line] of lines.entries()) {
    let space: string | undefined = line;
    let ends = false;
    for (const command of commands as readonly Command[]) {
      if (command.line !== undefined && command.line !== (at === lines.length - 1 && command.line === 0 ? 0 : at + 1))
        continue;
      if (command.kind === "s")
        space = space.replace(command.pattern, (whole) => command.text.replaceAll("&", () => whole));
      else if (command.kind === "p") out.push(space);
      else if (command.kind === "d") {
        space = undefined;
        break;
      } else {
        ends = true;
        break;
      }
    }
    if (space !== undefined && !quiet) out.push(space);
    if (ends) break;
  }
  return out.length === 0 ? "" : `${out.join("\n")}${ended ? "\n" : ""}`;
}

type Command = { readonly line?: number } & (
  | { readonly kind: "s"; readonly pattern: RegExp; readonly text: string }
  | { readonly kind: "p" | "d" | "q" }
);

function commandsOf(script: string): readonly (Command | undefined)[] | undefined {
  const commands: (Command | undefined)[] = [];
  let rest = script.trim();
  while (rest !== "") {
    const address = /^(?:(\d{1,6})|(\$))?\s*/.exec(rest)!;
    rest = rest.slice(address[0].length);
    const line = address[2] === "$" ? 0 : address[1] === undefined ? undefined : Number(address[1]);
    if (rest[0] === "s") {
      const found = substitution(rest);
      if (found === undefined) return undefined;
      commands.push({ line, kind: "s", ...found.command });
      rest = rest.slice(found.length);
    } else if (/^[pdq]/.test(rest)) {
      commands.push({ line, kind: rest[0] as "p" | "d" | "q" });
      rest = rest.slice(1);
    } else return undefined;
    const end = /^\s*(?:[;\n]\s*|$)/.exec(rest);
    if (end === null) return undefined;
    rest = rest.slice(end[0].length);
  }
  return commands;
}

function substitution(
  rest: string,
): { readonly command: { readonly pattern: RegExp; readonly text: string }; readonly length: number } | undefined {
  const separator = rest[1];
  if (separator === undefined || /[\w\s\\]/.test(separator)) return undefined;
  const parts: string[] = [""];
  let at = 2;
  for (; at < rest.length && parts.length < 3; at++) {
    if (rest[at] === "\\" && rest[at + 1] === separator) parts[parts.length - 1] += rest[++at]!;
    else if (rest[at] === "\\") return undefined;
    else if (rest[at] === separator) parts.push("");
    else parts[parts.length - 1] += rest[at]!;
  }
  const expression = parts.length === 3 ? basicExpression(parts[0]!) : undefined;
  const flags = /^g?/.exec(rest.slice(at))![0];
  if (expression === undefined) return undefined;
  return { command: { pattern: new RegExp(expression, `u${flags}`), text: parts[1]! }, length: at + flags.length };
}

/** A basic regular expression without groups, as one of ours. */
function basicExpression(pattern: string): string | undefined {
  const repeats = pattern.match(/\*/g)?.length ?? 0;
  if (pattern === "" || pattern.startsWith("*") || repeats > 1 || !/^\^?[\w\s./:;,@#%=~"'!<>&*-]*\$?$/.test(pattern))
    return undefined;
  return pattern.replace(/[/-]/g, (sign) => (sign === "-" ? "\\u002d" : "\\/"));
}
