import assert from "node:assert/strict";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pruneTypes } from "./published-types.ts";

function written(files: { readonly [name: string]: string }): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "hermes-types-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

test("deletes the declarations that no entry point reaches, with their imports of packages that are not shipped", () => {
  using types = written({
    "plugin.d.ts": 'export * from "./contract/tool.ts";\nexport type { Late } from "./contract/late.js";\n',
    "contract/tool.d.ts":
      '/** `import { x } from "hermes-agent/plugin"` */\nimport type { Stats } from "node:fs";\nexport type T = import("./deep/part.ts").Part | Stats;\n',
    "contract/late.d.ts": "export interface Late {}\n",
    "contract/deep/part.d.ts": "export interface Part {}\n",
    "safety/walk.d.ts": 'import type { Node } from "unbash";\nexport declare function walk(node: Node): void;\n',
  });
  pruneTypes(types.folder, [join(types.folder, "plugin.d.ts")]);
  assert.deepEqual(globSync("**/*.d.ts", { cwd: types.folder }).sort(), [
    "contract/deep/part.d.ts",
    "contract/late.d.ts",
    "contract/tool.d.ts",
    "plugin.d.ts",
  ]);
});

test("names every import that the package cannot resolve, and a missing entry point", () => {
  using types = written({
    "plugin.d.ts": 'import "./gone.ts";\nimport type { Node } from "unbash";\nexport type N = Node;\n',
    "cli.d.ts": "export {};\n",
  });
  const entries = ["plugin.d.ts", "cli.d.ts", "registry.d.ts"].map((name) => join(types.folder, name));
  assert.throws(
    () => pruneTypes(types.folder, entries),
    ({ message }: Error) => {
      assert.deepEqual(message.split("\n  ").sort(), [
        "The published types do not resolve:",
        "package.json names registry.d.ts, which does not exist",
        'plugin.d.ts imports "unbash", which is not shipped',
        "plugin.d.ts names gone.d.ts, which does not exist",
      ]);
      return true;
    },
  );
});
