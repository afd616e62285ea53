import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Home } from "../environment/home.ts";
import { openConsents } from "./consents.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const AT = Date.UTC(2030, 0, 2, 3, 4, 5);

function place(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), "hermes-consent-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const file = join(path, "shell-hooks-allowlist.json");
  const script = join(path, "guard.sh");
  writeFileSync(script, "exit 0\n");
  chmodSync(script, 0o755);
  const home = { path, file: (...parts: readonly string[]) => join(path, ...parts) } as Home;
  return {
    file,
    script,
    consents: openConsents(home, path, () => AT),
    read: () => JSON.parse(readFileSync(file, "utf8")) as { readonly approvals: readonly Record<string, unknown>[] },
  };
}

// req: hooks.accept-hooks, R-34
test("consent covers one event, one command and the content of its script", (t) => {
  const { consents, script, file, read } = place(t);
  const hook = { event: "pre_tool_call", command: `${script} --strict` };
  assert.deepEqual(withoutUndefined(consents.of(hook.event, hook.command)), { consent: "missing" });
  consents.give([hook]);
  assert.deepEqual(withoutUndefined(consents.of(hook.event, hook.command)), {
    consent: "given",
    agreedAt: "2030-01-02T03:04:05.000Z",
  });
  assert.equal(consents.of("post_tool_call", hook.command).consent, "missing");
  assert.equal(consents.of(hook.event, script).consent, "missing");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(Object.keys(read().approvals[0]!), [
    "approved_at",
    "command",
    "event",
    "script_mtime_at_approval",
    "script_sha256",
  ]);
  const { atime, mtime } = statSync(script);
  writeFileSync(script, "exit 1\n");
  utimesSync(script, atime, mtime);
  assert.equal(
    consents.of(hook.event, hook.command).consent,
    "changed",
    "the content changed, although the modification time did not",
  );
  writeFileSync(script, "exit 0\n");
  assert.equal(consents.of(hook.event, hook.command).consent, "given");
  rmSync(script);
  assert.equal(consents.of(hook.event, hook.command).consent, "changed");
});

test("consent also covers the content of a script behind an interpreter, in the home or inside a shell line", (t) => {
  const { consents, script } = place(t);
  for (const command of [`/usr/bin/env bash ${script}`, "~/guard.sh", `cd /tmp && ${script}; true`]) {
    consents.give([{ event: "on_session_end", command }]);
    assert.equal(consents.of("on_session_end", command).consent, "given");
    const before = readFileSync(script);
    writeFileSync(script, "exit 7\n");
    assert.equal(consents.of("on_session_end", command).consent, "changed", command);
    writeFileSync(script, before);
  }
});

test("the original's list is read: an unchanged script and an entry by hand count, a touched script does not; other entries stay", (t) => {
  const { consents, script, file, read } = place(t);
  const then = statSync(script)
    .mtime.toISOString()
    .replace(/\.\d+Z$/, ".123456Z");
  writeFileSync(
    file,
    JSON.stringify({
      approvals: [
        { event: "a", command: script, approved_at: "2026-01-01T00:00:00Z", script_mtime_at_approval: then },
        { event: "b", command: script },
        { event: "c", command: script, script_mtime_at_approval: "2020-01-01T00:00:00Z" },
        "junk",
      ],
    }),
  );
  assert.deepEqual(withoutUndefined(consents.of("a", script)), {
    consent: "given",
    unbound: true,
    agreedAt: "2026-01-01T00:00:00Z",
  });
  assert.deepEqual(withoutUndefined(consents.of("b", script)), { consent: "given", unbound: true });
  assert.equal(consents.of("c", script).consent, "changed");
  consents.give([{ event: "a", command: script, agreedAt: "2026-01-01T00:00:00Z" }]);
  assert.deepEqual(withoutUndefined(consents.of("a", script)), { consent: "given", agreedAt: "2026-01-01T00:00:00Z" });
  assert.deepEqual(
    read().approvals.map(({ event }) => event),
    ["b", "c", "a"],
  );
  assert.equal(consents.revoke(script), 3);
  assert.equal(consents.revoke(script), 0);
  assert.equal(consents.of("a", script).consent, "missing");
});

// row 48 of the fault matrix
test("an unreadable consent file approves no shell hook", (t) => {
  const { consents, script, file } = place(t);
  for (const text of ["{", "[]", '{"approvals":{}}', "null"]) {
    writeFileSync(file, text);
    assert.equal(consents.of("a", script).consent, "missing", text);
  }
});
