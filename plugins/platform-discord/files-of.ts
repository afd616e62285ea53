import type { GuardedFetch } from "hermes-agent/plugin";
import { receiveFiles, type ReceivedFiles } from "hermes-agent/platform";
import type { Message } from "./discord-types.ts";

/** A message whose flags have this one is a voice message. */
const VOICE = 1 << 13;

/** Downloads the attachments of a message. */
export async function filesOf(
  { attachments = [], flags = 0 }: Message,
  { fetch, home, maxBytes }: { readonly fetch: GuardedFetch; readonly home: string; readonly maxBytes: number },
): Promise<ReceivedFiles> {
  const urls = new Map(attachments.map(({ id, url }) => [id, url]));
  const offered = attachments.map(({ id, filename, size, content_type }) => ({
    id,
    name: filename,
    size,
    type: content_type,
    voice: (flags & VOICE) !== 0,
  }));
  return receiveFiles(offered, {
    home,
    platform: "discord",
    maxBytes,
    // The addresses are signed and on another server, which must not get the token.
    fetch: async ({ id }, most) => {
      const reply = await fetch(urls.get(id)!, {
        maxBytes: most,
        timeoutMs: 120_000,
        configured: "DISCORD_API_BASE_URL",
      });
      if (reply.status !== 200) throw new Error(`Discord answered with status ${reply.status}`);
      return reply.bytes();
    },
  });
}
