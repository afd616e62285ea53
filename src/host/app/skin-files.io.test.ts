import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skinFiles } from "./skin-files.ts";

test("reads colours from the home's skin files; an invalid one reports why and does not affect the others", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-skins-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  assert.deepEqual(await skinFiles(home), [], "no folder, no skins");
  mkdirSync(join(home, "skins"));
  const files = {
    "moss.yaml": 'description: Moss\ncolors:\n  ui_accent: "#7a9a4f"\n  status_bar_bg: "#000000"\nspinner: {}\n',
    "escape.yaml": 'colors:\n  ui_ok: "\\e[2J"\n',
    "list.yml": "colors: [red]\n",
    "torn.yaml": "colors: {\n",
    "empty.yaml": "",
    "notes.txt": "no skin",
    "Bad Name.yaml": "colors: {}\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, "skins", name), text);
  const skins = await skinFiles(home);
  assert.deepEqual(
    skins.map(({ name, description, colors }) => [name, description, colors]),
    [
      ["empty", "", {}],
      ["escape", "", {}],
      ["list", "", {}],
      ["moss", "Moss", { ui_accent: "#7a9a4f" }],
      ["torn", "", {}],
    ],
  );
  const problems = new Map(skins.map(({ name, problem }) => [name, problem]));
  assert.deepEqual([problems.get("moss"), problems.get("empty")], [undefined, undefined]);
  assert.match(problems.get("escape")!, /escape\.yaml: "colors\.ui_ok" must be a colour like "#4caf50"\.$/);
  assert.match(problems.get("list")!, /list\.yml: "colors" must be a map/);
  assert.match(problems.get("torn")!, /torn\.yaml: /);
});
