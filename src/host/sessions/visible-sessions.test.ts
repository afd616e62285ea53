import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recorded } from "../../contract/conversation/fact.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import type { SessionSummary } from "../../contract/services/session-service.ts";
import { visibleSessions } from "./visible-sessions.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

type Sessions = PluginContext["sessions"];

const ALL = [
  { id: "s3", surface: "telegram", turns: 0, messages: 0, whose: "eve" },
  { id: "s2", surface: "telegram", turns: 2, messages: 4, whose: "eve" },
  { id: "s1", surface: "cli", turns: 1, messages: 2 },
] as unknown as readonly SessionSummary[];

/** The service of an agent with conversations of its owner and of Eve. */
function world(now: { whose: string | undefined }) {
  const asked: unknown[] = [];
  const of = (whose: string | undefined) => ALL.filter((one) => whose === undefined || one.whose === whose);
  const service: Sessions = {
    list: async (options) => (asked.push(["list", options]), of(options?.whose)),
    search: async (words, options) => (
      asked.push(["search", words, options]),
      of(options?.whose).map((session) => ({ session, seq: 1, role: "user", snippet: words, at: 0 }))
    ),
    find: async (id) =>
      ALL.find((one) => one.id === id) ??
      Promise.reject(id === "broken" ? new Error("the disk is gone") : new UserError(`"${id}" may be s1, s2 or s3.`)),
    latest: async (surface) => (asked.push(["latest", surface]), ALL[0]),
    async *facts(id) {
      const found = ALL.find((one) => one.id === id);
      if (found === undefined) return;
      const { surface, whose } = found;
      yield {
        seq: 1,
        at: 0,
        v: 1,
        fact: { type: "session.started", surface, cwd: "/", whose },
      };
      yield { seq: 2, at: 0, v: 1, fact: { type: "turn.started", turnId: "t" } };
    },
    branch: async (id) => ({ ...ALL[0]!, id: `branch of ${id}` }),
  };
  return { asked, sessions: visibleSessions(service, async () => now.whose) };
}

const ids = (found: readonly SessionSummary[]) => found.map(({ id }) => id);
const facts = (sessions: Sessions, id: string): Promise<readonly Recorded[]> => Array.fromAsync(sessions.facts(id));
const NOT_THERE = { code: "not_found", message: 'No session has the id or title "s1".' };

test("the owner's plugin sees all sessions, and may request any user's", async () => {
  const { sessions, asked } = world({ whose: undefined });
  assert.deepEqual(ids(await sessions.list({ limit: 5 })), ["s3", "s2", "s1"]);
  assert.deepEqual(ids(await sessions.list({ whose: "eve" })), ["s3", "s2"]);
  assert.equal((await sessions.latest("cli"))?.id, "s3");
  assert.equal((await sessions.find("s1")).id, "s1");
  assert.equal((await sessions.branch("s1")).id, "branch of s1");
  assert.equal((await facts(sessions, "s1")).length, 2);
  assert.deepEqual(asked, [
    ["list", { limit: 5 }],
    ["list", { whose: "eve" }],
    ["latest", "cli"],
  ]);
});

test("in another user's chat only that user's sessions are visible, whatever a plugin requests", async () => {
  const { sessions, asked } = world({ whose: "eve" });
  assert.deepEqual(ids(await sessions.list({ whose: "ada", limit: 3 })), ["s3", "s2"]);
  assert.deepEqual(ids((await sessions.search("word", { whose: "ada" })).map(({ session }) => session)), ["s3", "s2"]);
  assert.equal((await sessions.latest())?.id, "s2");
  assert.equal((await sessions.find("s2")).id, "s2");
  assert.equal((await sessions.branch("s2")).id, "branch of s2");
  assert.equal((await facts(sessions, "s2")).length, 2);
  assert.deepEqual(await facts(sessions, "unwritten"), []);
  assert.deepEqual(withoutUndefined(asked), [
    ["list", { limit: 3, whose: "eve" }],
    ["search", "word", { whose: "eve" }],
    ["list", { whose: "eve" }],
  ]);
});

test("reports another user's session as not found, but passes on other failures", async () => {
  const { sessions } = world({ whose: "eve" });
  await assert.rejects(sessions.find("s1"), NOT_THERE);
  await assert.rejects(sessions.find("s"), { code: "not_found", message: 'No session has the id or title "s".' });
  await assert.rejects(sessions.branch("s1"), NOT_THERE);
  await assert.rejects(facts(sessions, "s1"), NOT_THERE);
  await assert.rejects(sessions.find("broken"), { message: "the disk is gone" });
});

test("reading a session's facts uses the access rights of the moment it was requested", async () => {
  const now: { whose: string | undefined } = { whose: "eve" };
  const { sessions } = world(now);
  const asked = sessions.facts("s1");
  now.whose = undefined;
  await assert.rejects(Array.fromAsync(asked), NOT_THERE);
});
