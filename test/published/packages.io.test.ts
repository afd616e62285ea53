import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HOOK_KINDS, type HookName } from "../../src/contract/plugins/hook.ts";
import type { MethodProvider } from "../../src/contract/plugins/provider.ts";
import { fetchPackages } from "../../src/plugin-runtimes/test/third-party-fixture.ts";
import { setUp } from "../../src/host/plugins/plugins-fixture.ts";
import { sampleOf } from "../../src/host/shell-hooks/sample-payload.ts";

/** Third-party packages that were tried, one a line. */
interface Tried {
  readonly package: string;
  readonly version: string;
  /** Its name as a plugin; "" if it could not be installed. */
  readonly plugin: string;
  readonly kind: string;
  readonly tried: string;
  /** The outcome, and why it differs from the original. */
  readonly outcome: string;
  /** Its registrations and the variables that it needs, for packages that the test loads on every run. */
  readonly registers?: readonly string[];
  readonly needs?: readonly string[];
}

const TRIED = readFileSync(join(import.meta.dirname, "packages.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Tried);
const loaded = TRIED.filter(({ registers }) => registers !== undefined);

test("the list has each tried package once, with its outcome", () => {
  const names = TRIED.map((one) => one.package);
  assert.deepEqual(names, [...new Set(names)]);
  for (const { package: name, version, kind, tried, outcome } of TRIED)
    assert.ok(
      [version, kind, tried, outcome].every((text) => text.trim() !== ""),
      name,
    );
});

// req: plugins.python-bridge
test("third-party plugins register what they did when they were tried; their hooks accept the payloads", async (t) => {
  const { environment, reason } = fetchPackages(
    loaded.map((one) => `${one.package}==${one.version}`),
    [],
  );
  if (environment === undefined) return t.skip(reason);
  // Only one memory provider and one context engine may run.
  const config = `plugins:\n  enabled: [${loaded.map(({ plugin }) => plugin).join(", ")}]\nmemory: { provider: mnemostack }\ncontext: { engine: agentic-memory }\n`;
  const place = setUp(t, {}, config);
  mkdirSync(join(place.path, "home/packages/python"), { recursive: true });
  symlinkSync(environment, join(place.path, "home/packages/python/all"));
  const variables = Object.fromEntries(
    loaded.flatMap(({ needs = [] }) => needs.map((name) => [name, "not-a-real-key-0000"])),
  );
  const { host, log } = await place.start(variables, { hosts: true });
  const listed = new Map((await host.service.list()).map((one) => [one.key, one]));
  for (const { plugin, registers } of loaded) {
    const found = listed.get(plugin);
    assert.deepEqual(
      [found?.state, [...(found?.registered.providers ?? []), ...(found?.registered.hooks ?? [])].sort()],
      ["enabled", registers],
      plugin,
    );
  }
  for (const name of new Set(host.hooks.list().map((hook) => hook.name as HookName))) {
    const payload = sampleOf(name, "read_file") as never;
    if (!Object.hasOwn(HOOK_KINDS, name)) continue;
    if (HOOK_KINDS[name] === "first")
      assert.deepEqual(await host.hooks.first(name as "pre_tool_call", payload), { kind: "none" }, name);
    else if (HOOK_KINDS[name] === "collect")
      assert.deepEqual(await host.hooks.collect(name as "pre_llm_call", payload), [], name);
    else await host.hooks.observe(name as "on_session_end", payload);
  }
  const pictures = (await host.slots.get("image_gen", "stepfun")!.load()) as unknown as MethodProvider;
  assert.deepEqual(await pictures.invoke("is_available", [], {}), true);
  const memory = (await host.slots.get("memory", "mnemostack")!.load()) as unknown as MethodProvider;
  assert.deepEqual(await memory.invoke("is_available", [], {}), false);
  assert.deepEqual(
    log.lines.filter(({ level, message }) => level === "error" || /threw|TypeError|Traceback/.test(message)),
    [],
  );
});
