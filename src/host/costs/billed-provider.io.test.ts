import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { ModelClient, ModelEnd, ModelEvent, ModelRequest, Usage } from "../../contract/providers/model.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { IS_PAID, type SlotName } from "../../contract/plugins/slot-name.ts";
import { quietLog, withoutUndefined } from "../../testing/index.ts";
import { openSqliteStore } from "../store/facts/open-store.ts";
import { costQueries } from "../store/service/cost-queries.ts";
import { RequestLedger } from "../store/service/request-ledger.ts";
import { SlotRegistry } from "../tools/slots.ts";
import { BudgetKeeper } from "./budget-keeper.ts";
import { billedClient } from "./billed-client.ts";
import { billedProvider, PAID_METHODS } from "./billed-provider.ts";
import { RequestCosts, type PlaceOfRequest } from "./request-costs.ts";
import { SessionOrigins } from "./session-origins.ts";

const USAGE: Usage = {
  inputTokens: 1_000_000,
  outputTokens: 100_000,
  cacheReadTokens: 200_000,
  cacheWriteTokens: 300_000,
  cacheWrite1hTokens: 100_000,
  reasoningTokens: 40_000,
};

/** A registry over a real store whose providers enter their requests into the ledger. */
async function openScene() {
  const home = mkdtempSync(join(tmpdir(), "hermes-ledger-"));
  const store = await openSqliteStore({ home });
  const ledger = new RequestLedger(store);
  const origins = new SessionOrigins();
  let place: PlaceOfRequest | undefined;
  let limits: JsonObject = {};
  const costs = new RequestCosts({
    clock: { now: () => 1_000 },
    log: quietLog(),
    origins,
    budgets: new BudgetKeeper({
      origins,
      config: (path) => (path === "budgets" ? limits : undefined),
      raise: (...args) => ledger.raise(...args),
    }),
    ledger: async () => ledger,
    place: () => place,
  });
  const slots = new SlotRegistry({ log: quietLog(), config: () => undefined });
  slots.billBy((slot, id, provider) => billedProvider(slot, id, provider, costs));
  return {
    origins,
    costs,
    store,
    limit: (to: JsonObject) => void (limits = to),
    at: (where: PlaceOfRequest) => void (place = where),
    rows: () => costQueries(async () => store).rows(),
    async use<S extends SlotName>(slot: S, provider: object) {
      slots.add(slot, { id: "lab", label: undefined, data: {}, load: async () => provider as never }, "test");
      return slots.use(slot, "lab");
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      rmSync(home, { recursive: true });
    },
  };
}

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: "claude-sonnet-4-5",
  system: "",
  tools: [],
  messages: [{ role: "user", parts: [{ type: "image", mediaType: "image/png", data: "" }] }],
  sessionId: "s",
  ...more,
});

function client(...ends: readonly ModelEnd[]): ModelClient {
  const left = [...ends];
  return {
    async *stream() {
      yield { type: "text.delta", text: "…" };
      const end = left.shift();
      if (end !== undefined) yield end;
    },
  };
}

const answer = (more: object = {}): ModelEnd => ({
  type: "end",
  kind: "answer",
  parts: [],
  finish: "stop",
  usage: USAGE,
  ...more,
});
const failure = (code: "rate_limit" | "network", more: object = {}, usage?: Usage): ModelEnd => ({
  type: "end",
  kind: "failure",
  failure: { code, message: "", retryable: true, ...more },
  usage,
});

async function send(of: ModelClient, asked = request()): Promise<readonly ModelEvent[]> {
  return Array.fromAsync(of.stream(asked, new AbortController().signal));
}

// field: M19
test("writes a request's row before sending, and adds tokens, cost and recipient afterwards", async () => {
  await using scene = await openScene();
  scene.origins.opened("top", { user: "telegram:7", job: "nightly" });
  scene.origins.turn("top", "turn_1");
  scene.origins.openedBelow("child", "top");
  let before: readonly object[] = [];
  const provider = await scene.use("model", {
    id: "lab",
    keyEnv: ["KEY"],
    connect: (): ModelClient => ({
      async *stream() {
        before = await scene.rows();
        yield answer();
      },
    }),
  });
  const purpose = { kind: "subagent", sessionId: "child", turnId: "turn_2", requestId: "r1" };
  const [end] = await send(provider.connect({ model: "" }), request({ purpose }));
  const row = {
    id: 1,
    at: 1_000,
    kind: "subagent",
    provider: "lab",
    model: "claude-sonnet-4-5",
    sessionId: "child",
    topSessionId: "top",
    turnId: "turn_2",
    requestId: "r1",
    user: "telegram:7",
    job: "nightly",
    images: 1,
  };
  const none = { inputTokens: 0, cachedTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, reasoningTokens: 0 };
  assert.deepEqual(before.map(withoutUndefined), [{ ...row, ...none, outputTokens: 0, state: "open" }]);
  // 500,000 plain, 200,000 read, 200,000 written for 5 minutes, 100,000 for an hour, 100,000 out.
  const costUsd = 1.5 + 0.06 + 0.75 + 0.6 + 1.5;
  assert.deepEqual((await scene.rows()).map(withoutUndefined), [
    {
      ...row,
      endedAt: 1_000,
      state: "answered",
      inputTokens: 1_000_000,
      cachedTokens: 200_000,
      cacheWrite5mTokens: 200_000,
      cacheWrite1hTokens: 100_000,
      reasoningTokens: 40_000,
      outputTokens: 100_000,
      costUsd,
      priceSource: "table",
    },
  ]);
  assert.equal(end?.type === "end" && end.kind === "answer" && end.costUsd, costUsd);
});

test("a request's row shares the transaction of its facts, or has its own without facts", async () => {
  await using scene = await openScene();
  const { store } = scene;
  /** Another connection sees only what is committed. */
  const committed = (): number => {
    using other = new DatabaseSync(store.path, { readOnly: true });
    return Number(other.prepare("SELECT count(*) AS n FROM requests").get()?.["n"]);
  };
  const seen: (readonly number[])[] = [];
  const billed = billedClient(client(answer(), answer(), answer()), { provider: "lab", prices: "table" }, scene.costs);
  await send(billed); // Makes the table.
  const facts = (): Promise<void> =>
    store.transaction((file) => {
      const within = Number(file.statement("SELECT count(*) AS n FROM requests").get()?.["n"]);
      seen.push([within, committed()]);
    });
  await send(billed, request({ store: facts }));
  assert.deepEqual(seen, [[2, 1]]);
  let before = 0;
  await send(
    billedClient(
      {
        async *stream() {
          before = committed();
          yield answer();
        },
      },
      { provider: "lab", prices: "table" },
      scene.costs,
    ),
    request({ store: () => Promise.resolve() }),
  );
  assert.equal(before, 3);
  assert.deepEqual(
    (await scene.rows()).map(({ state }) => state),
    ["answered", "answered", "answered"],
  );
});

test("stores facts even if their request's row cannot be written, and then sends nothing", async () => {
  await using scene = await openScene();
  const { store } = scene;
  await store.transaction((file) =>
    file.database.exec("CREATE TABLE requests (id INTEGER); CREATE TABLE budget_raises (usd REAL)"),
  );
  let sent = false;
  const billed = billedClient(
    {
      async *stream() {
        sent = true;
        yield answer();
      },
    },
    { provider: "lab", prices: "table" },
    scene.costs,
  );
  const facts = async (): Promise<void> =>
    void (await store.append("s", [{ type: "session.started", surface: "cli", cwd: "/" }]));
  const [end] = await send(billed, request({ store: facts }));
  assert.match(
    end?.type === "end" && end.kind === "failure" ? end.failure.message : "",
    /could not be entered into the ledger of requests: .*requests/,
  );
  assert.deepEqual([sent, await store.lastSeq("s")], [false, 1]);
});

test("prefers the provider's own figure; unknown costs stay unknown; refusals and local models cost nothing", async () => {
  await using scene = await openScene();
  const half = { ...USAGE, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0 };
  const ends = [
    answer({ costUsd: 0.25 }),
    failure("rate_limit", { status: 429 }),
    failure("network", { sent: false }),
    failure("network"),
    failure("network", {}, half),
  ];
  const priced = billedClient(client(...ends), { provider: "lab", prices: "table" }, scene.costs);
  for (const _ of ends) await send(priced);
  for (const prices of ["unknown", "free"] as const)
    await send(billedClient(client(answer()), { provider: "lab", prices }, scene.costs));
  assert.deepEqual(
    (await scene.rows()).map(({ state, costUsd, priceSource, failure: why }) => [state, costUsd, priceSource, why]),
    [
      ["answered", 0.25, "provider", undefined],
      ["failed", 0, "unbilled", "rate_limit"],
      ["failed", 0, "unbilled", "network"],
      ["failed", undefined, undefined, "network"],
      ["failed", 3, "partial", "network"],
      ["answered", undefined, undefined, undefined],
      ["answered", 0, "free", undefined],
    ],
  );
});

test("a request whose reader stops is completed, and one resent with another key gets its own row", async () => {
  await using scene = await openScene();
  const billed = billedClient(client(answer(), answer()), { provider: "lab", prices: "table" }, scene.costs);
  const stop = new AbortController();
  for await (const event of billed.stream(request({ purpose: { kind: "turn" } }), stop.signal)) {
    stop.abort();
    assert.equal(event.type, "text.delta");
    break;
  }
  const again = request({ purpose: { kind: "turn" } });
  await send(billed, again);
  await send(billed, again);
  assert.deepEqual(
    (await scene.rows()).map(({ kind, state, failure: why, costUsd }) => [kind, state, why, costUsd === undefined]),
    [
      ["turn", "failed", "cancelled", true],
      ["turn", "answered", undefined, false],
      ["retry", "answered", undefined, false],
    ],
  );
});

test("sends nothing if the ledger cannot be written", async () => {
  await using scene = await openScene();
  let sent = false;
  const never: ModelClient = {
    async *stream() {
      sent = true;
      yield answer();
    },
  };
  await scene.store[Symbol.asyncDispose]();
  const [end] = await send(billedClient(never, { provider: "lab", prices: "table" }, scene.costs));
  assert.ok(end?.type === "end" && end.kind === "failure");
  assert.match(
    end.failure.message,
    /was not sent, because it could not be entered into the ledger of requests: .*closed/,
  );
  assert.deepEqual([end.failure.retryable, sent], [false, false]);
});

// field: M19
test("every paid method of every slot writes a row for its call, and keeps its object and its result", async () => {
  await using scene = await openScene();
  scene.at({ sessionId: "s", turnId: "t", tool: "a_tool" });
  class Service {
    readonly id = "lab";
    readonly name = "lab";
    #secret = "mine";
    async ask(...args: readonly unknown[]) {
      return { from: this.#secret, args };
    }
  }
  const kinds: string[] = [];
  const paid = Object.entries(IS_PAID).flatMap(([slot, is]) => (is ? [slot] : []));
  assert.deepEqual(Object.keys(PAID_METHODS).sort(), paid.sort(), "every paid slot names its methods");
  for (const [slot, methods] of Object.entries(PAID_METHODS).filter(([name]) => name !== "model"))
    for (const [method, kind] of Object.entries(methods)) {
      class One extends Service {}
      Object.defineProperty(One.prototype, method, { value: Service.prototype.ask });
      await using other = await openScene();
      other.at({ sessionId: "s", turnId: "t", tool: "a_tool" });
      const provider = (await other.use(slot as SlotName, new One())) as unknown as {
        readonly [name: string]: (...args: readonly unknown[]) => Promise<unknown>;
      };
      assert.deepEqual(await provider[method]!("x", { model: "m" }), { from: "mine", args: ["x", { model: "m" }] });
      const [row] = await other.rows();
      assert.deepEqual(
        [row?.kind, row?.provider, row?.model, row?.sessionId, row?.turnId, row?.tool, row?.state, row?.costUsd],
        [kind, "lab", "m", "s", "t", "a_tool", "answered", undefined],
      );
      kinds.push(kind);
    }
  assert.deepEqual(kinds, ["search", "extract", "image", "video", "speech", "transcription", "browser"]);
});

test("a service can report its charge; a free one costs nothing; a thrown error counts as a failure", async () => {
  await using scene = await openScene();
  const answers: (() => unknown)[] = [
    () => ({ success: true, cost_usd: 0.04 }),
    () => ({ success: false, error: "no" }),
    () => {
      throw new Error("broken");
    },
  ];
  const web = await scene.use("web", { name: "lab", is_available: () => true, search: () => answers.shift()!() });
  assert.equal(web.is_available(), true);
  assert.equal(web.extract, undefined);
  await web.search!("q", { limit: 1 });
  await web.search!("q", { limit: 1 });
  await assert.rejects(async () => web.search!("q", { limit: 1 }), /broken/);
  const stt = await scene.use("stt", { name: "lab", free: true, transcribe: async () => ({ success: true }) });
  await stt.transcribe("f", {});
  assert.deepEqual(
    (await scene.rows()).map(({ kind, state, costUsd, priceSource }) => [kind, state, costUsd, priceSource]),
    [
      ["search", "answered", 0.04, "provider"],
      ["search", "failed", undefined, undefined],
      ["search", "failed", undefined, undefined],
      ["transcription", "answered", 0, "free"],
    ],
  );
});
