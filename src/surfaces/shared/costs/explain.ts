import type { Recorded } from "../../../contract/conversation/fact.ts";
import type { ToolOffer, Usage } from "../../../contract/providers/model.ts";
import type { LedgerRow } from "../../../contract/services/cost-service.ts";

/** Average for English text and code. */
const CHARS_PER_TOKEN = 3.8;
const EXCERPT = 24;
/** Providers keep a cached prefix for five minutes, unless asked for an hour. */
const CACHE_MS = 300_000;
/** A request that reads less than this share of what the one before had read lost its cache. */
const LOST = 0.5;

/** A difference between two prefixes: the first byte that changed. */
export interface PrefixChange {
  readonly where: "system prompt" | "tool list";
  /** UTF-8 offset of the first changed byte in the text, from 0. */
  readonly byte: number;
  /** The tool whose entry has that byte. */
  readonly tool?: string;
  readonly before: string;
  readonly after: string;
}

/** A request that read much less from the provider's cache than the one before it. */
export interface CacheBreak {
  /** Epoch ms. */
  readonly at: number;
  readonly cause: "prefix" | "compaction" | "undo" | "model" | "idle" | "unknown";
  readonly change?: PrefixChange;
  /** For `prefix`: why Hermes built it again. For `model`: the names. For `idle`: minutes. */
  readonly detail?: string;
  readonly cachedBefore: number;
  readonly cachedAfter: number;
  readonly inputTokens: number;
  /** Of the request after the change; `undefined`: unknown. */
  readonly costUsd: number | undefined;
}

export interface Explanation {
  readonly breaks: readonly CacheBreak[];
  /** Changes of the prefix that cost nothing: no cache was used before. */
  readonly changes: readonly (PrefixChange & { readonly at: number; readonly reason: string })[];
  /** Estimated tokens that the session sent first or got, by what they are. */
  readonly tokens: {
    readonly systemPrompt: number;
    readonly toolSchemas: number;
    readonly userMessages: number;
    readonly answers: number;
    readonly toolResults: number;
  };
}

interface Prefix {
  readonly system: string;
  readonly tools: readonly ToolOffer[];
}

/** The first byte in which two prefixes differ; `undefined` if they are the same. */
export function prefixChange(before: Prefix, after: Prefix): PrefixChange | undefined {
  const systems = difference(before.system, after.system);
  if (systems !== undefined) return { where: "system prompt", ...systems };
  const texts = [before.tools, after.tools].map((tools) => JSON.stringify(tools)) as [string, string];
  const tools = difference(...texts);
  return tools && { where: "tool list", tool: toolAt(after.tools, tools.byte), ...tools };
}

function difference(
  before: string,
  after: string,
): { readonly byte: number; readonly before: string; readonly after: string } | undefined {
  if (before === after) return undefined;
  const [left, right] = [Buffer.from(before), Buffer.from(after)];
  let byte = 0;
  while (byte < left.length && byte < right.length && left[byte] === right[byte]) byte++;
  const excerpt = (of: Buffer): string => {
    let from = byte;
    while (from > 0 && (of[from] ?? 0) >> 6 === 2) from--;
    return of
      .subarray(from, from + EXCERPT)
      .toString()
      .replaceAll("\uFFFD", "");
  };
  return { byte, before: excerpt(left), after: excerpt(right) };
}

/** The tool whose JSON has that byte. */
function toolAt(tools: readonly ToolOffer[], byte: number): string | undefined {
  let end = 1;
  for (const tool of tools) {
    end += Buffer.byteLength(JSON.stringify(tool)) + 1;
    if (byte < end) return tool.name;
  }
  return tools.at(-1)?.name;
}

/** What made a session's requests expensive: lost caches, and what its tokens are. */
export function explainCosts(facts: readonly Recorded[], rows: readonly LedgerRow[]): Explanation {
  const costs = new Map(rows.flatMap((row) => (row.requestId === undefined ? [] : [[row.requestId, row.costUsd]])));
  const breaks: CacheBreak[] = [];
  const changes: (PrefixChange & { at: number; reason: string })[] = [];
  const tokens = { systemPrompt: 0, toolSchemas: 0, userMessages: 0, answers: 0, toolResults: 0 };
  let prefix: Prefix | undefined;
  let last: { readonly usage: Usage; readonly at: number; readonly model: string } | undefined;
  let model = "";
  let why: Pick<CacheBreak, "cause" | "change" | "detail"> | undefined;
  for (const { at, fact } of facts) {
    switch (fact.type) {
      case "prefix.fixed": {
        const change = prefix && prefixChange(prefix, fact);
        if (change !== undefined) {
          changes.push({ ...change, at, reason: fact.reason });
          why = { cause: "prefix", change, detail: fact.reason };
        }
        prefix = { system: fact.system, tools: fact.tools };
        break;
      }
      case "context.compacted":
        why ??= { cause: "compaction" };
        break;
      case "turns.undone":
        why ??= { cause: "undo" };
        break;
      case "model.asked":
        model = fact.model;
        break;
      case "message.added":
        tokens.userMessages += tokensOf(JSON.stringify(fact.parts));
        break;
      case "tool.settled":
        tokens.toolResults += tokensOf(JSON.stringify(fact.outcome));
        break;
      case "model.answered": {
        tokens.answers += fact.usage.outputTokens;
        const { cacheReadTokens: cachedAfter, inputTokens } = fact.usage;
        const cachedBefore = last === undefined ? 0 : last.usage.cacheReadTokens + last.usage.cacheWriteTokens;
        if (last !== undefined && cachedAfter < cachedBefore * LOST) {
          const idleMs = at - last.at;
          const cause =
            why ??
            (last.model !== model
              ? { cause: "model" as const, detail: `${last.model} → ${model}` }
              : idleMs > CACHE_MS
                ? { cause: "idle" as const, detail: `${Math.round(idleMs / 60_000)} min` }
                : { cause: "unknown" as const });
          breaks.push({ at, ...cause, cachedBefore, cachedAfter, inputTokens, costUsd: costs.get(fact.requestId) });
        }
        why = undefined;
        last = { usage: fact.usage, at, model };
        break;
      }
    }
  }
  if (prefix !== undefined) {
    tokens.systemPrompt = tokensOf(prefix.system);
    tokens.toolSchemas = tokensOf(JSON.stringify(prefix.tools));
  }
  return { breaks, changes, tokens };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
