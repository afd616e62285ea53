/**
 * Commands that a program runs because a configuration names them: scripts of a package, servers and hooks of an agent,
 * jobs, images.
 */
export function commandsInConfig(text: string): readonly string[] {
  const read = readJson(text);
  return read === undefined ? commandsInLines(text) : commandsInJson(read);
}

const RUNS =
  /^(?:command|cmd|run|script|exec|execute|entry|entrypoint|hook|hooks|program|on\w*|pre\w*|post\w*|before\w*|after\w*|\w*[cC]ommand|Exec\w+|prepare|install|start|test|build)$/;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*\/\/.*$/gm, "").replace(/,(?=\s*[}\]])/g, "")) as unknown;
  } catch {
    return undefined; // Another format, or a part of one: read by its lines.
  }
}

function commandsInJson(value: unknown, key = "", inScripts = false): readonly string[] {
  if (typeof value === "string") return (inScripts || RUNS.test(key)) && /\s/.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => commandsInJson(one, key, inScripts));
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  const { command, args } = value as { readonly command?: unknown; readonly args?: unknown };
  const called =
    typeof command === "string" && Array.isArray(args)
      ? [[command, ...args.map((one) => quote(String(one)))].join(" ")]
      : [];
  return [
    ...called,
    ...entries.flatMap(([name, one]) => commandsInJson(one, name, name === "scripts" || name === "hooks")),
  ];
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** YAML, TOML, unit files and image files: the rest of the line, or the block that is indented below it. */
function commandsInLines(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const [, indent = "", key = "", rest = ""] =
      /^(\s*(?:-\s+)?)"?([\w.-]+)"?(?:\s*[:=]\s*|\s+(?=\S))(.*)$/.exec(line) ?? [];
    if (!RUNS.test(key.toLowerCase()) && !RUNS.test(key)) return [];
    const list = rest.startsWith("[") ? readJson(rest) : undefined;
    if (Array.isArray(list)) return [list.map((one) => quote(String(one))).join(" ")];
    if (!/^[|>][+-]?\s*$/.test(rest))
      return /\s/.test(rest) ? [rest.replace(/^(["'])([\s\S]*)\1,?$/, "$2").replaceAll('\\"', '"')] : [];
    const end = lines.findIndex(
      (one, i) => i > at && one.trim() !== "" && one.length - one.trimStart().length <= indent.length,
    );
    return [lines.slice(at + 1, end === -1 ? lines.length : end).join("\n")];
  });
}
