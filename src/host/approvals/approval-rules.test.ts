import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import { ApprovalRules } from "./approval-rules.ts";

const NOON = new Date(2026, 10, 23, 12).getTime();

function rulesAt(now: number, settings: { readonly [path: string]: Json }): ApprovalRules {
  return new ApprovalRules({
    config: { get: (path) => settings[path], explain: () => ({ source: "file" }) },
    home: "/home/me",
    agentHome: "/home/me/.hermes",
    now: () => now,
  });
}

// req: R-31
test("an allow rule expires at the end of its day or at its time; a deny rule never expires", () => {
  const settings = {
    command_allowlist: [
      "git status",
      { rule: "npm test", until: "2026-11-23" },
      { rule: "ls *", until: "2026-11-23T12:00:01" },
    ],
    "approvals.deny": [{ rule: "git push*", until: "2020-01-01" }],
  };
  assert.deepEqual(rulesAt(NOON, settings).allowing(), ["git status", "npm test", "ls *"]);
  assert.deepEqual(rulesAt(NOON + 1_000, settings).allowing(), ["git status", "npm test"]);
  assert.deepEqual(rulesAt(new Date(2026, 10, 24).getTime() - 1, settings).allowing(), ["git status", "npm test"]);
  const late = rulesAt(new Date(2026, 10, 24).getTime(), settings);
  assert.deepEqual(late.allowing(), ["git status"]);
  assert.deepEqual(
    late.list().map(({ list, rule, over }) => [list, rule, over]),
    [
      ["allow", "git status", undefined],
      ["allow", "npm test", true],
      ["allow", "ls *", true],
      ["deny", "git push*", undefined],
    ],
  );
});

// req: R-31
test("a rule with an unreadable expiry does not apply", () => {
  for (const until of ["soon", "2026-13-41", 7, true, null, {}])
    assert.throws(
      () => rulesAt(NOON, { command_allowlist: [{ rule: "ls", until }] }).allowing(),
      /The rule "ls" has an unreadable end time/,
      JSON.stringify(until),
    );
});

// req: R-31
test('stores an "always" approval as a rule, with an end date if configured, and replaces an expired rule', () => {
  assert.deepEqual(rulesAt(NOON, {}).remembering("npm test"), { add: ["npm test"], remove: [] });
  assert.deepEqual(rulesAt(NOON, { "approvals.always_days": 30 }).remembering("npm test"), {
    add: [{ rule: "npm test", until: "2026-12-23" }],
    remove: [],
  });
  const old = { "approvals.always_days": 1, command_allowlist: [{ rule: "npm test", until: "2026-11-22" }] };
  assert.deepEqual(rulesAt(NOON, old).remembering("npm test"), {
    add: [{ rule: "npm test", until: "2026-11-24" }],
    remove: ["npm test"],
  });
  assert.deepEqual(
    rulesAt(NOON, { command_allowlist: [{ rule: "npm test", examples: { allow: ["npm test"] } }] }).remembering(
      "npm test",
    ),
    { add: ["npm test"], remove: [] },
  );
});
