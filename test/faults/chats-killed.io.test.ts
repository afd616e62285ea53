import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startChatServer } from "../../examples/plugins/loopback-chat/chat-server.ts";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";
import type { SqliteStore } from "../../src/host/store/facts/sqlite-store.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import { died, startGateway } from "./gateway-process.ts";

const KILLS = Number(process.env["HERMES_TEST_CHAT_KILLS"] ?? 12);
const ROOMS = 10;
/** A message of these tests; Hermes's notices about interrupted turns also match. */
const MESSAGE = /message (\d+x\d+|last\d+|one|two|three|four)\b/g;
/** What a chat reads when it is unknown what became of a message. */
const DOUBT = /do not know|Send it again/;

/** A model that answers `message 7` with `answer 7`, a chat server, and a home. */
async function scene() {
  const stack = new AsyncDisposableStack();
  const model = stack.use(
    await startOpenAiServer(({ body }) => ({ text: `answer ${[...body.matchAll(MESSAGE)].at(-1)?.[1]}` })),
  );
  const chat = stack.use(await startChatServer());
  const user = stack.use(new NewUser());
  user.connect("custom", model.url, "display:\n  busy_input_mode: queue\n");
  return {
    model,
    chat,
    user,
    async answered(room: string, id: string): Promise<void> {
      await chat.write(room, "ada", `message ${id}`, id);
      await waitFor(() => chat.shown(room).includes(`answer ${id}`), {
        what: `the chat "${room}" reads the answer ${id}`,
        timeoutMs: 60_000,
        state: () => chat.shown(room).join("\n"),
      });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

// field: S01
// rows 1 and 2 of the fault matrix
for (const point of ["after:receive", "after:hand", "before:noteChat", "after:noteChat"])
  test(`kill -9 at ${point}, before a new chat's first fact: the message is answered and the chat continues`, async () => {
    await using world = await scene();
    const { chat, user } = world;
    const killed = await startGateway(chat.port, user, point, "message one");
    await chat.write("room", "ada", "message one", "one");
    await died(killed);
    const gateway = await startGateway(chat.port, user);
    try {
      await world.answered("room", "one");
      await world.answered("room", "two");
      await chat.write("room", "ada", "/new", "new");
      await world.answered("room", "three");
      assert.equal(chat.shown("room").filter((text) => text === "answer one").length, 1);
    } finally {
      gateway.kill("SIGKILL");
    }
  });

type Loss = readonly [what: string, lose: (store: SqliteStore, user: NewUser) => unknown];
const drop =
  (...tables: readonly string[]) =>
  (store: SqliteStore): Promise<void> =>
    store.transaction((file) => {
      for (const table of tables) file.database.exec(`DELETE FROM ${table}`);
    });
const LOSSES: readonly Loss[] = [
  ["hermes sessions delete removed its session", removedByCommand],
  ["its session was pruned", async (store) => store.remove([...(await store.sessionIds())])],
  ["its session has no facts but a row", drop("facts")],
  ["its session has facts but no row", drop("sessions")],
  ["the chat's session is not stored", drop("chat_sessions")],
  ["the chat's messages are not stored", drop("chat_inbox", "chat_outbox", "chat_shows")],
  ["no lease was ever taken", drop("leases")],
  ["the index of sessions is gone", (_, user) => rmSync(join(user.agentHome, "index.db"), { force: true })],
];

async function removedByCommand(store: SqliteStore, user: NewUser): Promise<void> {
  for (const id of await store.sessionIds())
    assert.equal((await user.run(["sessions", "delete", id, "--yes"])).status, 0);
}

// field: S01
test("a chat answers, runs /new and answers again after any row that it refers to is gone", async (t) => {
  for (const [what, lose] of LOSSES)
    await t.test(what, async () => {
      await using world = await scene();
      const { chat, user } = world;
      const before = await startGateway(chat.port, user);
      await world.answered("room", "one");
      before.kill("SIGKILL");
      await died(before);
      {
        await using store = await openSqliteStore({ home: user.agentHome });
        await lose(store, user);
      }
      let gateway = await startGateway(chat.port, user);
      try {
        await world.answered("room", "two");
        await chat.write("room", "ada", "/new", "new");
        await world.answered("room", "three");
        gateway.kill("SIGKILL");
        await died(gateway);
        gateway = await startGateway(chat.port, user);
        await world.answered("room", "four");
      } finally {
        gateway.kill("SIGKILL");
      }
    });
});

// field: S01
// rows 1, 2, 13 and 40 of the fault matrix
test(
  `kill -9 at ${KILLS} seeded steps of a gateway: every chat continues, and each accepted message is answered or reported as unknown`,
  { timeout: 3_600_000 },
  async () => {
    await using world = await scene();
    const { chat, user } = world;
    const random = seeded(20_261_128);
    const sent: { readonly room: string; readonly id: string }[] = [];
    const deliver = async (messages: typeof sent): Promise<void> => {
      for (const { room, id } of messages) await chat.write(room, "ada", `message ${id}`, id);
    };
    /** What a platform delivers again: the newest messages, and those that no gateway lived long enough to accept. */
    const again = async (): Promise<typeof sent> => {
      await using store = await openSqliteStore({ home: user.agentHome });
      const accepted = await store.lookup((file) => file.statement("SELECT message_id FROM chat_inbox").all());
      const ids = new Set(accepted.map((row) => row["message_id"]));
      return sent.filter(({ id }, at) => at >= sent.length - 6 || !ids.has(id));
    };
    for (let kill = 0; kill < KILLS; kill++) {
      const missing = kill === 0 ? [] : await again();
      const gateway = await startGateway(chat.port, user, `step:${1 + Math.floor(random() * 20)}`);
      await deliver(missing);
      const fresh = [0, 1, 2].map((nth) => ({ room: `room${(kill * 3 + nth) % ROOMS}`, id: `${kill}x${nth}` }));
      sent.push(...fresh);
      await deliver(fresh);
      await Promise.race([died(gateway), Promise.all(fresh.map(({ room, id }) => world.answered(room, id)))]);
      gateway.kill("SIGKILL");
      await died(gateway);
    }
    const missing = await again();
    const last = await startGateway(chat.port, user);
    try {
      await deliver(missing);
      for (let room = 0; room < ROOMS; room++) await world.answered(`room${room}`, `last${room}`);
    } finally {
      last.kill("SIGKILL");
      await died(last);
    }
    await using store = await openSqliteStore({ home: user.agentHome });
    const rows = (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
      store.lookup((file) => file.statement(sql).all());
    for (let at = 0; at < ROOMS; at++) {
      const room = `room${at}`;
      const shown = chat.shown(room);
      const without = sent.filter((one) => one.room === room && !shown.includes(`answer ${one.id}`));
      const doubts = shown.filter((text) => DOUBT.test(text));
      assert.ok(
        without.length <= doubts.length,
        JSON.stringify(
          [without, doubts.length, shown, await rows(`SELECT * FROM chat_outbox WHERE chat_id = '${room}'`)],
          undefined,
          2,
        ),
      );
      assert.deepEqual(
        shown.filter((text, index) => text.startsWith("answer") && shown.indexOf(text) !== index),
        [],
        "no answer arrives twice",
      );
    }
    assert.deepEqual(await rows("SELECT id, state FROM chat_inbox WHERE state <> 'done'"), []);
  },
);

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
