const PLACEHOLDER = "{tool_name}";

/**
 * Replaces each `{tool_name}` in a shell command, quoted for its position, so that the shell reads it as one piece of
 * text.
 * @throws {Error} for a name that needs quotes inside a nested command, whose quoting is not parsed here.
 */
export function fillToolName(command: string, name: string): string {
  if (!command.includes(PLACEHOLDER)) return command;
  // Means itself in every quoting.
  if (/^[\w.:@%+-]*$/.test(name)) return command.replaceAll(PLACEHOLDER, name);
  if (/`|\$\(|<</.test(command))
    throw new Error(
      `the tool's name ${JSON.stringify(name)} cannot be inserted safely into a command with \`, $( or <<`,
    );
  let filled = "";
  let quote: '"' | "'" | undefined;
  for (let at = 0; at < command.length; at++) {
    const char = command[at]!;
    if (command.startsWith(PLACEHOLDER, at)) {
      filled += quoted(name, quote);
      at += PLACEHOLDER.length - 1;
      continue;
    }
    filled += char;
    if (char === "\\" && quote !== "'") filled += command[++at] ?? "";
    else if (char === quote) quote = undefined;
    else if (quote === undefined && (char === "'" || char === '"')) quote = char;
  }
  return filled;
}

function quoted(name: string, quote: '"' | "'" | undefined): string {
  if (quote === '"') return name.replace(/[\\"$`]/g, "\\$&");
  const inner = name.replaceAll("'", "'\\''");
  return quote === "'" ? inner : `'${inner}'`;
}
