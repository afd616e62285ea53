import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { RemoteObjects } from "./remote-objects.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Two sides, each with its objects. */
function pair(): { readonly here: RemoteObjects; readonly there: RemoteObjects } {
  const here: RemoteObjects = new RemoteObjects({
    ask: (params) => there.serve(params),
    release: (refs) => there.release(refs),
  });
  const there: RemoteObjects = new RemoteObjects({
    ask: (params) => here.serve(params),
    release: (refs) => here.release(refs),
  });
  return { here, there };
}

const refOf = (encoded: Json): string => String((encoded as JsonObject)["ref"]);

/** Whether a side still holds an object it sent. */
const saved = (side: RemoteObjects, ref: string): Promise<boolean> =>
  side.serve({ ref, args: [] }).then(
    () => true,
    (error: Error) => error.message !== "This object no longer exists.",
  );

async function untilGone(side: RemoteObjects, refs: readonly string[]): Promise<void> {
  for (let round = 0; round < 500; round += 1) {
    collect();
    await turn();
    if (!(await Promise.all(refs.map((ref) => saved(side, ref)))).includes(true)) return;
  }
  assert.fail("Objects without a holder were not released.");
}

test("keeps a shared object alive exactly as long as the other side holds its proxy", async () => {
  const { here, there } = pair();
  const holding = here.encode({ greet: (name: string) => `Hello, ${name}.`, size: 1 });
  const { greet } = there.decode(holding) as { greet(name: string): Promise<string> };
  const dropped = Array.from({ length: 50 }, (_, at) => here.encode(() => at));
  await Promise.all(
    dropped.map(async (encoded, at) => assert.equal(await (there.decode(encoded) as () => Promise<number>)(), at)),
  );
  await untilGone(here, dropped.map(refOf));
  // The method was taken from its object and still works.
  assert.deepEqual([await saved(here, refOf(holding)), await greet("Ada")], [true, "Hello, Ada."]);
});

test("an object sent again during its release stays alive", async () => {
  const { here, there } = pair();
  const shared = (): string => "shared";
  const first = here.encode(shared);
  const again = here.encode(shared);
  assert.deepEqual(first, again);
  here.release({ [refOf(first)]: 1 });
  assert.equal(await (there.decode(again) as () => Promise<string>)(), "shared");
  here.release({ [refOf(first)]: 1 });
  await assert.rejects(here.serve({ ref: refOf(first), args: [] }), /This object no longer exists/);
  // It returns when it crosses once more.
  assert.equal(await (there.decode(here.encode(shared)) as () => Promise<string>)(), "shared");
});

test("a proxy for an object of an ended process does not reach the next process", async () => {
  const { here } = pair();
  const old = refOf(here.encode(() => "old"));
  const next = new RemoteObjects({ ask: async () => null, release: () => undefined });
  next.encode(() => "new");
  await assert.rejects(next.serve({ ref: old, args: [] }), /This object no longer exists/);
  here.releaseAll();
  await assert.rejects(here.serve({ ref: old, args: [] }), /This object no longer exists/);
});
