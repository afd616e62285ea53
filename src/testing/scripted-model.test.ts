import assert from "node:assert/strict";
import { test } from "node:test";
import { modelContract, type ModelScene } from "./model-contract.ts";
import { scriptedModel, type ScriptedAnswer } from "./scripted-model.ts";

modelContract(
  "scripted",
  async (scenes) => {
    const model = scriptedModel(scenes.map(play));
    return {
      client: model,
      get bodies() {
        return model.requests.map((request) => JSON.stringify(request));
      },
      async [Symbol.asyncDispose]() {},
    };
  },
  { without: ["status", "half-characters"] },
);

function play(scene: ModelScene): ScriptedAnswer {
  switch (scene.kind) {
    case "answer":
      return scene;
    case "cut":
      return { text: scene.text, failure: { code: "network" } };
    case "stall":
      return { text: scene.text, ends: "stall" };
    case "garbage":
      return { failure: { code: "bad_response" } };
    case "unreachable":
      return { failure: { code: "network" } };
    case "status":
      return { failure: { code: "server", status: scene.status } };
  }
}

test("a request beyond the script fails without a retry, and requests are recorded as sent", async () => {
  const model = scriptedModel([]);
  const messages = [{ role: "user" as const, parts: [{ type: "text" as const, text: "hi" }] }];
  const events = await Array.fromAsync(
    model.stream({ model: "m", system: "", tools: [], messages, sessionId: "s" }, new AbortController().signal),
  );
  assert.deepEqual(
    events.map((event) =>
      event.type === "end" && event.kind === "failure" ? [event.failure.code, event.failure.retryable] : [],
    ),
    [["bad_request", false]],
  );
  messages.push(messages[0]!);
  assert.equal(model.requests[0]!.messages.length, 1);
});
