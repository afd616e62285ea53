import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openApiLedger } from "./api-ledger.ts";
import { openSqliteStore } from "../facts/open-store.ts";

test("finds an accepted request until it is finished and old, and a conversation's last position", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-ledger-"));
  t.after(() => rmSync(home, { recursive: true }));
  let now = 1;
  {
    await using store = await openSqliteStore({ home });
    const ledger = await openApiLedger(store, () => now);
    await ledger.accept("run_a", "s1");
    await ledger.accept("run_b", "s2");
    await ledger.finish("run_b");
    await ledger.notePoints(["x", "y"], { sessionId: "s1", seq: 4 });
    await ledger.notePoints(["y"], { sessionId: "s2", seq: 9 });
  }
  await using store = await openSqliteStore({ home });
  now = 10;
  const ledger = await openApiLedger(store, () => now);
  assert.deepEqual(await ledger.unfinished(), [{ inputId: "run_a", sessionId: "s1", at: 1 }]);
  assert.deepEqual(await ledger.accepted("run_b"), { inputId: "run_b", sessionId: "s2", at: 1 });
  assert.deepEqual(
    [await ledger.point("x"), await ledger.point("y"), await ledger.point("z")],
    [{ sessionId: "s1", seq: 4 }, { sessionId: "s2", seq: 9 }, undefined],
  );
  await ledger.prune({ inputsBefore: 5, pointsBefore: 1 });
  assert.deepEqual(
    [await ledger.accepted("run_b"), (await ledger.accepted("run_a"))?.sessionId, (await ledger.point("x"))?.seq],
    [undefined, "s1", 4],
  );
  // Accepting it again makes it open again.
  await ledger.accept("run_a", "s3");
  assert.deepEqual(await ledger.unfinished(), [{ inputId: "run_a", sessionId: "s3", at: 10 }]);
});
