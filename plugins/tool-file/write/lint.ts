import { quoted } from "hermes-agent/plugin";
import { extensionOf } from "../read/binary-extension.ts";
import type { Place } from "../access/task-files.ts";

/** `message` with errors: none of them is new. */
export type Lint =
  | { readonly status: "ok" | "error"; readonly output: string; readonly message?: string }
  | { readonly status: "skipped"; readonly message: string };

const LIMIT_MS = 10_000;

/** Formats that are useless unless they parse: a write that would break such a file is refused. */
export const DATA_FORMATS: ReadonlySet<string> = new Set([".json", ".yaml", ".yml", ".toml"]);

/**
 * Checks whether a text is well-formed for its file name. Reads the text, not the file, so it can check before the
 * write.
 */
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
              extension === ""
                ? "Not checked: the file has no extension."
                : `Not checked: no checker for ${extension} files.`,
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
  // A file that still does not parse is not valid, even if it was invalid before.
  return fresh.length === 0
    ? { ...now, message: "The file had all of these errors before." }
    : { status: "error", output: fresh.join("\n") };
}

/** Why a change is refused: it would break a data file that is valid or new; `undefined` if it is allowed. */
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
  return `it would no longer be valid ${extensionOf(file).slice(1)}: ${now.output}`;
}

function withoutNumbers(line: string): string {
  return line.replace(/\d+/g, "#");
}

/** A template cannot be checked before its engine has filled it in, so it must not be refused. */
function unlessTemplate(text: string, found: Lint): Lint {
  return found.status === "error" && /\{\{|\{%/.test(text)
    ? { status: "skipped", message: "Not checked: it looks like a template." }
    : found;
}

/** JSON files whose programs allow comments and trailing commas. */
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

/** Matches strings first, so that comment markers in strings stay. */
function withoutComments(text: string): string {
  const bare = text.replace(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g,
    (_, string: string | undefined) => string ?? " ",
  );
  return bare.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? "");
}

/** Parsing blocks the process for about 1.5 s for each million characters. */
const MAX_YAML_CHARS = 500_000;

async function lintYaml(text: string): Promise<Lint> {
  if (text.length > MAX_YAML_CHARS) return { status: "skipped", message: "Not checked: it is too large." };
  const { parseAllDocuments } = await import("yaml");
  // Programs disagree about duplicate keys, so they are not a reason to refuse a file.
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
  /** Reads the text from stdin and exits with 0 if it is well-formed. Writes nothing to disk. */
  command(file: string): string;
}

/** Exit status of a checker that is too old to support the format. */
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
// An ambiguous script passes if it is well-formed as a module or as CommonJS.
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
    return { status: "skipped", message: `${check.program} timed out after ${LIMIT_MS / 1000} s.` };
  if (result.exitCode === 0) return { status: "ok", output: "" };
  if (result.exitCode === 127) return { status: "skipped", message: `Not checked: ${check.program} is not installed.` };
  if (result.exitCode === TOO_OLD)
    return {
      status: "skipped",
      message: `Not checked: the installed ${check.program} is too old for ${extensionOf(file)} files.`,
    };
  return { status: "error", output: essence(result.output) };
}

/** The error lines without the checker's own stack trace. */
function essence(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/^\s+at |^Node\.js v/.test(line));
  return lines.slice(0, 20).join("\n") || "The check failed without a message.";
}
