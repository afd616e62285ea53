import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { stampFiles } from "./plugin-files.ts";
import { variablesNamed } from "./variables-named.ts";

test("finds the variables that a plugin's code names, in either language", (t) => {
  const dir = mkdtempSync(join(tmpdir(), "hermes-named-"));
  t.after(() => rmSync(dir, { recursive: true }));
  writeFileSync(
    join(dir, "__init__.py"),
    `import os\n# os.environ["REMARK"]\na = os.environ.get("A_KEY"), os.getenv('B_KEY', ""), os.environ["C_KEY"], os.environ.get(name)\nget_env_value("D_KEY")\n`,
  );
  writeFileSync(
    join(dir, "more.ts"),
    `const a = process.env.E_KEY ?? process.env["F_KEY"] ?? ctx.env("G_KEY");\n// process.env.REMARK\n`,
  );
  writeFileSync(join(dir, "more.test.ts"), "process.env.OF_A_TEST;\n");
  assert.deepEqual(variablesNamed({ dir, files: stampFiles(dir) }), [
    "A_KEY",
    "B_KEY",
    "C_KEY",
    "D_KEY",
    "E_KEY",
    "F_KEY",
    "G_KEY",
  ]);
});
