import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { Logger } from "hermes-agent/plugin";
import type { TelegramSettings } from "./settings.ts";
import type { Update } from "./telegram-types.ts";

const MAX_BYTES = 1_000_000;
const HEADER = "x-telegram-bot-api-secret-token";

/** Receives webhook updates. Refuses a request without the secret before reading its body. */
export async function receiveUpdates(
  { url, secret, port }: NonNullable<TelegramSettings["webhook"]>,
  ports: { readonly log: Logger; take(update: Update): Promise<void> },
): Promise<AsyncDisposable> {
  const path = new URL(url).pathname;
  const server = createServer((incoming, outgoing) => {
    const answer = (status: number): void => void outgoing.writeHead(status).end();
    if (incoming.method !== "POST" || incoming.url !== path) return answer(404);
    if (!same(String(incoming.headers[HEADER] ?? ""), secret)) {
      ports.log.warning("Refused a webhook update without the correct TELEGRAM_WEBHOOK_SECRET.");
      return answer(401);
    }
    updateIn(incoming)
      .then(async (update) => {
        if (update === undefined) return answer(400);
        await ports.take(update);
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

async function updateIn(incoming: IncomingMessage): Promise<Update | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    const update = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Partial<Update> | null;
    return typeof update?.update_id === "number" ? (update as Update) : undefined;
  } catch {
    return undefined; // Not JSON, so not an update.
  }
}
