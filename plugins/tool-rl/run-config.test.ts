import assert from "node:assert/strict";
import { test } from "node:test";
import { runConfig } from "./run-config.ts";

test("writes a run's configuration as YAML with exact values, including small numbers and special characters", () => {
  assert.equal(
    runConfig({
      env: { rate: 0.0000001, big: 1.5e300, name: 'yes: "no"\u2028😀\x7f', list: [1, { a: null }] },
      openai: [{ weight: 1 }],
      empty: {},
      slurm: false,
    }),
    '"env":\n  "rate": 1.0e-07\n  "big": 1.5e+300\n  "name": "yes: \\"no\\"\\u2028\\U0001f600\\u007f"\n  "list": [1, {"a": null}]\n"openai": [{"weight": 1}]\n"empty": {}\n"slurm": false\n',
  );
});
