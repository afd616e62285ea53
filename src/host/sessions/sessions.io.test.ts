import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { quietLog } from "../../testing/quiet-log.ts";
import { resolveHome } from "../environment/home.ts";
import { openSessions } from "./sessions.ts";

test("a store that failed to open is opened on the next request", async () => {
  const root = mkdtempSync(join(tmpdir(), "hermes-sessions-"));
  const inTheWay = join(root, "home");
  writeFileSync(inTheWay, "");
  try {
    await using sessions = openSessions({
      home: resolveHome({ env: { HERMES_HOME: inTheWay }, userHome: root }),
      log: quietLog(),
      mask: (text) => text,
    });
    await assert.rejects(sessions.service.list());
    await assert.rejects(sessions.store());
    rmSync(inTheWay);
    assert.deepEqual(await sessions.service.list(), []);
    await (await sessions.store()).append("s1", [{ type: "session.started", surface: "cli", cwd: "/" }]);
    assert.deepEqual(
      (await sessions.service.list()).map(({ id }) => id),
      ["s1"],
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
