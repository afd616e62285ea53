/**
 * `npm run same-syntax -- REVISION [REVISION]`: shows that two revisions contain the same program, for commits that
 * only format.
 * Compares the syntax tree of every TypeScript and JavaScript file, the value of every JSON file, and the syntax tree
 * of every Python file.
 * The second revision defaults to the working tree. Exits with 1 and lists the files that differ.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseSync } from "rolldown/utils";

const root = join(import.meta.dirname, "..");
const [before, after] = process.argv.slice(2);
if (before === undefined) {
  console.error("Usage: npm run same-syntax -- REVISION [REVISION]");
  process.exit(2);
}

const files = git("ls-tree", "-r", "--name-only", before)
  .split("\n")
  .filter((file) => /\.([cm]?[jt]s|json|py)$/.test(file));
const counts = new Map<string, number>();
const differing = files.filter((file) => {
  const [old, now] = [git("show", `${before}:${file}`), readAfter(file)];
  const kind = file.slice(file.lastIndexOf(".") + 1);
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return now === undefined || (old !== now && !isSameProgram(file, old, now));
});
for (const file of differing) console.error(`${file}: the syntax differs`);
const sum = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
console.log(`${files.length} files compared (${sum}), ${differing.length} differ.`);
process.exitCode = differing.length === 0 ? 0 : 1;

function isSameProgram(file: string, old: string, now: string): boolean {
  if (file.endsWith(".json")) return isDeepStrictEqual(JSON.parse(old), JSON.parse(now));
  if (file.endsWith(".py")) return pythonTree(old) === pythonTree(now);
  return isDeepStrictEqual(tree(file, old), tree(file, now));
}

/** The syntax tree without positions, parentheses and the spelling of literals. */
function tree(file: string, text: string): unknown {
  const { program, errors } = parseSync(file, text, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  return bare(program);
}

function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare);
  if (typeof node !== "object" || node === null || node instanceof RegExp) return node;
  const entries = Object.entries(node).filter(
    ([key]) => !["start", "end", "range", "raw", "loc", "comments"].includes(key),
  );
  // The formatter may add or remove quotes around a key without a change of meaning.
  const isQuotedKey = "key" in node && "computed" in node && node.computed === false;
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isQuotedKey && key === "key" ? keyName(value) : bare(value)]),
  );
}

function keyName(key: unknown): unknown {
  const { type, name, value } = key as { readonly type: string; readonly name?: string; readonly value?: unknown };
  if (type === "Identifier") return name;
  return type === "Literal" ? String(value) : bare(key);
}

function pythonTree(text: string): string {
  return execFileSync("python3", ["-c", "import ast,sys; print(ast.dump(ast.parse(sys.stdin.read())))"], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1e9,
  });
}

function readAfter(file: string): string | undefined {
  if (after !== undefined) return git("show", `${after}:${file}`);
  return existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined;
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1e9 });
}
