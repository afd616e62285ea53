import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Notice } from "../../../contract/common/notice.ts";
import { dueNotices } from "./daily-notices.ts";

const OLD: Notice = { level: "warning", text: "The store was repaired." };
const NEW: Notice = { level: "info", text: "A setting moved.", hint: "See the guide." };
const BROKEN: Notice = { level: "error", text: "config.yaml is not valid." };

function place() {
  const home = mkdtempSync(join(tmpdir(), "daily-notices-"));
  const file = join(home, "cache/notices-shown.json");
  const due = (
    notices: readonly Notice[],
    {
      when = "daily",
      terminal = true,
      at = new Date(2026, 10, 29, 9),
    }: { when?: string; terminal?: boolean; at?: Date } = {},
  ) => dueNotices({ home, config: { get: () => when } as never }, notices, { terminal, at });
  return { home, file, due, [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }) };
}

// field: C14
test("prints each notice once a day, also a new one beside an old one, and repeats all the next day", () => {
  using made = place();
  assert.deepEqual(made.due([OLD]), [OLD]);
  assert.deepEqual(made.due([OLD]), []);
  assert.deepEqual(made.due([OLD, NEW]), [NEW]);
  assert.deepEqual(made.due([OLD, NEW], { at: new Date(2026, 10, 29, 23, 59) }), []);
  assert.deepEqual(made.due([OLD, NEW], { at: new Date(2026, 10, 30, 0, 1) }), [OLD, NEW]);
  assert.match(readFileSync(made.file, "utf8"), /^\{"day":"2026-11-30","shown":\["[0-9a-f]{16}","[0-9a-f]{16}"\]\}$/);
});

// field: C14
test("prints no notices into a pipe, but always errors, and counts only what was printed", () => {
  using made = place();
  assert.deepEqual(made.due([OLD, BROKEN], { terminal: false }), [BROKEN]);
  assert.equal(existsSync(made.file), false);
  assert.deepEqual(made.due([OLD, BROKEN]), [OLD, BROKEN]);
  assert.deepEqual(made.due([OLD, BROKEN]), [BROKEN]);
  assert.deepEqual(made.due([OLD, NEW], { when: "never" }), []);
  assert.deepEqual(made.due([OLD, NEW], { when: "always", terminal: false }), [OLD, NEW]);
});

// field: C14
test("touches no file without notices; a damaged or read-only file means that notices repeat", () => {
  using made = place();
  assert.deepEqual(made.due([]), []);
  assert.deepEqual(made.due([BROKEN]), [BROKEN]);
  assert.equal(existsSync(join(made.home, "cache")), false);
  made.due([OLD]);
  writeFileSync(made.file, '{"day":');
  assert.deepEqual(made.due([OLD]), [OLD]);
  rmSync(join(made.home, "cache"), { recursive: true });
  writeFileSync(join(made.home, "cache"), "a file where the folder belongs");
  assert.deepEqual([made.due([OLD]), made.due([OLD])], [[OLD], [OLD]]);
});
