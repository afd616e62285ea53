import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The owner, and the tables of paths that tools must not touch. */
const ALLOWED = [/^src\/host\/store\//, /^src\/safety\//];
/** A plugin's own database, which is not the store, and the code that removes SQLite for untrusted plugins. */
const OWN_DATABASE =
  /^(plugins\/checkpoints\/snapshot\/snapshot-store|src\/plugin-runtimes\/node\/child\/restrict-process)\.ts$/;
const STORE_FILE = /\b(?:state|index)\.db\b/;
const SQLITE = /node:sqlite|\bDatabaseSync\b/;

// req: R-01
test("row 20: only src/host/store opens the store's files: a close elsewhere would drop SQLite's locks", () => {
  const wrong = [...sources("src"), ...sources("plugins")].flatMap((path) => {
    const name = relative(ROOT, path);
    if (ALLOWED.some((pattern) => pattern.test(name))) return [];
    return codeLines(readFileSync(path, "utf8")).flatMap(({ number, text }) =>
      STORE_FILE.test(text) || (SQLITE.test(text) && !OWN_DATABASE.test(name))
        ? [`${name}:${number}: ${text.trim()}`]
        : [],
    );
  });
  assert.deepEqual(wrong, [], "Use the store or its service (src/host/store) instead of naming or opening its files.");
});

test("the search finds code elsewhere that opens the store's files", () => {
  const found = codeLines(
    '// state.db in a comment\nconst a = open("state.db"); /* index.db\nindex.db */ const b = 1; // index.db\n',
  ).filter(({ text }) => STORE_FILE.test(text));
  assert.deepEqual(
    found.map(({ number }) => number),
    [2],
  );
});

function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.[cm]?[jt]s$/.test(entry.name) &&
        !entry.name.includes(".test.") &&
        !entry.parentPath.includes("node_modules"),
    )
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Lines without comments: documentation may name the files. */
function codeLines(source: string): readonly { readonly number: number; readonly text: string }[] {
  const bare = source
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/(^|[\s;{}(,])\/\/.*$/gm, "$1");
  return bare.split("\n").map((text, index) => ({ number: index + 1, text }));
}
