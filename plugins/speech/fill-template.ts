/** A command, and the environment variables it needs. */
export interface FilledTemplate {
  readonly command: string;
  readonly env: { readonly [name: string]: string };
}

type Values = { readonly [name: string]: string };
/** The quote or substitution around a position; `(` is a command substitution. */
type Around = "'" | '"' | "(";

/**
 * Replaces `{name}` in a shell command with quoted variable references. Values are passed as environment variables and
 * never become part of the command, so they cannot become code. `{{` and `}}` are literal braces; `${name}` and unknown
 * names are left to the shell.
 */
export function fillTemplate(template: string, values: Values): FilledTemplate {
  const around: Around[] = [];
  const documents: HereDocument[] = [];
  let command = "";
  for (let at = 0; at < template.length;) {
    const rest = template.slice(at);
    const top = around.at(-1);
    const bare = top === undefined || top === "(";
    let taken: string;
    let given: string | undefined;
    if (top !== "'" && rest[0] === "\\") taken = rest.slice(0, 2);
    else if (rest.startsWith("{{") || rest.startsWith("}}")) [taken, given] = [rest.slice(0, 2), rest[0]!];
    else if (rest[0] === "{" && template[at - 1] !== "$" && nameAt(rest, values) !== undefined) {
      const name = nameAt(rest, values)!;
      [taken, given] = [
        `{${name}}`,
        top === "'" ? `'"${reference(name)}"'` : bare ? `"${reference(name)}"` : reference(name),
      ];
    } else if (bare && rest[0] === "#" && /[\s;&|()]|^$/.test(template[at - 1] ?? "")) taken = /^.*/.exec(rest)![0];
    else if (bare && rest.startsWith("<<")) {
      const [whole, document] = hereDocument(rest);
      taken = whole;
      if (document !== undefined) documents.push(document);
    } else if (bare && rest[0] === "\n" && documents.length > 0) {
      taken = `\n${bodiesAt(rest.slice(1), documents)}`;
      given = documents.every(({ quoted }) => quoted)
        ? taken
        : taken.replaceAll(/(?<!\$)\{([a-z_]+)\}/g, (as, name: string) =>
            Object.hasOwn(values, name) ? reference(name) : as,
          );
      documents.length = 0;
    } else {
      taken = rest.startsWith("$(") && top !== "'" ? "$(" : rest[0]!;
      if (taken === top || (taken === ")" && top === "(")) around.pop();
      else if (taken === "$(" || (bare && taken === "(")) around.push("(");
      else if (bare && (taken === "'" || taken === '"')) around.push(taken);
    }
    command += given ?? taken;
    at += taken.length;
  }
  return {
    command,
    env: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`HERMES_V_${name}`, value.replaceAll("\0", "")]),
    ),
  };
}

function reference(name: string): string {
  return `\${HERMES_V_${name}}`;
}

function nameAt(rest: string, values: Values): string | undefined {
  const name = /^\{([a-z_]+)\}/.exec(rest)?.[1];
  return name !== undefined && Object.hasOwn(values, name) ? name : undefined;
}

interface HereDocument {
  readonly end: string;
  /** The shell expands nothing here, so nothing is replaced. */
  readonly quoted: boolean;
  readonly tabs: boolean;
}

function hereDocument(rest: string): readonly [taken: string, document: HereDocument | undefined] {
  const [taken = "<<", tabs, mark, end] = /^<<(-?)[ \t]*(['"\\]?)([\w.-]+)['"]?/.exec(rest) ?? [];
  return [taken, end === undefined ? undefined : { end, quoted: mark !== "", tabs: tabs === "-" }];
}

/** The lines of the here-documents that start here, including their end lines. */
function bodiesAt(text: string, documents: readonly HereDocument[]): string {
  const lines = text.split(/(?<=\n)/);
  let count = 0;
  for (const { end, tabs } of documents) {
    while (count < lines.length && lines[count]!.replace(/\n$/, "").replace(tabs ? /^\t+/ : /^$/, "") !== end) count++;
    count++;
  }
  return lines.slice(0, count).join("");
}
