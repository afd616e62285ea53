import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ChatMessage } from "../contract/conversation/chat-message.ts";
import type { ProviderProfile } from "../contract/providers/model-profile.ts";

/**
 * The contract of every profile of a model service, as tests. `modelContract` covers its wire.
 * @param open Makes the profile.
 */
export function profileContract(name: string, open: () => Promise<ProviderProfile>): void {
  describe(`model profile contract: ${name}`, { timeout: 600_000 }, () => {
    test("its names are valid in settings: unique, and without the separator between provider and model", async () => {
      const profile = await open();
      const names = [profile.name, ...(profile.aliases ?? [])];
      for (const one of names) assert.match(one, /^[A-Za-z0-9][\w.-]*$/);
      assert.equal(new Set(names.map((one) => one.toLowerCase())).size, names.length);
    });

    test("names its address and the variables that contain its key", async () => {
      const { base_url, env_vars = [], auth_type = "api_key", models_url } = await open();
      for (const variable of env_vars) assert.match(variable, /^[A-Z][A-Z0-9_]*$/);
      assert.ok(
        base_url !== undefined || env_vars.some((variable) => variable.endsWith("_URL")),
        "an address, or a variable for one",
      );
      for (const url of [base_url, models_url]) if (url !== undefined && url !== "") assert.ok(URL.canParse(url), url);
      if (auth_type === "api_key")
        assert.ok(
          env_vars.some((variable) => !variable.endsWith("_URL")),
          "a variable for its key",
        );
    });

    test("prepared messages keep calls and results together, and the input does not change", async () => {
      const profile = await open();
      if (profile.prepare_messages === undefined) return;
      const before = JSON.stringify(MESSAGES);
      const prepared = await profile.prepare_messages(structuredClone(MESSAGES));
      assert.equal(JSON.stringify(MESSAGES), before);
      const calls = prepared.flatMap((message) => (message.tool_calls ?? []).map(({ id }) => id));
      assert.deepEqual(
        prepared.flatMap(({ tool_call_id }) => tool_call_id ?? []),
        calls,
      );
      assert.ok(
        prepared.some(({ content }) => content.includes("Look at a.")),
        "the user's text is still there",
      );
    });

    test("adds the same data to equal requests", async () => {
      const profile = await open();
      const about = { session_id: "session_1", model: profile.fallback_models?.[0] ?? "model" };
      const extra = await profile.build_extra_body?.(about);
      if (extra !== undefined)
        assert.deepEqual(await profile.build_extra_body?.(about), JSON.parse(JSON.stringify(extra)));
      const pair = await profile.build_api_kwargs_extras?.({ reasoning_config: { effort: "low" }, model: about.model });
      if (pair !== undefined) assert.deepEqual([pair.length, JSON.parse(JSON.stringify(pair))], [2, pair]);
    });

    test("an unreachable service causes no crash: the result is null or a list of models", async () => {
      const profile = await open();
      if (profile.fetch_models === undefined) return;
      const listed = await profile.fetch_models({ api_key: null, base_url: "http://127.0.0.1:9/v1", timeout: 2 });
      assert.ok(listed === null || listed.every((id) => typeof id === "string"));
    });
  });
}

const MESSAGES: readonly ChatMessage[] = [
  { role: "user", content: "Look at a." },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "call_1", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } }],
  },
  { role: "tool", tool_call_id: "call_1", name: "read_file", content: "A" },
];
