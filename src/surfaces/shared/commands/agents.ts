import { UserError } from "../../../contract/common/failure.ts";
import type { Agent, BackgroundEnd, LeftBackground } from "../../../contract/services/agent-service.ts";
import { twoColumns } from "../display/two-columns.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands for work that runs beside the conversation. */

const PREVIEW_CHARS = 60;

/** `/background PROMPT`. */
export async function background(args: string, host: SlashHost): Promise<string> {
  if (args === "") return "Usage: /background PROMPT. It runs in a separate session; this one stays usable.";
  const { opening, scope, from, announce } = host.background!;
  const { id } = await host.app.agents.start({ prompt: args, opening: opening(), scope, from, announce });
  return `Started ${id} in the background: “${preview(args)}”. Its result appears here. /agents shows what it does.`;
}

/** `/agents` and `/agents stop ID`. */
export async function agents(args: string, host: SlashHost): Promise<string> {
  const [verb = "", id = "", ...rest] = args.split(/\s+/);
  const all = await visible(host);
  if (verb === "" || verb === "list") return list(all, host);
  if (verb !== "stop" || id === "" || rest.length > 0) return "Usage: /agents, or /agents stop ID.";
  const found = all.filter((agent) => agent.id === id || agent.id.startsWith(id));
  if (found.length !== 1)
    throw new UserError(
      found.length === 0 ? `No agent has the id "${id}".` : `${found.length} agents have ids that begin with "${id}".`,
      { hint: "/agents lists them." },
    );
  const [agent] = found;
  if (agent!.state === "in another process")
    throw new UserError(`${agent!.id} runs in another process.`, { hint: "Stop it where it was started." });
  return (await host.app.agents.stop(agent!.id)) ? `Stopped ${agent!.id}.` : `${agent!.id} has ended.`;
}

/** Ids for completion. */
export async function agentIds(host: SlashHost): Promise<readonly string[]> {
  return (await visible(host)).filter(({ state }) => state !== "in another process").map(({ id }) => `stop ${id}`);
}

/** A chat sees only its own. */
async function visible({ app, chat, background: place, session }: SlashHost): Promise<readonly Agent[]> {
  const all = await app.agents.list();
  if (chat === undefined) return all;
  return all.filter(({ scope, rootId }) => rootId === session().id || (scope !== undefined && scope === place?.scope));
}

function list(all: readonly Agent[], host: SlashHost): string {
  if (all.length === 0) return "No subagents and no background sessions. Start one with: /background PROMPT";
  const now = Date.now();
  const rows = all.map(({ id, kind, task, state, startedAt, tokens, doing }) => ({
    head: id,
    text: [
      `${kind}, ${state}`,
      elapsed(now - startedAt),
      ...(tokens === 0 ? [] : [`${tokens} tokens`]),
      ...(doing === undefined ? [] : [doing]),
      `“${preview(task)}”`,
    ].join(" · "),
  }));
  return `${twoColumns([rows], host.columns?.())}\nStop one with: /agents stop ID`;
}

/** What the user reads when a background session has ended. */
export function backgroundText({ id, prompt, reason, text, detail }: BackgroundEnd): string {
  const head =
    reason === "done"
      ? `✓ ${id} is done: “${preview(prompt)}”`
      : reason === "cancelled"
        ? `■ ${id} was stopped: “${preview(prompt)}”`
        : `✗ ${id} failed: “${preview(prompt)}”`;
  const body = [text.trim(), reason === "done" ? "" : (detail ?? "")].filter((part) => part !== "");
  return [head, ...body, ...(body.length === 0 ? ["(no answer)"] : [])].join("\n\n");
}

/** For a background session whose process was killed, on surfaces that do not resume it. */
export function endedText({ id, prompt }: LeftBackground, resume = `/resume ${id}`): string {
  return `The background session ${id} ended with its process: “${preview(prompt)}”. Resume it with: ${resume}`;
}

function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function preview(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= PREVIEW_CHARS ? line : `${line.slice(0, PREVIEW_CHARS - 1)}…`.toWellFormed();
}
