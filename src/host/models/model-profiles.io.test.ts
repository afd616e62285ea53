import assert from "node:assert/strict";
import { test } from "node:test";
import { providersOf } from "../../../plugins/model-http/test/providers.ts";
import { ask } from "../../../plugins/model-http/test/conversation.ts";
import { startGeminiServer } from "../../../test/servers/gemini.ts";
import { startResponsesServer } from "../../../test/servers/responses.ts";
import type { ProviderProfile } from "../../contract/providers/model-profile.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { describeProvider } from "../plugins/registry/describe-provider.ts";
import { withProfiles } from "./model-profiles.ts";
import { SlotRegistry } from "../tools/slots.ts";

/** The providers of the plugin, and one that is described as a profile. */
function slotsWith(profile: ProviderProfile) {
  const slots = new SlotRegistry({ log: quietLog(), config: () => undefined });
  for (const provider of providersOf({}).values())
    slots.add("model", { ...describeProvider(provider), load: async () => provider }, "model-http");
  slots.add("model_profile", { ...describeProvider(profile), load: async () => profile }, "mine");
  return withProfiles(slots, () => undefined, quietLog());
}

// req: plugins.model-provider-hooks
test("a profile may use a provider package's wire format and still change the body last", async () => {
  for (const [mode, start] of [
    ["codex_responses", startResponsesServer],
    ["gemini_generate_content", startGeminiServer],
  ] as const) {
    await using server = await start([{ text: "ok" }]);
    const slots = slotsWith({
      name: "acme",
      api_mode: mode,
      base_url: server.url,
      default_max_tokens: 9,
      prepare_messages: () => assert.fail("there are no messages of that kind"),
      build_extra_body: ({ model }) => ({ routing: model }),
    });
    const provider = await slots.use("model", "acme");
    assert.equal(
      (await ask(provider.connect({ model: "m", apiKey: "key-of-acme" }), { model: "m" })).kind,
      "answer",
      mode,
    );
    const body = JSON.parse(server.requests[0]!.body) as { readonly [key: string]: unknown };
    assert.deepEqual([body["max_tokens"], body["routing"]], [undefined, "m"]);
  }
  await assert.rejects(slotsWith({ name: "acme", api_mode: "bedrock_converse" }).use("model", "acme"), {
    name: "UserError",
    hint: /codex_responses, gemini_generate_content/,
  });
});
