import { findChromium } from "hermes-agent/browser";
import { browserContract } from "hermes-agent/testing";
import { chromiumPool } from "./index.ts";
import { startPool } from "./pool-server.ts";

const TOKEN = "token-of-the-pool-0123";

if (findChromium() !== undefined) {
  browserContract(
    "chromium-pool",
    async () => {
      const pool = await startPool(TOKEN);
      const variables: { readonly [name: string]: string } = {
        CHROMIUM_POOL_URL: pool.url,
        CHROMIUM_POOL_TOKEN: TOKEN,
      };
      const ask = async (
        url: string,
        { method, headers }: { readonly method?: string; readonly headers?: { readonly [name: string]: string } } = {},
      ) => (await fetch(url, { method: method ?? "GET", headers })) as never;
      return { ...pool, provider: chromiumPool({ env: (name) => variables[name], fetch: ask }) };
    },
    { key: TOKEN },
  );
}
