import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Json, JsonObject } from "../contract/common/json.ts";
import type { WebProvider } from "../contract/providers/web-provider.ts";

/** A provider with its service, or a stand-in for it. */
export interface WebService extends AsyncDisposable {
  readonly provider: WebProvider;
  /** From now on the service refuses every request. */
  refuse(): void | Promise<void>;
}

export interface WebContractOptions {
  /** A query for which the service finds at least two pages. */
  readonly query: string;
  /** Addresses that it reads, where it reads pages. */
  readonly urls?: readonly string[];
  /** The key that the provider sends: no answer repeats it. */
  readonly key?: string;
}

/**
 * The contract of every service that searches the web or reads pages, as tests.
 * @param open Makes the provider and its service.
 */
export function webContract(name: string, open: () => Promise<WebService>, options: WebContractOptions): void {
  describe(`web contract: ${name}`, { timeout: 600_000 }, () => {
    test("has a name that a setting can hold, can be used, and declares what it can do", async () => {
      await using service = await open();
      const { provider } = service;
      assert.match(provider.name, /^[\w.-]+$/);
      assert.equal(await provider.is_available(), true);
      assert.ok((await searches(provider)) || (await reads(provider)), "It neither searches nor reads.");
    });

    test("returns results in order with title, address, description and position, at most as many as requested", async (t) => {
      await using service = await open();
      const { provider } = service;
      if (!(await searches(provider))) return t.skip("it does not search");
      const answer = await provider.search!(options.query, { limit: 1 });
      assert.notEqual(answer["success"], false, JSON.stringify(answer));
      const { web } = (answer["data"] ?? {}) as { readonly web?: readonly JsonObject[] };
      assert.ok(web !== undefined && web.length === 1, JSON.stringify(answer));
      const [first] = web;
      assert.deepEqual(
        [typeof first!["title"], typeof first!["description"], first!["position"]],
        ["string", "string", 1],
      );
      assert.match(String(first!["url"]), /^https?:\/\//);
    });

    test("returns pages in the requested order, each with its address and text", async (t) => {
      await using service = await open();
      const { provider } = service;
      const urls = options.urls ?? [];
      if (!(await reads(provider)) || urls.length === 0) return t.skip("it reads no pages");
      const pages = await provider.extract!(urls, { format: "markdown" });
      assert.deepEqual(
        pages.map(({ url }) => url),
        urls,
      );
      for (const { content } of pages) assert.equal(typeof content, "string");
    });

    test("reports a refusal of the service instead of throwing, without the key", async () => {
      await using service = await open();
      const { provider } = service;
      await service.refuse();
      const message: (Json | undefined)[] = [];
      if (await searches(provider)) {
        const answer = await provider.search!(options.query, { limit: 2 });
        assert.deepEqual([answer["success"], typeof answer["error"]], [false, "string"]);
        message.push(answer);
      }
      if (await reads(provider)) {
        const pages = await provider.extract!(options.urls ?? ["https://example.org/"], { format: "markdown" });
        for (const { error } of pages) assert.equal(typeof error, "string");
        message.push([...pages]);
      }
      if (options.key !== undefined) assert.ok(!JSON.stringify(message).includes(options.key));
    });
  });
}

async function searches(provider: WebProvider): Promise<boolean> {
  return provider.search !== undefined && (await provider.supports_search?.()) !== false;
}

async function reads(provider: WebProvider): Promise<boolean> {
  return provider.extract !== undefined && (await provider.supports_extract?.()) === true;
}
