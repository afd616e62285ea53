import assert from "node:assert/strict";
import { test } from "node:test";
import { checkStore } from "../../src/host/store/repair/check-store.ts";
import { setTimeout as wait } from "node:timers/promises";
import { faultHome, integrity, seeded, startWriter, text, textsOf } from "./store-home.ts";
import { Stopwatch } from "../../src/testing/stopwatch.ts";

// req: R-01
test("row 17, crowd: fifty processes that start at once on a new home get no lock error and lose no row", async () => {
  await using warm = faultHome();
  await startWriter("crowd", warm.home, "first", "1").ended;
  await using place = faultHome();
  const service = await place.open();
  const own = (async () => {
    for (let index = 0; index < 100; index++) {
      await service.append("shared", [text(`service:${index}`)]);
      await wait(20);
    }
  })();
  const writers = Array.from({ length: 50 }, (_, name) => startWriter("crowd", place.home, String(name), "5"));
  for (const writer of writers) assert.deepEqual(await writer.ended, { code: 0, complaint: "" });
  await own;
  const shared = textsOf(await Array.fromAsync(service.read("shared")));
  const expected = [
    ...Array.from({ length: 100 }, (_, index) => `service:${index}`),
    ...Array.from({ length: 250 }, (_, at) => `${Math.floor(at / 5)}:${at % 5}`),
  ];
  assert.deepEqual(shared.toSorted(), expected.toSorted());
  for (let name = 0; name < 50; name++) {
    const words = textsOf(await Array.fromAsync(service.read(`own-${name}`)));
    assert.deepEqual(
      words,
      Array.from({ length: 5 }, (_, index) => `${name}:${index}`),
    );
  }
  assert.equal(integrity(place.path), "ok");
});

// req: R-03
test("row 13, killed: forty kills at random points lose nothing acknowledged and duplicate nothing", async () => {
  await using place = faultHome();
  const random = seeded(20260921);
  const acknowledged: string[] = [];
  for (let round = 0; round < 20; round++) {
    const pair = [0, 1].map((half) => startWriter("endless", place.home, `${round}.${half}`));
    // Some die while they open or create the file (row 12), most while they write.
    if (round % 5 !== 0) await Promise.all(pair.map(({ first }) => first));
    await Promise.all(
      pair.map(async (writer) => {
        await wait(random() * (round % 5 === 0 ? 120 : 60));
        writer.child.kill("SIGKILL");
        assert.equal((await writer.ended).code, "SIGKILL");
        acknowledged.push(...writer.lines);
      }),
    );
    const watch = new Stopwatch();
    const store = await place.open();
    watch.assertWithin(1_000, "opening");
    await store[Symbol.asyncDispose]();
  }
  assert.ok(acknowledged.length >= 32, `${acknowledged.length} appends were acknowledged`);
  const store = await place.open();
  const found: string[] = [];
  for (const session of await store.sessionIds()) {
    const words = textsOf(await Array.fromAsync(store.read(session)));
    words.forEach((token, at) => {
      if (at % 2 === 1) return;
      assert.ok(words[at + 1]?.startsWith(`${token}+`), "no append is torn");
      found.push(token);
    });
  }
  assert.equal(new Set(found).size, found.length, "no duplicate");
  assert.deepEqual(
    acknowledged.filter((token) => !found.includes(token)),
    [],
    "nothing lost",
  );
  assert.ok(found.length <= acknowledged.length + 40, "at most the one in flight of each process");
  assert.equal(integrity(place.path), "ok");
});

test("row 22: two processes that work in one session do not interleave their turns", async () => {
  await using place = faultHome();
  const writers = ["one", "two"].map((name) => startWriter("turns", place.home, name, "60"));
  for (const writer of writers) assert.deepEqual(await writer.ended, { code: 0, complaint: "" });
  const store = await place.open();
  const words = textsOf(await Array.fromAsync(store.read("shared")));
  assert.equal(words.length, 360);
  for (let at = 0; at < words.length; at += 3) {
    const turn = words[at]?.replace(/:start$/, "");
    assert.deepEqual(words.slice(at, at + 3), [`${turn}:start`, `${turn}:middle`, `${turn}:end`]);
  }
});

test("row 17: an append waits for the process that holds the lock, and reports when that takes too long", async () => {
  await using place = faultHome();
  const patient = await place.open({ waitMs: 120_000 });
  const hasty = await place.open({ waitMs: 400 });
  await patient.append("a", [text("before")]);
  const holder = startWriter("hold", place.home);
  await holder.first;
  const waiting = patient.append("a", [text("patient")]);
  await assert.rejects(hasty.append("b", [text("hasty")]), {
    trouble: "busy",
    message: /stayed locked by another process; this step is saved in/,
  });
  holder.child.stdin!.end();
  await waiting;
  assert.equal((await holder.ended).code, 0);
  await hasty.append("b", [text("again")]);
  assert.deepEqual(textsOf(await Array.fromAsync(patient.read("a"))), ["before", "patient"]);
  assert.deepEqual(textsOf(await Array.fromAsync(patient.read("b"))), ["again"]);
});

// req: R-05
test("row 17: if a write timed out because the store was locked, the next start appends it once, unless the session has newer rows", async () => {
  await using place = faultHome();
  const hasty = await place.open({ waitMs: 100 });
  await hasty.append("fits", [text("before")]);
  await hasty.append("went-on", [text("before")]);
  const held = await hasty.lease("held", "me");
  assert.ok("fence" in held);
  const holder = startWriter("hold", place.home);
  await holder.first;
  const busy = { trouble: "busy", message: /this step is saved in/ };
  await assert.rejects(hasty.append("fits", [text("one"), text("two")], { expect: 1 }), busy);
  await assert.rejects(hasty.append("fits", [text("three")]), busy);
  await assert.rejects(hasty.append("went-on", [text("late")], { expect: 1 }), busy);
  await assert.rejects(hasty.append("held", [text("mine")], { expect: 0 }), busy);
  holder.child.stdin!.end();
  assert.equal((await holder.ended).code, 0);
  await hasty.append("went-on", [text("meanwhile")], { expect: 1 });

  const next = await place.open();
  assert.deepEqual(textsOf(await Array.fromAsync(next.read("fits"))), ["before", "one", "two", "three"]);
  assert.deepEqual(textsOf(await Array.fromAsync(next.read("went-on"))), ["before", "meanwhile"]);
  assert.equal(await next.lastSeq("held"), 0);
  assert.match(
    (await checkStore(place.home)).find(({ name }) => name === "steps not stored")?.detail ?? "",
    /^1 wait for the next start; 1 no longer fit/,
  );
  await held[Symbol.asyncDispose]();
  const last = await place.open();
  assert.deepEqual(textsOf(await Array.fromAsync(last.read("held"))), ["mine"]);
  assert.deepEqual(textsOf(await Array.fromAsync(last.read("fits"))), ["before", "one", "two", "three"]);
});

test("frees the session of a killed process at once, marks it interrupted, and fences with a higher number", async () => {
  await using place = faultHome();
  const doomed = startWriter("die", place.home, "s");
  await doomed.first;
  const store = await place.open();
  assert.deepEqual(await store.interrupted(), [], "another process is writing");
  assert.ok("heldBy" in (await store.lease("s", "me")));
  doomed.child.kill("SIGKILL");
  await doomed.ended;
  assert.deepEqual(await store.interrupted(), ["s"]);
  const lease = await store.lease("s", "me");
  assert.ok("fence" in lease);
  assert.equal(lease.fence, 2);
  await lease[Symbol.asyncDispose]();
});
