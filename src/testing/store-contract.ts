import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Fact, Recorded } from "../contract/conversation/fact.ts";
import { StoreConflict, type Lease, type SessionStore } from "../contract/conversation/store.ts";

/** One place where facts lie, fresh for each test. */
export interface StorePlace extends AsyncDisposable {
  /**
   * The store as one process sees it; called twice it gives a second process' view, or the same store when there can be
   * only one.
   */
  open(): Promise<SessionStore>;
  /** Makes the session's holder look gone, as if its lease had expired. */
  expire(sessionId: string): Promise<void>;
}

/**
 * The contract of every session store, as tests.
 * @param makePlace Called for each test; disposed after it, with everything that was opened.
 */
export function storeContract(name: string, makePlace: () => Promise<StorePlace>): void {
  describe(`store contract: ${name}`, { timeout: 600_000 }, () => {
    test("returns facts unchanged, in order, numbered from 1 without gaps", async () => {
      await using place = await makePlace();
      const store = await place.open();
      const first = await store.append("a", [started(), text("one")]);
      const second = await store.append("a", [text("two — ünïcödé 部署 \ud83d\ude80 \ud800 \u0000")]);
      const facts = await all(store, "a");
      assert.deepEqual(
        facts.map(({ seq, v, fact }) => ({ seq, v, fact })),
        [
          { seq: 1, v: 1, fact: started() },
          { seq: 2, v: 1, fact: text("one") },
          { seq: 3, v: 1, fact: text("two — ünïcödé 部署 \ud83d\ude80 \ud800 \u0000") },
        ],
      );
      assert.deepEqual(facts, [...first, ...second]);
      assert.equal(await store.lastSeq("a"), 3);
    });

    test("reads from a given number, over more than one page", async () => {
      await using place = await makePlace();
      const store = await place.open();
      await store.append(
        "a",
        Array.from({ length: 700 }, (_, index) => text(`${index + 1}`)),
      );
      const rest = await all(store, "a", 10);
      assert.equal(rest.length, 690);
      assert.deepEqual(
        rest.map(({ seq }) => seq),
        Array.from({ length: 690 }, (_, index) => index + 11),
      );
      assert.deepEqual(await all(store, "a", 700), []);
    });

    test("stores only the last draft of an answer per session, and not as a fact", async () => {
      await using place = await makePlace();
      const store = await place.open();
      if (store.saveDraft === undefined || store.draft === undefined) return;
      assert.equal(await store.draft("a"), undefined);
      await store.append("a", [started()]);
      await store.saveDraft("a", { requestId: "r1", text: "The" });
      await store.saveDraft("b", { requestId: "r9", text: "another" });
      await store.saveDraft("a", { requestId: "r1", text: "The weasel — 漢字" });
      const other = await place.open();
      assert.deepEqual(await other.draft?.("a"), { requestId: "r1", text: "The weasel — 漢字" });
      assert.equal((await all(store, "a")).length, 1);
      assert.equal(await store.draft("c"), undefined);
    });

    test("an unknown session is empty and has position 0", async () => {
      await using place = await makePlace();
      const store = await place.open();
      assert.deepEqual(await all(store, "nobody"), []);
      assert.equal(await store.lastSeq("nobody"), 0);
    });

    test("sessions do not see each other", async () => {
      await using place = await makePlace();
      const store = await place.open();
      await Promise.all([
        store.append("a", [text("a1")]),
        store.append("b", [text("b1")]),
        store.append("a", [text("a2")]),
      ]);
      assert.deepEqual(
        (await all(store, "a")).map(({ fact }) => fact),
        [text("a1"), text("a2")],
      );
      assert.deepEqual(
        (await all(store, "b")).map(({ fact }) => fact),
        [text("b1")],
      );
    });

    test("an append that expects another last number writes nothing and reports the conflict", async () => {
      await using place = await makePlace();
      const store = await place.open();
      await store.append("a", [text("one")], { expect: 0 });
      await assert.rejects(store.append("a", [text("two"), text("three")], { expect: 0 }), StoreConflict);
      assert.equal(await store.lastSeq("a"), 1);
      await store.append("a", [text("two")], { expect: 1 });
      assert.equal(await store.lastSeq("a"), 2);
    });

    test("stores nothing of a batch if one of its facts cannot be stored", async () => {
      await using place = await makePlace();
      const store = await place.open();
      const circular: { [key: string]: unknown } = {};
      circular["self"] = circular;
      await assert.rejects(store.append("a", [text("one"), { type: "state.set", key: "k", value: circular as never }]));
      assert.equal(await store.lastSeq("a"), 0);
      await store.append("a", [text("one")]);
      assert.equal(await store.lastSeq("a"), 1);
    });

    test("of two concurrent appends with the same expectation one wins and the other gets a conflict", async () => {
      await using place = await makePlace();
      const [one, two] = [await place.open(), await place.open()];
      const ends = await Promise.allSettled([
        one.append("a", [text("one")], { expect: 0 }),
        two.append("a", [text("two")], { expect: 0 }),
      ]);
      assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
      assert.equal((await all(one, "a")).length, 1);
    });

    test("concurrent appenders lose and duplicate nothing, and each one's order stays", async () => {
      await using place = await makePlace();
      const stores = [await place.open(), await place.open(), await place.open()];
      const writers = stores.flatMap((store, who) =>
        Array.from({ length: 30 }, (_, index) =>
          store.append("a", [text(`${who}:${index}:a`), text(`${who}:${index}:b`)]),
        ),
      );
      await Promise.all(writers);
      const texts = (await all(await place.open(), "a")).map(({ fact }) => textOfFact(fact));
      assert.equal(texts.length, 180);
      assert.equal(new Set(texts).size, 180);
      for (let at = 0; at < texts.length; at += 2)
        assert.equal(texts[at + 1], texts[at]?.replace(/a$/, "b"), "a batch stays together");
      for (const who of [0, 1, 2]) {
        const order = texts
          .filter((each) => each.startsWith(`${who}:`) && each.endsWith("a"))
          .map((each) => Number(each.split(":")[1]));
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
        );
      }
    });

    test("a reader never sees part of a batch while others write", async () => {
      await using place = await makePlace();
      const [writer, reader] = [await place.open(), await place.open()];
      const writing = (async () => {
        for (let index = 0; index < 40; index++) await writer.append("a", [text("x"), text("y"), text("z")]);
      })();
      for (let look = 0; look < 20; look++) {
        const seen = await all(reader, "a");
        assert.equal(seen.length % 3, 0);
        assert.deepEqual(
          seen.map(({ seq }) => seq),
          seen.map((_, index) => index + 1),
        );
      }
      await writing;
      assert.equal((await all(reader, "a")).length, 120);
    });

    test("only one holder has a session's lease, until it releases the lease", async () => {
      await using place = await makePlace();
      const [one, two] = [await place.open(), await place.open()];
      const first = held(await one.lease("a", "first"));
      const refused = await two.lease("a", "second");
      assert.ok("heldBy" in refused);
      assert.equal(refused.heldBy, "first");
      assert.ok(refused.untilAt > 0);
      await first[Symbol.asyncDispose]();
      assert.equal(first.lost.aborted, false, "releasing a lease does not count as losing it");
      const second = held(await two.lease("a", "second"));
      assert.ok(second.fence > first.fence);
      await second[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
    });

    test("leases of different sessions are independent", async () => {
      await using place = await makePlace();
      const store = await place.open();
      await using a = held(await store.lease("a", "me"));
      await using b = held(await store.lease("b", "me"));
      await store.append("a", [text("one")], { fence: a.fence });
      await store.append("b", [text("one")], { fence: b.fence });
    });

    test("a holder that lost the session to another cannot write, and gets an error", async () => {
      await using place = await makePlace();
      const [one, two] = [await place.open(), await place.open()];
      const zombie = held(await one.lease("a", "zombie"));
      await one.append("a", [text("before")], { fence: zombie.fence });
      await place.expire("a");
      const heir = held(await two.lease("a", "heir"));
      assert.ok(heir.fence > zombie.fence);
      await assert.rejects(one.append("a", [text("late")], { fence: zombie.fence }), StoreConflict);
      assert.equal(zombie.lost.aborted, true);
      await two.append("a", [text("after")], { fence: heir.fence });
      assert.deepEqual(
        (await all(two, "a")).map(({ fact }) => fact),
        [text("before"), text("after")],
      );
      await zombie[Symbol.asyncDispose]();
      assert.ok(
        "heldBy" in (await one.lease("a", "third")),
        "releasing a lost lease does not release the new holder's lease",
      );
      await heir[Symbol.asyncDispose]();
    });

    test("a turn that started and did not end counts as interrupted, unless a process holds it", async () => {
      await using place = await makePlace();
      const store = await place.open();
      await store.append("ended", [
        started(),
        { type: "turn.started", turnId: "t" },
        { type: "turn.ended", turnId: "t", reason: "done" },
      ]);
      await store.append("open", [started(), { type: "turn.started", turnId: "t" }]);
      await store.append("open", [text("and more")]);
      await store.append("again", [
        started(),
        { type: "turn.started", turnId: "t" },
        { type: "turn.ended", turnId: "t", reason: "done" },
        { type: "turn.started", turnId: "u" },
      ]);
      assert.deepEqual([...(await store.interrupted())].sort(), ["again", "open"]);
      const lease = held(await store.lease("open", "me"));
      assert.deepEqual(await store.interrupted(), ["again"]);
      await store.append("open", [{ type: "turn.ended", turnId: "t", reason: "cancelled" }], { fence: lease.fence });
      await lease[Symbol.asyncDispose]();
      assert.deepEqual(await store.interrupted(), ["again"]);
    });
  });
}

function started(): Fact {
  return { type: "session.started", surface: "cli", cwd: "/work" };
}

function text(words: string): Fact {
  return { type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text: words }] };
}

function textOfFact(fact: Fact): string {
  const part = fact.type === "message.added" ? fact.parts[0] : undefined;
  return part?.type === "text" ? part.text : "";
}

function held(answer: Awaited<ReturnType<SessionStore["lease"]>>): Lease {
  assert.ok("fence" in answer, "the session is free");
  return answer;
}

async function all(store: SessionStore, sessionId: string, after?: number): Promise<Recorded[]> {
  return Array.fromAsync(store.read(sessionId, after));
}
