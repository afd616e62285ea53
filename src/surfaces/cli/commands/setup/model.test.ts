import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../../contract/services/app.ts";
import type { Call } from "../../program/call.ts";
import { model } from "./model.ts";

const NOTICE =
  "No model is configured. Found Ollama at http://127.0.0.1:11434 (2 models): `hermes model ollama/llama3`.";

/** The command's output without a terminal, with no configuration and one running local server. */
async function printed(options: { readonly list?: boolean }): Promise<string> {
  let text = "";
  const models: Partial<App["models"]> = {
    current: async () => ({
      provider: "offline",
      model: "rules",
      baseUrl: undefined,
      source: "no model is configured",
      offline: true,
      notice: NOTICE,
    }),
    findLocal: async () => [
      { name: "Ollama", provider: "ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["llama3", "qwen3"] },
    ],
    list: async () => ["rules"],
  };
  const io = { out: (more: string) => void (text += more), interactive: false, signal: new AbortController().signal };
  await model({ io, open: async () => ({ models }) } as unknown as Call, undefined, options);
  return text;
}

test("without a model, offers a local server and lists its models in the form to choose them", async () => {
  assert.equal(await printed({}), `${NOTICE}\n`);
  assert.equal(await printed({ list: true }), "ollama/llama3\nollama/qwen3\nrules\n");
});
