import type { Document, YAMLError, YAMLMap } from "yaml";

/** Explains without parser terms why a text is not YAML. `offset` is the position in the text. */
export interface YamlMistake {
  readonly offset: number;
  readonly text: string;
}

/**
 * The mistakes that can be fixed one by one: each duplicate key, and the first of any other kind, since the parser
 * guesses after that.
 */
export function yamlMistakes(document: Document.Parsed, lineOf: (offset: number) => number): readonly YamlMistake[] {
  const rest = document.errors.findIndex(({ code }) => code !== "DUPLICATE_KEY");
  const output = rest < 0 ? document.errors : document.errors.slice(0, rest + 1);
  return output.map((error) => ({
    offset: error.pos[0],
    text: error.code === "DUPLICATE_KEY" ? twice(document, error.pos[0], lineOf) : inWords(error),
  }));
}

/** Errors that appear only when aliases (`*name`) are resolved. */
export function aliasMistake(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const unknown = /^Unresolved alias .*: (.+)$/.exec(text)?.[1];
  if (unknown !== undefined) return `The alias *${unknown} is undefined: no &${unknown} precedes it.`;
  if (/circular structure/.test(text)) return "An alias (*name) is inside the value that it names.";
  return /alias count/.test(text) ? "Its aliases (*name) expand to more data than any settings need." : `${text}.`;
}

const WORDS: { readonly [code in YAMLError["code"]]?: string } = {
  TAB_AS_INDENT: "This line is indented with a tab. Indent with spaces.",
  MULTIPLE_DOCS: "A line with --- starts a second document here. The file must contain only one.",
  BAD_INDENT: "This line is not indented like the other lines of its block.",
  MULTILINE_IMPLICIT_KEY: "A key has no colon, or no space after the colon. Write key: value.",
  BLOCK_AS_IMPLICIT_KEY: "A value that contains a colon needs quotes, or the next line is indented too far.",
  UNEXPECTED_TOKEN: "Text follows the end of a value. Is there a quote too many, or one too few?",
};

function inWords({ code, message }: YAMLError): string {
  if (/call stack|Stack overflow/.test(message)) return "It is nested too deeply.";
  if (message.startsWith("Flow ")) return "A { or [ before this is not closed.";
  if (message.startsWith("Missing closing")) return "A quote before this is not closed.";
  const first = /start with .*character (.)$/.exec(message)?.[1];
  if (first !== undefined) return `A value that begins with ${first} needs quotes.`;
  return WORDS[code] ?? `${message.split("\n")[0]!.replace(/[.:]?$/, "")}.`;
}

function twice(document: Document.Parsed, offset: number, lineOf: (offset: number) => number): string {
  const found = twins(document.contents, offset);
  return found === undefined
    ? "A key occurs twice here."
    : `"${found.name}" occurs twice. The first is in line ${lineOf(found.first)}.`;
}

/** The map in which a key begins at `offset`, and where its first namesake begins. */
function twins(node: unknown, offset: number): { readonly name: string; readonly first: number } | undefined {
  const items = (node as YAMLMap | null)?.items;
  if (!Array.isArray(items)) return undefined;
  const keys = items.map((item) => (item as { key?: { value?: unknown; range?: readonly number[] } }).key);
  const name = keys.find((key) => key?.range?.[0] === offset)?.value;
  const first = keys.find((key) => key?.value === name)?.range?.[0];
  if (name !== undefined && first !== undefined) return { name: String(name), first };
  for (const item of items) {
    const found = twins((item as { value?: unknown }).value ?? item, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}
