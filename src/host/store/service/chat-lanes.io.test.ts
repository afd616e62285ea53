import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openChatLanes } from "./chat-lanes.ts";
import { openSqliteStore } from "../facts/open-store.ts";

const TO = { platform: "p", chatId: "c" };

test("resumes an answer that edits its message, but not one sent separately, whose delivery is uncertain and whose doubt waits to be sent", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-lanes-"));
  t.after(() => rmSync(home, { recursive: true }));
  await using store = await openSqliteStore({ home });
  const lanes = await openChatLanes(store, () => 1);
  for (const key of ["into", "apart"]) {
    await lanes.showing(key, `m-${key}`);
    await lanes.finish(undefined, { to: TO, text: key, key });
  }
  const [into, apart] = await lanes.waiting(0);
  assert.deepEqual([into?.edits, apart?.edits], ["m-into", "m-apart"]);
  for (const one of [into, apart]) await lanes.sending(one!.id);
  await lanes.apart(apart!.id);
  assert.deepEqual(
    (await lanes.unsure(({ id, to }) => ({ to, text: "in doubt", key: `doubt:${id}` }))).map(({ key, edits }) => [
      key,
      edits,
    ]),
    [["apart", ""]],
  );
  assert.deepEqual(
    (await lanes.waiting(0)).map(({ key }) => key),
    ["into", `doubt:${apart!.id}`],
  );
});
