import assert from "node:assert/strict";
import { test } from "node:test";
import { replace } from "../../src/edit/replace.ts";
import { NEAR_MISSES } from "./near-misses.ts";

test("the near misses are at least 200 in ten languages, and each language has edits to apply and to refuse", () => {
  assert.ok(NEAR_MISSES.length >= 200, String(NEAR_MISSES.length));
  const languages = Map.groupBy(NEAR_MISSES, ({ language }) => language);
  const both = [...languages.values()].filter((rows) => new Set(rows.map(({ expect }) => expect)).size === 2);
  assert.ok(both.length >= 10, String(both.length));
});

for (const [language, rows] of Map.groupBy(NEAR_MISSES, (row) => row.language)) {
  // field: F03, F04, F05
  test(`an edit that differs in blanks, quotes or escapes is applied as intended, any other is refused: ${language}`, () => {
    const wrong = rows.flatMap((row) => {
      const { path, why, file, old, new: fresh } = row;
      const replaced = replace(file, old, fresh, { path });
      const intended =
        row.expect === "refuse"
          ? replaced.kind !== "replaced"
          : replaced.kind === "replaced" &&
            replaced.text === row.result &&
            (row.strategy === undefined || replaced.strategy === row.strategy);
      return intended
        ? []
        : [{ why, file, old, fresh, expected: row.expect === "apply" ? row.result : "refused", replaced }];
    });
    assert.deepEqual(wrong, []);
  });
}
