import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { MemoryProvider, MemorySession } from "../contract/providers/memory.ts";

export interface OpenedMemory extends AsyncDisposable {
  readonly provider: MemoryProvider;
  /** An empty folder that outlives the provider when `again` opens it. */
  readonly home: string;
}

export interface MemoryContractOptions {
  /** It recalls what was stored a moment ago. Default true; false for a service that indexes later. */
  readonly recallsAtOnce?: boolean;
}

/**
 * The contract of every memory provider, as tests.
 * @param open Makes the provider, with a new home or with one that was used before.
 */
export function memoryContract(
  name: string,
  open: (home?: string) => Promise<OpenedMemory>,
  options: MemoryContractOptions = {},
): void {
  const recalls = options.recallsAtOnce !== false;

  describe(`memory contract: ${name}`, { timeout: 600_000 }, () => {
    test("has a name that a setting can hold, and reports at once whether it can be used", async () => {
      await using opened = await open();
      assert.match(opened.provider.name, /^[\w.-]+$/);
      const began = performance.now();
      assert.equal(typeof (await opened.provider.is_available()), "boolean");
      assert.ok(performance.now() - began < 20_000, "without asking a network");
    });

    test("recalls nothing in an empty home", async () => {
      await using opened = await open();
      await opened.provider.initialize("session_1", sessionIn(opened.home));
      assert.ok(
        ((await opened.provider.prefetch?.("anything about harbours?", { session_id: "session_1" })) ?? "") === "",
      );
    });

    test("recalls a turn's content in another session, also after a restart", { skip: !recalls }, async () => {
      let home: string;
      {
        await using opened = await open();
        home = opened.home;
        await opened.provider.initialize("session_1", sessionIn(home));
        await opened.provider.sync_turn?.("The harbour code is Zanzibar-77.", "Noted: harbour code Zanzibar-77.", {
          session_id: "session_1",
          messages: [],
        });
        await opened.provider.shutdown?.();
      }
      await using opened = await open(home);
      await opened.provider.initialize("session_2", sessionIn(home));
      const recalled = await opened.provider.prefetch?.("Which harbour code did we have?", { session_id: "session_2" });
      assert.match(recalled ?? "", /Zanzibar-77/);
    });

    test("profiles do not share memories", { skip: !recalls }, async () => {
      await using mine = await open();
      await mine.provider.initialize("session_1", sessionIn(mine.home));
      await mine.provider.sync_turn?.("The harbour code is Zanzibar-77.", "Noted.", {
        session_id: "session_1",
        messages: [],
      });
      await using yours = await open();
      await yours.provider.initialize("session_1", sessionIn(yours.home));
      assert.doesNotMatch(
        (await yours.provider.prefetch?.("Which harbour code?", { session_id: "session_1" })) ?? "",
        /Zanzibar/,
      );
    });

    test("stores text of every kind: quotes, line breaks, other scripts and long text", async () => {
      await using opened = await open();
      await opened.provider.initialize("session_1", sessionIn(opened.home));
      for (const text of ['"quoted" \\ and\nbroken\r\n', "港口的密码 🦀", "", "word ".repeat(20_000)]) {
        await opened.provider.sync_turn?.(text, text, { session_id: "session_1", messages: [] });
        const recalled = await opened.provider.prefetch?.(text, { session_id: "session_1" });
        assert.ok(recalled === null || recalled === undefined || typeof recalled === "string");
      }
    });

    test("its tools have unique names, take an object and return JSON", async () => {
      await using opened = await open();
      await opened.provider.initialize("session_1", sessionIn(opened.home));
      const schemas = ((await opened.provider.get_tool_schemas?.()) ?? []).map(
        (schema) =>
          (schema["type"] === "function" ? schema["function"] : schema) as {
            readonly name: string;
            readonly parameters?: { readonly type?: string };
          },
      );
      assert.equal(new Set(schemas.map((schema) => schema.name)).size, schemas.length);
      for (const schema of schemas) {
        assert.match(schema.name, /^[a-zA-Z0-9_-]{1,64}$/);
        assert.equal(schema.parameters?.type ?? "object", "object");
        const message = await opened.provider.handle_tool_call!(
          schema.name,
          { query: "harbour" },
          { session_id: "session_1" },
        ).valueOf();
        assert.doesNotThrow(() => JSON.parse(String(message)), `${schema.name} answers in JSON`);
      }
    });
  });
}

function sessionIn(home: string): MemorySession {
  return {
    hermes_home: home,
    platform: "cli",
    agent_identity: "default",
    agent_context: "primary",
    agent_workspace: "hermes",
  };
}
