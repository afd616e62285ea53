import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, JsonObject, PlatformMessage } from "hermes-agent/plugin";
import { loopbackFetch, loopbackSocket, quietLog, storageIn, waitFor } from "hermes-agent/testing";
import { mattermostPlatform } from "../mattermost-platform.ts";
import { TOKEN } from "./mattermost-server.ts";

/** The platform connected to a server of a test, and what its adapter passes to the gateway. */
export function mattermostBench(url: string, given: { readonly env?: { readonly [name: string]: string } } = {}) {
  const env: { readonly [name: string]: string } = {
    MATTERMOST_TOKEN: TOKEN,
    MATTERMOST_URL: url,
    MATTERMOST_FREE_RESPONSE_CHANNELS: "51",
    ...given.env,
  };
  const home = mkdtempSync(join(tmpdir(), "hermes-mattermost-"));
  const storage = storageIn(new Map<string, Json>());
  const platform = mattermostPlatform(
    { env: (name) => env[name], fetch: loopbackFetch, socket: loopbackSocket, home, log: quietLog(), storage },
    10,
  );
  const received: PlatformMessage[] = [];
  const lost: string[] = [];
  return {
    platform,
    home,
    received: received as readonly PlatformMessage[],
    lost: lost as readonly string[],
    async connected(extra: JsonObject = {}) {
      const adapter = await platform.adapter_factory({
        enabled: true,
        extra,
        lost: (reason) => void lost.push(reason),
        message: async (message) => void received.push(message),
      });
      await adapter.connect({ is_reconnect: false });
      return Object.assign(adapter, { [Symbol.asyncDispose]: async () => adapter.disconnect() });
    },
    /** The texts received so far, once there are that many. */
    async texts(count: number): Promise<readonly string[]> {
      await waitFor(() => received.length >= count, { what: `${count} messages` });
      return received.map(({ text }) => text);
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
