import assert from "node:assert/strict";
import { test } from "node:test";
import { distributionNamed, distributions, draw } from "./distributions.ts";

test("draws 100 % always, 0 % never, and others about as often as configured", () => {
  const one = { description: "d", toolsets: { web: 100, file: 30, terminal: 0 } };
  const drawn = Array.from({ length: 1_000 }, (_, item) => draw(one, "seed", String(item)));
  const times = (name: string): number => drawn.filter((names) => names.includes(name)).length;
  assert.deepEqual([times("web"), times("terminal"), times("file") > 250 && times("file") < 350], [1_000, 0, true]);
  assert.deepEqual(
    drawn,
    Array.from({ length: 1_000 }, (_, item) => draw(one, "seed", String(item))),
  );
  assert.notDeepEqual(
    drawn,
    Array.from({ length: 1_000 }, (_, item) => draw(one, "another", String(item))),
  );
});

test("gives an item without toolsets the most probable one", () => {
  const one = { description: "d", toolsets: { web: 1, file: 2, terminal: 1 } };
  const alone = Array.from({ length: 50 }, (_, item) => draw(one, "seed", String(item))).filter(
    (names) => names.length === 1 && names[0] === "file",
  );
  assert.ok(alone.length > 40, String(alone.length));
  assert.deepEqual(draw({ description: "d", toolsets: {} }, "seed", "0"), []);
});

test("adds the user's distributions, merges them with built-in ones of the same name, and rejects an invalid percentage", () => {
  const table = distributions({
    minimal: { toolsets: { my_tool: 40 } },
    mine: { description: "Mine", toolsets: { todo: 100 } },
  });
  assert.deepEqual(
    [table.get("minimal"), table.get("mine")],
    [
      { description: "Only the web", toolsets: { web: 100, my_tool: 40 } },
      { description: "Mine", toolsets: { todo: 100 } },
    ],
  );
  assert.throws(
    () => distributions({ mine: { toolsets: { todo: 101 } } }),
    /batch\.distributions\.mine\.toolsets\.todo is not a percentage/,
  );
  assert.throws(() => distributionNamed("minmal", table), /no distribution "minmal"/);
});
