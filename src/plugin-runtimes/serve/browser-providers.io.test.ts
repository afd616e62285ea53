import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startPool } from "../../../examples/plugins/chromium-pool/pool-server.ts";
import { findChromium } from "../../browser/chromium.ts";
import type { GuardedFetch } from "../../contract/providers/web.ts";
import { browserContract } from "../../testing/browser-contract.ts";
import { setUp } from "../../host/plugins/plugins-fixture.ts";
import { withPython } from "../test/hosts-fixture.ts";
import type { RemotePlugin } from "../process/remote-plugin.ts";
import { pythonProvider } from "../process/remote-provider.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const TOKEN = "token-of-the-pool-0123";
const reach: GuardedFetch = async (url, { method, headers } = {}) => {
  const reply = await fetch(url, { method: method ?? "GET", headers });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  return { status: reply.status, headers: {}, url, redirected: false, bytes: async () => bytes } as never;
};

describe(
  "the example in Python passes the contract suite of its kind",
  { ...withPython, ...definedFields({ skip: findChromium() === undefined ? "no chromium here" : undefined }) },
  () => {
    browserContract(
      "chromium-pool in Python",
      async () => {
        const pool = await startPool(TOKEN);
        const cleanups: (() => void | Promise<void>)[] = [];
        const place = setUp(
          { after: (cleanup) => void cleanups.push(cleanup) },
          {},
          "plugins:\n  enabled: [chromium-pool]\n",
        );
        cpSync(
          join(import.meta.dirname, "../../../examples/plugins/chromium-pool-python"),
          join(place.path, "home/plugins/chromium-pool"),
          { recursive: true },
        );
        const { host } = await place.start(
          { HERMES_HOME: join(place.path, "home"), CHROMIUM_POOL_URL: pool.url, CHROMIUM_POOL_TOKEN: TOKEN },
          { hosts: true, services: { fetch: () => reach } },
        );
        return {
          ...pool,
          provider: await host.slots.use("browser", "chromium-pool"),
          async [Symbol.asyncDispose]() {
            for (const cleanup of cleanups) await cleanup();
            await pool[Symbol.asyncDispose]();
          },
        };
      },
      { key: TOKEN },
    );
  },
);

test("an installed plugin's browser connects only to hosts that its manifest names and the user granted", () => {
  const provider = (granted: readonly string[] | undefined, data: object) =>
    (
      pythonProvider(
        {
          kind: "provider",
          slot: "browser",
          id: "rented",
          handle: "1",
          data: { methods: ["create_session"], ...data },
        },
        { granted: granted && { read: [], write: [], hosts: granted, tools: [] } } as unknown as RemotePlugin,
      ) as { readonly cdp_hosts?: readonly string[] }
    ).cdp_hosts;
  assert.deepEqual(provider(["a.example", "b.example"], {}), ["a.example", "b.example"]);
  assert.deepEqual(provider(["a.example", "b.example"], { cdp_hosts: ["b.example", "c.example"] }), ["b.example"]);
  assert.deepEqual(provider([], {}), []);
  assert.equal(provider(undefined, {}), undefined);
  assert.deepEqual(provider(undefined, { cdp_hosts: ["c.example"] }), ["c.example"]);
});
