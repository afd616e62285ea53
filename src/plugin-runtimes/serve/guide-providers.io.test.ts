import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setUp } from "../../host/plugins/plugins-fixture.ts";
import { withPython } from "../test/hosts-fixture.ts";

const examples = join(import.meta.dirname, "../../../examples/plugins");
const hashOf = (file: string): string =>
  createHash("sha256")
    .update(readFileSync(join(examples, file), "utf8").replaceAll(/\s+/g, " ").trim())
    .digest("hex");

// req: plugins.python-bridge, plugins.model-provider-python
test("the Python files of the guide match the guide, apart from line breaks that its copy lost", () => {
  assert.deepEqual(["memory-recall-python/__init__.py", "acme-provider-python/__init__.py"].map(hashOf), [
    "ecfef5489c17758644bc99aa9573a6c48880dcf50104960f1fa2f6d5f2c1b7d4",
    "f17dd9ca1494f0b70ad9d67d544307e19c7d8edff96a5c6d8ca0d82d7d081223",
  ]);
});

/** `httpx` as far as the guide uses it, with the guide's made-up host at a port of this machine. */
const HTTPX = `import json as _json, os, urllib.request

class _Reply:
    def __init__(self, text): self._text = text
    def json(self): return _json.loads(self._text)

def post(url, json=None, timeout=None):
    address = url.replace("https://your-memory-api.example.com", os.environ["MEMORY_STAND_IN"])
    request = urllib.request.Request(address, data=_json.dumps(json).encode(), headers={"content-type": "application/json"})
    return _Reply(urllib.request.urlopen(request, timeout=timeout).read())
`;

// req: hooks.samples
test(
  "the guide's memory recall runs unchanged: the store's results join the turn, and a missing store has no effect",
  withPython,
  async (t) => {
    const asked: unknown[] = [];
    const store = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => {
        asked.push(JSON.parse(text));
        response.end(
          JSON.stringify({
            results:
              asked.length === 1 ? [{ text: "User prefers dark mode" }, { text: "Last project: hermes-agent" }] : [],
          }),
        );
      });
    });
    await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve));
    t.after(() => void store.close());
    const place = setUp(t, { "modules/httpx.py": HTTPX }, "plugins:\n  enabled: [memory-recall]\n");
    cpSync(join(examples, "memory-recall-python"), join(place.path, "home/plugins/memory-recall"), { recursive: true });
    const { host } = await place.start(
      {
        PYTHONPATH: join(place.path, "modules"),
        MEMORY_STAND_IN: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
      },
      { hosts: true },
    );
    const turn = {
      session_id: "s1",
      task_id: "s1",
      turn_id: "t1",
      model: "m",
      platform: "cli",
      user_message: "which theme?",
      conversation_history: [],
      is_first_turn: true,
    };
    assert.deepEqual(await host.hooks.collect("pre_llm_call", turn), [
      {
        owner: "memory-recall",
        piece: {
          context: "Recalled context from previous sessions:\n- User prefers dark mode\n- Last project: hermes-agent",
        },
      },
    ]);
    assert.deepEqual(asked, [{ session_id: "s1", query: "which theme?" }]);
    assert.deepEqual(await host.hooks.collect("pre_llm_call", turn), []);
    store.closeAllConnections();
    await new Promise<void>((resolve) => void store.close(() => resolve()));
    assert.deepEqual(await host.hooks.collect("pre_llm_call", turn), []);
  },
);
