import type { Logger, WebhookReply, WebhookRoute } from "hermes-agent/plugin";
import { sameSecret } from "hermes-agent/platform";
import { readUpdate, updateId } from "./read-update.ts";
import type { TelegramSettings } from "./settings.ts";
import type { Update } from "./telegram-types.ts";
import { SKIPPED } from "./update-loop.ts";

const HEADER = "x-telegram-bot-api-secret-token";

/** The route for webhook updates: each has the secret in a header. */
export function webhookRoute(
  { url, secret, port }: NonNullable<TelegramSettings["webhook"]>,
  ports: { readonly log: Logger; take(update: Update): Promise<void> },
): WebhookRoute {
  return {
    path: new URL(url).pathname,
    port,
    verify: ({ headers }) => sameSecret(headers[HEADER] ?? "", secret),
    identify: ({ body }) => ({ id: String(updateId(parsed(body)) ?? "") }),
    async handle({ body }): Promise<WebhookReply> {
      const given = parsed(body);
      const id = updateId(given);
      if (id === undefined) return { status: 400 };
      const update = readUpdate(given);
      // Acknowledged, or Telegram sends it again and again.
      if (update === undefined) ports.log.warning(SKIPPED, { update: id });
      else await ports.take(update);
      return {};
    },
  };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined; // Not JSON, so not an update.
  }
}
