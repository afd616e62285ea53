import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, PlatformMessage } from "hermes-agent/plugin";
import { loopbackFetch, loopbackSocket, quietLog, waitFor } from "hermes-agent/testing";
import { slackPlatform } from "../slack-platform.ts";
import { APP_TOKEN, BOT_TOKEN } from "./slack-server.ts";

/** The platform connected to a server of a test, and what its adapter passes to the gateway. */
export function slackBench(url: string, given: { readonly env?: { readonly [name: string]: string } } = {}) {
  const env: { readonly [name: string]: string } = {
    SLACK_APP_TOKEN: APP_TOKEN,
    SLACK_BOT_TOKEN: BOT_TOKEN,
    SLACK_API_BASE_URL: url,
    SLACK_FREE_RESPONSE_CHANNELS: "C51",
    ...given.env,
  };
  const home = mkdtempSync(join(tmpdir(), "hermes-slack-"));
  const log = quietLog();
  const platform = slackPlatform(
    { env: (name) => env[name], fetch: loopbackFetch, socket: loopbackSocket, home, log },
    10,
  );
  const received: PlatformMessage[] = [];
  const lost: string[] = [];
  return {
    platform,
    home,
    log,
    received: received as readonly PlatformMessage[],
    lost: lost as readonly string[],
    async connected(extra: JsonObject = {}) {
      const adapter = await platform.adapter_factory({
        enabled: true,
        extra,
        lost: (reason) => void lost.push(reason),
        commands: () => [{ name: "new", description: "Start a new conversation" }],
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
