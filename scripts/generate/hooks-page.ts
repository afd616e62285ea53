import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOOK_KINDS, type HookKind, type HookName } from "../../src/contract/plugins/hook.ts";
import { HOOK_TEXTS, MIDDLEWARE_TEXTS } from "./hook-texts.ts";
import { code, page, table, type Page } from "./page.ts";
import { readPayloads } from "./read-payloads.ts";
import { ROOT } from "./read-snapshot.ts";

const KIND_TEXTS: { readonly [K in HookKind]: string } = {
  first:
    "A guard. Handlers run in order of registration, and the first result decides. If a guard throws, takes too long or belongs to a broken plugin, Hermes refuses the call and names the plugin.",
  observe: "Hermes ignores the return value. It logs and skips a handler that throws.",
  collect: "All results count, in order of registration. Hermes logs and skips a handler that throws.",
  chain:
    "Each handler receives the `value` that the previous one returned. Hermes logs and skips a handler that throws.",
};

export function hooksPage(): Page {
  const payloads = readPayloads();
  const fired = firedHooks();
  const names = Object.keys(HOOK_KINDS) as HookName[];
  const waiting = names.filter((name) => !fired.has(name));
  return page(
    "hooks.md",
    "Hooks and middleware",
    "A plugin registers a handler with `ctx.hook(name, handler)` (or `ctx.register_hook`). A handler receives one object; later versions may add keys, so read only what you need. A handler has 30 s unless `{ timeoutMs }` sets another limit. See [the plugin guide](../plugins.md#hooks).",
    "## Kinds",
    table(
      ["Kind", "How results count"],
      (Object.keys(KIND_TEXTS) as HookKind[]).map((kind) => [code(kind), KIND_TEXTS[kind]]),
    ),
    "## All hooks",
    table(
      ["Hook", "Kind", "When"],
      names
        .filter((name) => fired.has(name))
        .map((name) => [`[\`${name}\`](#${name})`, code(HOOK_KINDS[name]), HOOK_TEXTS[name].when]),
    ),
    `You can register these, but this version never calls them: ${waiting.map((name) => `[\`${name}\`](#${name})`).join(", ")}.`,
    ...names.map((name) => section(name, payloads.get(name) ?? [], fired.has(name))),
    "## Middleware",
    "Hooks observe; middleware changes calls and requests: `ctx.middleware(kind, (input, next) => …)`. Each one wraps the next, the first registered is outermost, and `next(changes)` continues.",
    ...(Object.keys(MIDDLEWARE_TEXTS) as (keyof typeof MIDDLEWARE_TEXTS)[]).map((kind) =>
      [
        `### ${kind}`,
        MIDDLEWARE_TEXTS[kind],
        `Input: ${(payloads.get(kind) ?? []).map((key) => code(key)).join(", ")}.`,
      ].join("\n\n"),
    ),
  );
}

function section(name: HookName, keys: readonly string[], calls: boolean): string {
  const { when, answer } = HOOK_TEXTS[name];
  return [
    `### ${name}`,
    `${when}${calls ? "" : " This version never calls it."}`,
    `- kind: ${code(HOOK_KINDS[name])}`,
    `- payload: ${keys.length === 0 ? "an object" : keys.map((key) => code(key)).join(", ")}`,
    `- result: ${answer ?? "ignored"}`,
  ]
    .join("\n\n")
    .replaceAll("\n\n- ", "\n- ")
    .replace("\n- kind", "\n\n- kind");
}

/** Finds the hooks that the code calls, so that the page can mark the others. */
function firedHooks(): ReadonlySet<string> {
  const files = globSync(["src/**/*.ts", "plugins/**/*.ts"], { cwd: ROOT }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  return new Set(
    files.flatMap((file) =>
      [
        ...readFileSync(join(ROOT, file), "utf8").matchAll(
          /\.(?:first|each|observe|collect|chain|transform)\("(\w+)"/g,
        ),
      ].map(([, name = ""]) => name),
    ),
  );
}
