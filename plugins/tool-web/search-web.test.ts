import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebProvider } from "hermes-agent/plugin";
import { searchWeb } from "./search-web.ts";

/** The addresses that count after a search by this service. */
async function countedBy(more: Partial<WebProvider>): Promise<readonly string[]> {
  const service: WebProvider = {
    name: "s",
    is_available: () => true,
    search: () => ({
      success: true,
      data: { web: [{ url: "https://a.example/" }, { title: "no address" }, { url: "https://b.example/" }] },
    }),
    ...more,
  };
  const found: string[] = [];
  await searchWeb("tea", undefined, {
    config: () => undefined,
    use: (async () => service) as never,
    found: (addresses, page) => void found.push(...addresses, ...(page === undefined ? [] : [`of ${page}`])),
  });
  return found;
}

// field: C04
test("addresses found by a search service count as listed; those written by its model do not", async () => {
  const both = ["https://a.example/", "https://b.example/"];
  assert.deepEqual(await countedBy({}), both);
  assert.deepEqual(await countedBy({ composes_addresses: () => false }), both);
  assert.deepEqual(await countedBy({ composes_addresses: () => true }), []);
  assert.deepEqual(await countedBy({ composes_addresses: async () => true }), []);
});
