import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Session } from "../../../src/contract/conversation/session.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { scene } from "../support/family.ts";

const NOTES = join(import.meta.dirname, "../../../examples/plugins/notes-memory");
const TURNS = 50;
/** The turns before which something happens. */
const [DIES, RELOADED, BROKEN, REPAIRED, COMPACTED, OTHER_MODEL, FIRST_MODEL] = [4, 8, 14, 18, 24, 32, 40];

const plugin = (tools: readonly string[]): string => `export default (ctx) => {
  for (const name of ${JSON.stringify(tools)}) ctx.tool({ name, toolset: "house", description: "Of the house, " + ${tools.length}, effect: "read", input: { type: "object", properties: {} }, execute: () => name === "leave" ? process.exit(3) : { name } });
};
`;

interface Sent {
  readonly model: string;
  readonly messages: readonly { readonly role: string }[];
  readonly tools: unknown;
}

test("the prefix of a new user's first request has fewer than 3,000 tokens", async (t) => {
  await using server = await startOpenAiServer(() => ({ text: "Hello." }));
  const { session } = await scene(t, server.url);
  await session.send("hi");
  const { messages, tools } = JSON.parse(server.requests[0]!.body) as Sent;
  const { length } = JSON.stringify([messages[0], tools]);
  assert.ok(length / 3.8 < 3_000, `${length} characters`);
});

// A plugin's tools change here; mcp.io.test.ts covers changes by MCP servers.
// req: R-45
test("over fifty turns with memory writes, plugin failures, model changes and a summary, every request has the same prefix", async (t) => {
  await using server = await startOpenAiServer(({ body }, number) => {
    const { messages, tools } = JSON.parse(body) as Sent;
    if (tools === undefined) return { text: "They counted." };
    if (messages.at(-1)!.role === "tool") return { text: `Answer ${number}.` };
    return {
      calls: [
        body.includes(`Question ${DIES} `) && !body.includes(`Question ${DIES + 1} `)
          ? { tool: "leave", args: {} }
          : number % 3 === 0
            ? { tool: "terminal", args: { command: `mkdir -p d${number} && cd d${number}` } }
            : { tool: "probe", args: {} },
      ],
    };
  });
  const place = await scene(t, server.url, {
    extra:
      "plugins:\n  enabled: [house, notes-memory]\nmemory:\n  provider: notes-memory\ncompression:\n  protect_last_n: 2\n",
    setup(user) {
      cpSync(NOTES, join(user.agentHome, "plugins/notes-memory"), { recursive: true });
      user.write("~/.hermes/plugins/house/plugin.yaml", "name: house\nversion: 1.0.0\ndescription: Comes and goes\n");
      user.write("~/.hermes/plugins/house/index.mjs", plugin(["probe", "leave"]));
    },
  });
  const { app, prompter: user } = place;
  let session: Session = place.session;
  const goOnWith = async (name: string): Promise<void> => {
    await session.close("session_boundary");
    session = await app.openSession({
      surface: "cli",
      cwd: user.folder,
      sessionId: session.id,
      model: { provider: "custom", name },
    });
    t.after(() => session[Symbol.asyncDispose]());
  };
  const change = async (code: string): Promise<void> => {
    user.write("~/.hermes/plugins/house/index.mjs", code);
    await app.plugins.reload();
  };
  /** Requests of the conversation, without those for the summary: the test compares their prefixes. */
  const sent = (): readonly Sent[] =>
    server.requests.map(({ body }) => JSON.parse(body) as Sent).filter(({ tools }) => tools !== undefined);
  let summaryAt = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    if (turn === RELOADED) await change(plugin(["probe", "leave", "later"]));
    if (turn === BROKEN) await change("export default () => { throw new Error('broken'); };");
    if (turn === REPAIRED) await change(plugin(["leave", "probe"]));
    if (turn === OTHER_MODEL) await goOnWith("another");
    if (turn === FIRST_MODEL) await goOnWith("loopback");
    if (turn === COMPACTED) {
      assert.ok((await session.compact()) !== undefined);
      summaryAt = sent().length;
    }
    assert.equal((await session.send(`Question ${turn} of the harbour.`)).reason, "done");
  }

  const requests = sent();
  assert.deepEqual(new Set(requests.map(({ messages, tools }) => JSON.stringify([messages[0], tools]))).size, 1);
  assert.deepEqual([...new Set(requests.map(({ model }) => model))], ["loopback", "another"]);
  for (const words of ["Recalled by notes-memory", "ended with status 3", "Unknown tool: probe"])
    assert.ok(
      requests.some(({ messages }) => JSON.stringify(messages).includes(words)),
      words,
    );
  const rewritten = requests.flatMap(({ messages }, at) =>
    at > 0 && !beginsWith(messages, settledPart(requests[at - 1]!)) ? [at] : [],
  );
  assert.deepEqual(rewritten, [summaryAt]);
  assert.ok(JSON.stringify(requests[summaryAt]!.messages).includes("They counted."));
});

/**
 * Without the newest question and what follows it: what a memory recalls for a question stands behind it in this turn's
 * requests only.
 */
function settledPart({ messages }: Sent): readonly unknown[] {
  return messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === "user"),
  );
}

function beginsWith(messages: readonly unknown[], beginning: readonly unknown[]): boolean {
  return JSON.stringify(messages.slice(0, beginning.length)) === JSON.stringify(beginning);
}
