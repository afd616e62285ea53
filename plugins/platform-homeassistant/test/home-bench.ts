import type { Json, JsonObject, Platform, PlatformAdapter, PlatformMessage } from "hermes-agent/plugin";
import { loopbackFetch, loopbackSocket, quietLog, waitFor } from "hermes-agent/testing";
import { HASS_TOKEN } from "../../../test/servers/home-assistant.ts";
import { homeAssistantPlatform } from "../home-assistant-platform.ts";

/** The platform connected to a server of a test, and what its adapter passes to the gateway. */
export function homeBench(
  url: string,
  given: {
    readonly env?: { readonly [name: string]: string };
    readonly settings?: { readonly [path: string]: Json };
  } = {},
) {
  const env: { readonly [name: string]: string } = { HASS_TOKEN, HASS_URL: url, ...given.env };
  const log = quietLog();
  const platform: Platform = homeAssistantPlatform(
    {
      env: (name) => env[name],
      setting: (path) => given.settings?.[path],
      fetch: loopbackFetch,
      socket: loopbackSocket,
      log,
    },
    { firstPauseMs: 10, longestPauseMs: 50 },
  );
  const received: PlatformMessage[] = [];
  const lost: string[] = [];
  return {
    platform,
    log,
    received: received as readonly PlatformMessage[],
    lost: lost as readonly string[],
    async connected(extra: JsonObject = {}): Promise<PlatformAdapter & AsyncDisposable> {
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
  };
}
