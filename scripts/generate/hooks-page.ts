import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HOOK_KINDS, type HookKind, type HookName } from "../../src/contract/plugins/hook.ts";
import { HOOK_TEXTS, MIDDLEWARE_TEXTS } from "./hook-texts.ts";
import { code, page, table, type Page } from "./page.ts";
import { readPayloads } from "./read-payloads.ts";
import { ROOT } from "./read-snapshot.ts";

const KIND_TEXTS: { readonly [K in HookKind]: string } = {
  first:
    "A guard. Handlers run in order of registration and the first answer decides. A guard that throws, takes too long or belongs to a broken plugin refuses the call and names its plugin.",
  observe: "Told, not asked: what a handler returns is ignored. One that throws is logged and skipped.",
  collect: "All answers count, in order of registration. A handler that throws is logged and skipped.",
  chain: "Each handler sees what the one before made of `value`. A handler that throws is logged and skipped.",
};

export function hooksPage(): Page {
  const payloads = readPayloads();
  const fired = firedHooks();
  const names = Object.keys(HOOK_KINDS) as HookName[];
  const waiting = names.filter((name) => !fired.has(name));
  return page(
    "hooks.md",
    "Hooks and middleware",
    "A plugin registers a handler with `ctx.hook(name, handler)` (or `ctx.register_hook`). Handlers get one object; a key may be added at any time, so take what you need from it. A handler has 30 s unless `{ timeoutMs }` says otherwise. See [the plugin guide](../plugins.md#hooks).",
    "## Kinds",
    table(
      ["Kind", "How answers count"],
      (Object.keys(KIND_TEXTS) as HookKind[]).map((kind) => [code(kind), KIND_TEXTS[kind]]),
    ),
    "## All hooks",
    table(
      ["Hook", "Kind", "When"],
      names
        .filter((name) => fired.has(name))
        .map((name) => [`[\`${name}\`](#${name})`, code(HOOK_KINDS[name]), HOOK_TEXTS[name].when]),
    ),
    `These can be registered, and nothing in this version calls them yet: ${waiting.map((name) => `[\`${name}\`](#${name})`).join(", ")}.`,
    ...names.map((name) => section(name, payloads.get(name) ?? [], fired.has(name))),
    "## Middleware",
    "Where a hook watches, middleware changes: `ctx.middleware(kind, (input, next) => …)`. Each wraps the next, the first registered is outermost, and `next(changes)` goes on.",
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
    `${when}${calls ? "" : " Nothing in this version calls it yet."}`,
    `- kind: ${code(HOOK_KINDS[name])}`,
    `- payload: ${keys.length === 0 ? "an object" : keys.map((key) => code(key)).join(", ")}`,
    `- answer: ${answer ?? "ignored"}`,
  ]
    .join("\n\n")
    .replaceAll("\n\n- ", "\n- ")
    .replace("\n- kind", "\n\n- kind");
}

/** A hook that is never called is no promise, so the page says which are. */
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
