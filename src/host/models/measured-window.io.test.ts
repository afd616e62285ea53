import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../contract/common/json.ts";
import type { ContextEngine } from "../../contract/providers/context-engine.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import { providersOf } from "../../../plugins/model-http/test/providers.ts";
import registerCompressor from "../../../plugins/context-compressor/index.ts";
import { startLocalModel, type LocalKind } from "../../../test/servers/local-model.ts";
import { openContext } from "../context/open-context.ts";
import { describeProvider } from "../plugins/registry/describe-provider.ts";
import { SlotRegistry } from "../tools/slots.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { realClock } from "../../testing/real-clock.ts";
import { testSession } from "../../testing/test-session.ts";
import { createModelService } from "./model-service.ts";
import type { LearnedWindows } from "./model-windows.ts";

/** The real model service and context engine over one server. */
function hostOver(config: { readonly [path: string]: string }) {
  const providers = [...providersOf({}).values()];
  let learned: ReturnType<LearnedWindows["read"]> = {};
  const log = quietLog();
  const models = createModelService({
    config: {
      get: (path) => config[path],
      explain: () => ({ value: undefined, source: "unset", where: undefined }),
      edit: () => Promise.resolve(),
    },
    environment: { get: () => undefined, set: () => Promise.resolve(), unset: () => Promise.resolve(true) },
    slots: {
      list: () =>
        providers.map((provider) => ({
          id: provider.id,
          label: provider.label,
          data: JSON.parse(JSON.stringify(provider)) as JsonObject,
        })),
      use: (_slot, id) => Promise.resolve(providers.find((provider) => provider.id === id) ?? assert.fail(id)),
    },
    log,
    keysPast: { read: () => ({}), write: () => {} },
    windowsPast: { read: () => learned, write: (next) => void (learned = next) },
    signal: new AbortController().signal,
    installPackage: () => assert.fail("nothing is installed"),
    probe: () => assert.fail("nothing is probed"),
  });
  let engine: ContextEngine | undefined;
  void registerCompressor({
    config: {},
    register_context_engine: (one: ContextEngine) => ((engine = one), { [Symbol.dispose]: () => {} }),
  } as unknown as PluginContext);
  const slots = new SlotRegistry({ log, config: () => undefined });
  const loaded = Promise.resolve(engine!);
  slots.add("context", { ...describeProvider(engine!), load: () => loaded }, "test");
  const context = openContext({
    slots,
    clock: realClock(),
    log,
    config: () => undefined,
    redact: (text) => text,
    auxiliary: () => models.auxiliary("compression"),
    memoryContext: async () => "",
  });
  return { models, context, log };
}

const KINDS: readonly (readonly [kind: LocalKind, provider: string, asked: RegExp])[] = [
  ["ollama", "ollama", /\/api\/ps/],
  ["ollama", "custom", /\/api\/show/],
  ["lmstudio", "custom", /\/api\/v0\/models/],
  ["llamacpp", "custom", /\/props/],
  ["vllm", "custom", /\/v1\/models/],
  ["silent", "custom", /^$|\/props/],
];

for (const [kind, provider, asked] of KINDS) {
  // field: M08
  test(`detects that a server like ${kind} (as ${provider}) silently cuts at 4,096 tokens, reports it once and adapts`, async () => {
    const model = "qwen3-coder";
    await using server = await startLocalModel({
      kind,
      model,
      window: 4_096,
      trained: 262_144,
      answer: (number) => `answer ${number} ${"words ".repeat(100)}`,
    });
    const { models, context, log } = hostOver({
      "model.provider": provider,
      "model.base_url": server.url,
      "model.default": model,
    });
    await using bench = await testSession({
      model: { stream: () => assert.fail("never asked") },
      ports: { model: () => models.inUse(), context },
    });
    const first = "Keep the harbour of Valparaíso in mind.";
    await bench.session.send(first);
    for (let turn = 1; turn < 30; turn++)
      assert.equal((await bench.session.send(`question ${turn} ${"more words ".repeat(60)}`)).reason, "done");
    // Only requests before the window was known were cut.
    const cut = server.requests.map(({ sent, read }) => sent > read);
    assert.ok(!cut.slice(-15).includes(true), JSON.stringify(cut));
    const most = kind === "silent" ? 3 : provider === "custom" ? 2 : 0;
    assert.ok(cut.filter(Boolean).length <= most, JSON.stringify(cut));
    assert.match(server.requests.at(-1)!.texts.join("\n"), /Keep the harbour of Valparaíso in mind\./);
    assert.equal((await models.inUse()).contextTokens, 4_096);
    const warnings = log.lines.filter(({ message }) => message.includes("reads only 4096 tokens"));
    assert.equal(warnings.length, 1);
    assert.match(server.questions.join(" "), asked);
  });
}
