import assert from "node:assert/strict";
import { test } from "node:test";
import { malformedCalls, outcomeOf } from "./malformed-calls.ts";

const ROWS = malformedCalls();

// field: M13
// field: M14
test("malformed calls of all model families are recovered, and none that changes anything is guessed", async () => {
  const wrong: string[] = [];
  for (const row of ROWS) {
    const outcome = await outcomeOf(row);
    try {
      assert.deepEqual(outcome, row.want);
    } catch {
      wrong.push(`${row.id} ${row.form}: ${row.text ?? row.args}: ${JSON.stringify(outcome)}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("there are more than 150 malformed calls, each of a documented form", () => {
  assert.ok(ROWS.length > 150, String(ROWS.length));
  assert.deepEqual(
    ROWS.filter(({ source }) => source === ""),
    [],
  );
  assert.equal(new Set(ROWS.map(({ id }) => id)).size, ROWS.length);
});
