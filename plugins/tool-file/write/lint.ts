import { quoted } from "hermes-agent/plugin";
import { extensionOf } from "../read/binary-extension.ts";
import type { Place } from "../access/task-files.ts";

/** `message` beside errors: none of them is new. */
export type Lint =
  | { readonly status: "ok" | "error"; readonly output: string; readonly message?: string }
  | { readonly status: "skipped"; readonly message: string };

const LIMIT_MS = 10_000;

/** Formats whose file is of no use unless it parses: a write that would break one is refused. */
export const DATA_FORMATS: ReadonlySet<string> = new Set([".json", ".yaml", ".yml", ".toml"]);

/** Whether a text is well-formed for what its file name says it is. Reads the text, never the file, so it can judge a text before it is written. */
export async function lint(file: string, text: string, place: Place): Promise<Lint> {
  const extension = extensionOf(file);
  switch (extension) {
    case ".json":
      return unlessTemplate(text, lintJson(file, text));
    case ".yaml":
    case ".yml":
      return unlessTemplate(text, await lintYaml(text));
    default: {
      const check = CHECKS[extension];
      return check === undefined
        ? {
            status: "skipped",
            message:
              extension === "" ? "No check for a file without an extension." : `No check for ${extension} files.`,
          }
        : runCheck(check, text, file, place);
    }
  }
}

/** The problems of a new text that the old one did not have. */
export async function lintChange(file: string, before: string | undefined, after: string, place: Place): Promise<Lint> {
  const now = await lint(file, after, place);
  if (now.status !== "error" || before === undefined || before === after) return now;
  const then = await lint(file, before, place);
  if (then.status !== "error") return now;
  const known = new Set(then.output.split("\n").map(withoutNumbers));
  const fresh = now.output.split("\n").filter((line) => !known.has(withoutNumbers(line)));
  // A file that does not parse is not called sound because it did not parse before either.
  return fresh.length === 0
    ? { ...now, message: "None of this is new: the file had it before." }
    : { status: "error", output: fresh.join("\n") };
}

/** Why a change would break a file of data that was sound, or new, and is therefore not made; `undefined` when it may be. */
export async function breaksData(
  file: string,
  before: string | undefined,
  after: string,
  place: Place,
): Promise<string | undefined> {
  if (!DATA_FORMATS.has(extensionOf(file))) return undefined;
  const now = await lint(file, after, place);
  if (now.status !== "error" || (before !== undefined && (await lint(file, before, place)).status === "error"))
    return undefined;
  return `it would not be valid ${extensionOf(file).slice(1)} any more: ${now.output}`;
}

function withoutNumbers(line: string): string {
  return line.replace(/\d+/g, "#");
}

/** What is only text until a template engine has filled it in cannot be judged, and must not be refused. */
function unlessTemplate(text: string, found: Lint): Lint {
  return found.status === "error" && /\{\{|\{%/.test(text)
    ? { status: "skipped", message: "It looks like a template." }
    : found;
}

/** Settings files whose programs allow comments and trailing commas. */
const COMMENTED =
  /(?:^|\/)(?:[jt]sconfig[^/]*|\.eslintrc|\.babelrc|devcontainer|\.?swcrc|deno)\.json$|\/\.(?:vscode|zed)\/[^/]+\.json$/;

function lintJson(file: string, text: string): Lint {
  try {
    JSON.parse(COMMENTED.test(file) ? withoutComments(text) : text);
    return { status: "ok", output: "" };
  } catch (error) {
    return { status: "error", output: (error as Error).message };
  }
}

/** Strings are matched first, so that what looks like a comment in one stays. */
function withoutComments(text: string): string {
  const bare = text.replace(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g,
    (_, string: string | undefined) => string ?? " ",
  );
  return bare.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? "");
}

/** Parsing takes a second and a half for each million, in which nothing else of the process runs. */
const MAX_YAML_CHARS = 500_000;

async function lintYaml(text: string): Promise<Lint> {
  if (text.length > MAX_YAML_CHARS) return { status: "skipped", message: "It is too large to be checked." };
  const { parseAllDocuments } = await import("yaml");
  // Programs differ on a key that comes twice, so it is no reason to refuse a file.
  const documents = parseAllDocuments(text, { logLevel: "silent", customTags: [], uniqueKeys: false });
  const problems = (Array.isArray(documents) ? documents : []).flatMap((document) =>
    document.errors.map((error) => error.message.split("\n")[0]!.replace(/:$/, "")),
  );
  return problems.length === 0
    ? { status: "ok", output: "" }
    : { status: "error", output: problems.slice(0, 5).join("\n") };
}

interface Check {
  readonly program: string;
  /** Reads the text from its input and ends with 0 when it is well-formed. It writes nothing to disk. */
  command(file: string): string;
}

/** How a checker ends that is there and knows nothing of the format yet. */
const TOO_OLD = 69;

const PYTHON = `import ast,sys
try: ast.parse(sys.stdin.buffer.read())
except SyntaxError as e: print(f"SyntaxError: {e.msg} (line {e.lineno}, column {e.offset})"); sys.exit(1)
except ValueError as e: print(f"ValueError: {e}"); sys.exit(1)`;

const TOML = `import sys
try: import tomllib
except ImportError: sys.exit(${TOO_OLD})
try: tomllib.loads(sys.stdin.buffer.read().decode())
except ValueError as e: print(f"{type(e).__name__}: {e}"); sys.exit(1)`;

const TYPESCRIPT = `const m = require("node:module");
if (!m.stripTypeScriptTypes) process.exit(${TOO_OLD});
let t = "";
process.stdin.on("data", (d) => (t += d)).on("end", () => {
  try { m.stripTypeScriptTypes(t, { mode: "transform" }) } catch (e) { console.log(e.message); process.exit(1) }
});`;

const python: Check = { program: "python3", command: () => `python3 -I -c ${quoted(PYTHON)}` };
// A script that is neither clearly a module nor clearly CommonJS passes if it is well-formed as either.
const script: Check = {
  program: "node",
  command: () =>
    't=$(cat; printf x); t=${t%x}; printf %s "$t" | node --check --input-type=module - 2>/dev/null || printf %s "$t" | node --check --input-type=commonjs -',
};
const module: Check = { program: "node", command: () => "node --check --input-type=module -" };
const common: Check = { program: "node", command: () => "node --check --input-type=commonjs -" };
const typed: Check = { program: "node", command: () => `node --no-warnings -e ${quoted(TYPESCRIPT)}` };

const CHECKS: Readonly<Record<string, Check>> = {
  ".py": python,
  ".pyi": python,
  ".toml": { program: "python3", command: () => `python3 -I -c ${quoted(TOML)}` },
  ".js": script,
  ".mjs": module,
  ".cjs": common,
  ".ts": typed,
  ".mts": typed,
  ".cts": typed,
  ".go": { program: "gofmt", command: () => "gofmt -e >/dev/null" },
  ".rs": { program: "rustfmt", command: () => "rustfmt --edition 2021 >/dev/null" },
};

async function runCheck(check: Check, text: string, file: string, place: Place): Promise<Lint> {
  const command = `command -v ${check.program} >/dev/null 2>&1 || exit 127; ${check.command(file)}`;
  const result = await place.run(command, { timeoutMs: LIMIT_MS, stdin: text, maxOutputBytes: 20_000 });
  if (result.endedBy !== "exit")
    return { status: "skipped", message: `${check.program} did not end within ${LIMIT_MS / 1000} s.` };
  if (result.exitCode === 0) return { status: "ok", output: "" };
  if (result.exitCode === 127) return { status: "skipped", message: `${check.program} is not to be had here.` };
  if (result.exitCode === TOO_OLD)
    return {
      status: "skipped",
      message: `The ${check.program} that is here is too old to check ${extensionOf(file)} files.`,
    };
  return { status: "error", output: essence(result.output) };
}

/** The lines that say what is wrong; not the stack of the checker itself. */
function essence(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/^\s+at |^Node\.js v/.test(line));
  return lines.slice(0, 20).join("\n") || "The check failed and said nothing.";
}
