import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BrowserProvider } from "../contract/providers/browser-provider.ts";
import type { JsonObject } from "../contract/common/json.ts";

/** A provider at a service, or a stand-in for it, that the suite may open sessions at. */
export interface BrowserService extends AsyncDisposable {
  readonly provider: BrowserProvider;
  /** Sessions that are open at the service now, and cost money. */
  open(): readonly string[] | Promise<readonly string[]>;
  /** From now on the service refuses every request. */
  refuse(): void | Promise<void>;
}

export interface BrowserContractOptions {
  /** The key that the provider sends: no error repeats it. */
  readonly key?: string;
  /** Why the test connects to no session's address, for example because no Chromium is installed. */
  readonly skipBrowser?: string | false;
}

/**
 * The contract of every browser provider, as tests. Each opens what it needs and ends it.
 * @param open Makes the provider and its service.
 */
export function browserContract(
  name: string,
  open: () => Promise<BrowserService>,
  options: BrowserContractOptions = {},
): void {
  describe(`browser contract: ${name}`, { timeout: 600_000 }, () => {
    test("has a name that a setting can hold, reports whether it can be used, and lists what setup asks for", async () => {
      await using service = await open();
      const { provider } = service;
      assert.match(provider.name, /^[\w.-]+$/);
      assert.notEqual(provider.name, "local");
      assert.equal(await provider.is_available(), true);
      const { env_vars } = ((await provider.get_setup_schema?.()) ?? {}) as {
        readonly env_vars?: readonly JsonObject[];
      };
      for (const { key, prompt } of env_vars ?? [])
        assert.ok(/^[A-Z_][A-Z0-9_]*$/.test(String(key)) && typeof prompt === "string" && prompt !== "");
    });

    test("each task gets a separate session with an id and a DevTools address; ending one leaves the other open", async () => {
      await using service = await open();
      const { provider } = service;
      const [one, two] = [await begun(provider, "task-1"), await begun(provider, "task-2")];
      assert.notEqual(one.id, two.id);
      assert.deepEqual(new Set(await service.open()), new Set([one.id, two.id]));
      assert.equal(await provider.close_session(one.id), true);
      assert.deepEqual(await service.open(), [two.id]);
      assert.equal(await provider.close_session(two.id), true);
      assert.deepEqual(await service.open(), []);
    });

    test("a Chromium answers at a session's address", { skip: options.skipBrowser ?? false }, async () => {
      await using service = await open();
      const { id, address } = await begun(service.provider, "task-1");
      assert.match(await product(address), /Chrom/);
      await service.provider.close_session(id);
    });

    test("ending a closed or unknown session throws nothing and leaves nothing open", async () => {
      await using service = await open();
      const { id } = await begun(service.provider, "task-1");
      await service.provider.close_session(id);
      assert.equal(await service.provider.close_session(id), true);
      assert.equal(typeof (await service.provider.close_session("no-such-session")), "boolean");
      await service.provider.emergency_cleanup?.("no-such-session");
    });

    test("a refusal makes opening a session fail without revealing the key, and ending one return false", async () => {
      await using service = await open();
      const { id } = await begun(service.provider, "task-1");
      await service.refuse();
      await assert.rejects(
        async () => service.provider.create_session("task-2"),
        (error: Error) => {
          assert.ok(error.message.length > 3);
          if (options.key !== undefined) assert.ok(!`${error.message} ${String(error.stack)}`.includes(options.key));
          return true;
        },
      );
      assert.equal(await service.provider.close_session(id), false);
      await service.provider.emergency_cleanup?.(id);
    });
  });
}

async function begun(
  provider: BrowserProvider,
  task: string,
): Promise<{ readonly id: string; readonly address: string }> {
  const { session_name, bb_session_id, cdp_url } = await provider.create_session(task);
  assert.ok(
    typeof session_name === "string" && typeof bb_session_id === "string" && bb_session_id !== "",
    "A session has a name and an id.",
  );
  assert.match(String(cdp_url), /^(?:wss?|https?):\/\/\S+$/);
  return { id: bb_session_id, address: String(cdp_url) };
}

/** The browser's product name. */
async function product(address: string): Promise<string> {
  const url = new URL(address);
  const socket = url.protocol.startsWith("ws")
    ? address
    : (
        (await (await fetch(new URL(`/json/version${url.search}`, url))).json()) as {
          readonly webSocketDebuggerUrl: string;
        }
      ).webSocketDebuggerUrl;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const connection = new WebSocket(socket);
  connection.addEventListener("open", () => connection.send(JSON.stringify({ id: 1, method: "Browser.getVersion" })));
  connection.addEventListener("message", ({ data }) => resolve(String(data)));
  connection.addEventListener("error", () => reject(new Error("No browser answers at the session's address.")));
  try {
    return await promise;
  } finally {
    connection.close();
  }
}
