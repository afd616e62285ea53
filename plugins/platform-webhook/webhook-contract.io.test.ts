import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WebhookListener } from "hermes-agent/plugin";
import { signature } from "hermes-agent/platform";
import { loopbackFetch, loopbackWebhooks, platformContract, quietLog, type ArrivedText } from "hermes-agent/testing";
import { webhookPlatform } from "./webhook-platform.ts";

const SECRET = "a-signing-secret";

platformContract(
  "webhook",
  async () => {
    const home = mkdtempSync(join(tmpdir(), "hermes-webhook-"));
    const log = quietLog();
    const listener = loopbackWebhooks(log);
    let url = "";
    const webhooks: WebhookListener = {
      async route(route) {
        const served = await listener.route(route);
        url = served.url;
        return served;
      },
    };
    const arrived: ArrivedText[] = [];
    const platform = webhookPlatform({
      env: () => undefined,
      fetch: loopbackFetch,
      skills: { all: async () => [] } as never,
      home,
      log,
      chats: async () =>
        ({
          deliver: async (to: { readonly chatId?: string }, text: string) =>
            void arrived.push({ chat_id: `webhook:${to.chatId}:1`, text }),
        }) as never,
    });
    /** Each user is a route, and a chat is one delivery of it. */
    const route = (name: string) => ({
      secret: SECRET,
      prompt: "{text}",
      deliver: "telegram",
      deliver_extra: { chat_id: name },
    });
    const post = async (name: string, text: string, id: string, key = SECRET): Promise<number> => {
      const body = JSON.stringify({ text });
      const headers = { "x-request-id": id, "x-hub-signature-256": `sha256=${signature({ key, signed: [body] })}` };
      return (await fetch(url.replace("*", name), { method: "POST", body, headers })).status;
    };
    return {
      platform: {
        ...platform,
        adapter_factory: (config) =>
          platform.adapter_factory({
            ...config,
            webhooks,
            // The suite compares texts; a payload is untrusted content below the prompt.
            message: ({ text, channel_context = "", user_id, ...event }) =>
              config.message({
                ...event,
                user_id,
                chat_id: "webhook:ada:1",
                text: text === "{text}" ? channel_context.replace("{text}:\n", "") : text,
              }),
          }),
      },
      extra: { routes: { ada: route("ada"), bob: route("bob") }, rate_limit: 0 },
      home,
      chat: "webhook:ada:1",
      // The suite's prompts are single payload values; the platform truncates payload content at 2 000 characters.
      sayable: (text) => text.length < 2_000,
      async write(_, user, text) {
        await post(user, text, randomUUID());
      },
      async arrived() {
        for (;;) {
          const next = arrived.shift();
          if (next !== undefined) return next;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
      forge: () => post("ada", "forged", "f1", "another-secret"),
      async [Symbol.asyncDispose]() {
        await listener[Symbol.asyncDispose]();
        rmSync(home, { recursive: true });
      },
    };
  },
  { folder: import.meta.dirname },
);
