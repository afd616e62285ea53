import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { editablePackages } from "./editable-packages.ts";
import { unchanged } from "../discovery/plugin-files.ts";
import { manifest, setUp } from "../plugins-fixture.ts";
import { findPythonPlugins } from "./python-packages.ts";
import { quietLog } from "../../../testing/quiet-log.ts";

const about = (name: string, entry: string) => ({
  [`site/${name}-1.0.dist-info/METADATA`]: `Name: ${name}\nVersion: 1.0\n`,
  [`site/${name}-1.0.dist-info/entry_points.txt`]: `[hermes_agent.plugins]\n${name} = ${entry}\n`,
});

test("an editable package is found at its source with its manifest, and each change of it is noticed", async (t) => {
  const place = setUp(t, {
    ...about("dice", "dice.plugin"),
    ...about("cards", "cards:register"),
    ...about("coin", "coin"),
    ...about("lost", "lost"),
    "site/__editable__.dice-1.0.pth": "src\n",
    "site/distutils-precedence.pth": "import os; os.environ\n# a note\n\n",
    "site/src/dice/plugin.yaml": manifest("dice", "requires_env: [DICE_KEY]\n"),
    "site/src/dice/plugin.py": "def register(ctx): pass\n",
    "site/src/coin.py": "def register(ctx): pass\n",
    "elsewhere/cards/__init__.py": "def register(ctx): pass\n",
  });
  place.write({
    "site/__editable___cards_1_0_finder.py": `import sys\nMAPPING: dict[str, str] = {'cards': '${join(place.path, "elsewhere/cards")}'}\nNAMESPACES: dict[str, list[str]] = {}\n`,
  });
  const site = join(place.path, "site");
  const find = editablePackages(site);
  assert.deepEqual(
    ["dice", "coin", "cards", "lost"].map((name) => find(name)),
    [join(site, "src/dice"), join(site, "src/coin.py"), join(place.path, "elsewhere/cards"), undefined],
  );

  const list = async () =>
    Object.fromEntries((await findPythonPlugins({ python: "python3", site }, quietLog())).map((one) => [one.key, one]));
  const found = await list();
  assert.deepEqual(
    Object.entries(found).map(
      ([
        key,
        {
          dir,
          manifest: { requires_env },
        },
      ]) => [key, dir.slice(place.path.length + 1), requires_env.map(({ name }) => name)],
    ),
    [
      ["cards", "elsewhere/cards", []],
      ["coin", "site", []],
      ["dice", "site/src/dice", ["DICE_KEY"]],
      ["lost", "site", []],
    ],
  );
  place.write({
    "site/src/dice/plugin.py": "def register(ctx): print()\n",
    "site/src/coin.py": "def register(ctx): print()\n",
  });
  const changed = await list();
  assert.deepEqual(
    [unchanged(found["coin"]!.dir, found["coin"]!.files), unchanged(changed["coin"]!.dir, changed["coin"]!.files)],
    [false, true],
  );
  assert.deepEqual(
    ["cards", "coin", "dice"].map((key) => JSON.stringify(found[key]!.files) === JSON.stringify(changed[key]!.files)),
    [true, false, false],
  );
});
