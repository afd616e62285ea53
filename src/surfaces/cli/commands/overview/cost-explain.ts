import { EXIT } from "../../../shared/process/exit-code.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { formatWallTime, wallTime } from "../../../../contract/common/wall-time.ts";
import { costText } from "../../../shared/costs/session-cost.ts";
import { explainCosts, type CacheBreak, type PrefixChange } from "../../../shared/costs/explain.ts";
import { dollars } from "../../../shared/display/dollars.ts";
import { printable } from "../../../shared/display/printable.ts";
import type { Call } from "../../program/call.ts";

/** `hermes cost explain SESSION`: where its tokens went, and what broke the provider's cache. */
export async function explainCost({ io, open }: Call, id: string, options: { readonly json?: boolean }): Promise<void> {
  if (id.trim() === "") throw new UserError("Name a session.", { exitCode: EXIT.usage });
  const app = await open();
  const session = await app.sessions.find(id);
  const [facts, rows, kinds] = await Promise.all([
    Array.fromAsync(app.sessions.facts(session.id)),
    app.costs.rows({ sessionId: session.id }),
    app.costs.by("kind", { sessionId: session.id }),
  ]);
  const explanation = explainCosts(facts, rows);
  if (options.json) return io.out(`${JSON.stringify({ sessionId: session.id, kinds, ...explanation }, null, 2)}\n`);
  const zone = app.config.get("timezone");
  const when = (at: number): string => formatWallTime(wallTime(at, typeof zone === "string" ? zone : ""), "%F %R");
  const { breaks, changes, tokens } = explanation;
  const lines = [
    io.styleOut("bold", "Requests"),
    ...kinds.map((kind) => `  ${kind.name}: ${kind.requests}, ${costText(kind) || "nothing charged"}`),
    "",
    io.styleOut("bold", "Tokens (estimated; each request sends those before it again)"),
    `  system prompt ${count(tokens.systemPrompt)} · tool schemas ${count(tokens.toolSchemas)} · messages ${count(tokens.userMessages)} · answers ${count(tokens.answers)} · tool results ${count(tokens.toolResults)}`,
    "",
    io.styleOut("bold", "Lost caches"),
    ...(breaks.length === 0 ? ["  none"] : breaks.map((one) => `  ${when(one.at)}  ${breakText(one)}`)),
  ];
  const silent = changes.filter(
    ({ at }) => !breaks.some(({ change, at: broken }) => change !== undefined && broken >= at),
  );
  for (const change of silent)
    lines.push(`  ${when(change.at)}  ${changeText(change)} (${change.reason}); no cache was in use`);
  io.out(`${lines.join("\n")}\n`);
}

const CAUSES: { readonly [C in CacheBreak["cause"]]: string } = {
  prefix: "the prefix changed",
  compaction: "a compaction replaced the beginning of the conversation",
  undo: "exchanges were taken back",
  model: "another model answered",
  idle: "the cache expired",
  unknown: "the provider dropped its cache",
};

function breakText({ cause, change, detail, cachedBefore, cachedAfter, inputTokens, costUsd }: CacheBreak): string {
  const why = change === undefined ? CAUSES[cause] : changeText(change);
  const more = detail === undefined ? "" : ` (${printable(detail)})`;
  const cost = costUsd === undefined ? "its cost is unknown" : `it cost ${dollars(costUsd)}`;
  return `${why}${more}: the next request read ${count(cachedAfter)} of ${count(inputTokens)} tokens from the cache instead of ${count(cachedBefore)}; ${cost}`;
}

function changeText({ where, byte, tool, before, after }: PrefixChange): string {
  const of = tool === undefined ? "" : `, tool ${printable(tool)}`;
  return `byte ${count(byte)} of the ${where}${of}: "${printable(before)}" became "${printable(after)}"`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
