import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Logger } from "hermes-agent/plugin";
import { readUpdate, updateId } from "./read-update.ts";
import type { TelegramSettings } from "./settings.ts";
import type { Update } from "./telegram-types.ts";
import { SKIPPED } from "./update-loop.ts";

const MAX_BYTES = 1_000_000;
/** A client that sends its request slowly keeps its connection only so long. */
const LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };
const HEADER = "x-telegram-bot-api-secret-token";

/** Receives webhook updates. Refuses a request without the secret before reading its body. */
export async function receiveUpdates(
  { url, secret, port }: NonNullable<TelegramSettings["webhook"]>,
  ports: { readonly log: Logger; take(update: Update): Promise<void> },
): Promise<AsyncDisposable> {
  const path = new URL(url).pathname;
  const server = createServer(LIMITS, (incoming, outgoing) => {
    const answer = (status: number): void => void outgoing.writeHead(status).end();
    if (incoming.method !== "POST" || incoming.url !== path) return answer(404);
    if (!same(String(incoming.headers[HEADER] ?? ""), secret)) {
      ports.log.warning("Refused a webhook update without the correct TELEGRAM_WEBHOOK_SECRET.");
      return answer(401);
    }
    updateIn(incoming)
      .then(async (update) => {
        if (update === undefined) return answer(400);
        const read = readUpdate(update);
        // Acknowledged, or Telegram sends it again and again.
        if (read === undefined) ports.log.warning(SKIPPED, { update: updateId(update) ?? 0 });
        else await ports.take(read);
        answer(200);
      })
      .catch((cause: unknown) => {
        // Not stored: Telegram sends it again.
        ports.log.error("Cannot accept an update from Telegram.", { cause });
        answer(500);
      });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, resolve));
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function same(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(one!, other!);
}

async function updateIn(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    const update: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return updateId(update) === undefined ? undefined : update;
  } catch {
    return undefined; // Not JSON, so not an update.
  }
}
