import type { Grammar, Grammars } from "highlight.js/lib/core";

/** What a piece of code is, for its colour. */
export type CodeToken = "keyword" | "string" | "number" | "comment" | "name" | "type" | "added" | "removed" | "plain";

/** A piece of one line. */
export interface CodePiece {
  readonly token: CodeToken;
  readonly text: string;
}

/** Longer code is shown in one colour, so that drawing it takes no time. */
const MAX_CHARACTERS = 20_000;

interface Language {
  readonly default: Grammar;
}

/** The languages that models write most, by the name that highlight.js gives them. */
const LANGUAGES: { readonly [name: string]: () => Promise<Language> } = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  nix: () => import("highlight.js/lib/languages/nix"),
  perl: () => import("highlight.js/lib/languages/perl"),
  php: () => import("highlight.js/lib/languages/php"),
  powershell: () => import("highlight.js/lib/languages/powershell"),
  python: () => import("highlight.js/lib/languages/python"),
  r: () => import("highlight.js/lib/languages/r"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scala: () => import("highlight.js/lib/languages/scala"),
  shell: () => import("highlight.js/lib/languages/shell"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

const ALIASES: { readonly [alias: string]: string } = {
  "c++": "cpp",
  "c#": "csharp",
  cjs: "javascript",
  console: "shell",
  cs: "csharp",
  docker: "dockerfile",
  golang: "go",
  h: "c",
  hpp: "cpp",
  htm: "xml",
  html: "xml",
  js: "javascript",
  jsonc: "json",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  mjs: "javascript",
  patch: "diff",
  ps1: "powershell",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  svg: "xml",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  yml: "yaml",
  zsh: "bash",
};

const TOKENS: { readonly [scope: string]: CodeToken } = {
  addition: "added",
  attr: "name",
  attribute: "name",
  built_in: "type",
  bullet: "keyword",
  class: "type",
  comment: "comment",
  deletion: "removed",
  doctag: "comment",
  keyword: "keyword",
  literal: "number",
  meta: "comment",
  name: "keyword",
  number: "number",
  property: "name",
  quote: "comment",
  regexp: "string",
  section: "name",
  selector: "keyword",
  string: "string",
  subst: "plain",
  symbol: "number",
  tag: "plain",
  template: "name",
  title: "name",
  type: "type",
  variable: "name",
};

/** Splits code into coloured pieces. A language's grammar is loaded when code of that language is first shown. */
export class Highlighter {
  readonly #loaded: () => void;
  readonly #grammars = new Map<string, "loading" | "missing" | Grammars>();

  /** @param loaded Called when a grammar has arrived, so that code that was shown without colours is drawn again. */
  constructor(loaded: () => void) {
    this.#loaded = loaded;
  }

  /**
   * The lines of the code.
   * @param language As written behind the fence: `ts`, `python title="a.py"`.
   * @returns `undefined` while its grammar is loading, if it is unknown, and for very long code.
   */
  lines(code: string, language: string): readonly (readonly CodePiece[])[] | undefined {
    const word = /^[\w+#-]+/.exec(language.toLowerCase())?.[0] ?? "";
    const name = ALIASES[word] ?? word;
    const load = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined;
    if (load === undefined || code.length > MAX_CHARACTERS) return undefined;
    const grammar = this.#grammars.get(name);
    if (grammar === undefined) void this.#load(name, load);
    if (typeof grammar !== "object") return undefined;
    return linesOf(grammar.highlight(code, { language: name, ignoreIllegals: true }).value);
  }

  async #load(name: string, load: () => Promise<Language>): Promise<void> {
    this.#grammars.set(name, "loading");
    try {
      const [{ default: hljs }, { default: grammar }] = await Promise.all([import("highlight.js/lib/core"), load()]);
      hljs.registerLanguage(name, grammar);
      this.#grammars.set(name, hljs);
      this.#loaded();
    } catch {
      this.#grammars.set(name, "missing"); // The code is shown in one colour.
    }
  }
}

/** The pieces of highlighted HTML: text, `<span class="hljs-title function_">` and `</span>`, nested. */
function linesOf(html: string): readonly (readonly CodePiece[])[] {
  const lines: CodePiece[][] = [[]];
  const open: CodeToken[] = [];
  for (const [, scope, close, text] of html.matchAll(
    /<span class="(?:hljs|language)-(\w+)[^"]*">|(<\/span>)|([^<]+)/g,
  )) {
    if (scope !== undefined) open.push(TOKENS[scope] ?? open.at(-1) ?? "plain");
    else if (close !== undefined) open.pop();
    else
      for (const [at, part] of decoded(text ?? "")
        .split("\n")
        .entries()) {
        if (at > 0) lines.push([]);
        if (part !== "") lines.at(-1)?.push({ token: open.at(-1) ?? "plain", text: part });
      }
  }
  return lines;
}

const ENTITIES: { readonly [entity: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, entity: string) => ENTITIES[entity] ?? "");
}
