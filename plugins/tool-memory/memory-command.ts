import { textOf, UserError, type CommandContext, type Fact, type PluginContext } from "hermes-agent/plugin";
import { applyPlan, type Change, type Plan } from "./changes.ts";
import { changes, entriesOf, entryOf, isLost, storeFor, textsOf, type Entry } from "./entries.ts";
import { parseNotes, printNotes, sizeOf, usageOf, type Store, type Target } from "./notes.ts";
import { dropPending, readPending, type Pending } from "./pending.ts";
import { operationsOf, targetOf } from "./operations.ts";
import { writeNotes } from "./use-memory.ts";

const USAGE =
  "Usage: /memory [list|why ID|log [N]|revert ID|edit ID TEXT|remove ID|pending|approve ID|reject ID|approval].";
const SHOWN = 20;
const PREVIEW_CHARS = 70;
const USER = { by: "person" } as const;

/** `/memory` and `hermes memory list|why|log|revert|edit …`: the agent's notes, with the author of each. */
export async function memoryCommand(args: string, call: CommandContext, ctx: PluginContext): Promise<string> {
  const [, verb = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(args.trim()) ?? [];
  const [, id = "", text = ""] = /^(\S*)\s*([^]*)$/.exec(rest) ?? [];
  switch (verb) {
    case "":
    case "list":
      return rest === "--json" ? (await import("./memory-json.ts")).listJson(ctx) : list(ctx);
    case "log":
      if (rest === "--json") return (await import("./memory-json.ts")).logJson(ctx);
      return log(rest === "" ? SHOWN : Number(rest), ctx);
    case "why":
      return rest === "" ? USAGE : why(await entryOf(rest, ctx), ctx);
    case "revert":
    case "undo":
      return id === "" ? USAGE : revert(id, call, ctx);
    case "edit":
      if (id === "" || text === "") return "Usage: /memory edit ID TEXT: the entry's whole new text.";
      return change(await entryOf(id, ctx), text, call, ctx);
    case "remove":
      return id === "" ? USAGE : change(await entryOf(id, ctx), undefined, call, ctx);
    case "pending":
      if (rest === "--json") return (await import("./memory-json.ts")).pendingJson(ctx);
      return pendingList(await readPending(ctx));
    case "approve":
    case "reject":
      return id === "" ? `Usage: /memory ${verb} ID, or /memory ${verb} all.` : decide(verb, id, ctx);
    case "approval":
      return ctx.setting("memory.write_approval") === true
        ? "Each change of the notes needs your approval. Turn that off with: hermes config set memory.write_approval false"
        : "The agent may change its notes without asking, unless a conversation contains untrusted content. To approve each change: hermes config set memory.write_approval true";
    default:
      return USAGE;
  }
}

async function list(ctx: PluginContext): Promise<string> {
  const sections: string[] = [];
  for (const target of ["user", "memory"] as const) {
    const store = storeFor(target, ctx);
    const entries = await entriesOf(target, ctx);
    const rows = entries.map(
      ({ id, text, change: made }) =>
        `  ${id.padEnd(8)} ${made === undefined ? "written by hand" : authorOf(made)}  ${line(text)}`,
    );
    const use = usageOf(
      entries.map((entry) => entry.text),
      store.limit,
    );
    sections.push(
      [
        `${store.path} (${use} characters)${store.enabled ? "" : ", off"}`,
        ...(rows.length === 0 ? ["  (empty)"] : rows),
      ].join("\n"),
    );
  }
  const waiting = (await readPending(ctx)).length;
  if (waiting > 0)
    sections.push(`${waiting} ${waiting === 1 ? "change waits" : "changes wait"} for your approval: /memory pending`);
  return sections.join("\n\n");
}

async function log(count: number, ctx: PluginContext): Promise<string> {
  if (!Number.isInteger(count) || count < 1) return "Usage: /memory log, or /memory log N for the last N changes.";
  const all = await changes(ctx);
  if (all.length === 0) return "No changes yet.";
  const known = new Map<Target, readonly string[]>();
  for (const target of ["memory", "user"] as const) known.set(target, await textsOf(target, ctx));
  const taken = new Set(all.flatMap(({ reverts }) => reverts ?? []));
  return all
    .slice(-count)
    .toReversed()
    .map((one) => {
      const state = taken.has(one.id)
        ? " (reverted)"
        : isLost(one, all, known.get(one.target) ?? [])
          ? " (not in the file)"
          : "";
      return `${one.id.padEnd(8)} ${authorOf(one)}  ${one.target}: ${whatOf(one)}${state}`;
    })
    .join("\n");
}

async function why({ target, text, change: made, id }: Entry, ctx: PluginContext): Promise<string> {
  const head = [`${id}: ${text}`, `in      ${storeFor(target, ctx).path}`];
  if (made === undefined)
    return [...head, "by      no recorded change: it was written into the file by hand"].join("\n");
  const chain = chainOf(made, await changes(ctx));
  const about = await Promise.all(chain.map((one) => storyOf(one, ctx)));
  return [...head, ...about.flat(), `undo    /memory revert ${made.id}`].join("\n");
}

/** The changes that led to this one, newest first. */
function chainOf(last: Change, all: readonly Change[]): readonly Change[] {
  const chain = [last];
  for (
    let at = all.findIndex(({ id }) => id === last.id) - 1, wanted = last.before;
    at >= 0 && wanted !== undefined;
    at--
  ) {
    const one = all[at]!;
    if (one.target !== last.target || one.after !== wanted) continue;
    chain.push(one);
    wanted = one.before;
  }
  return chain;
}

async function storyOf(one: Change, ctx: PluginContext): Promise<readonly string[]> {
  const lines = [`${one.before === undefined ? "added" : "changed"}   ${authorOf(one)} (change ${one.id})`];
  if (one.before !== undefined) lines.push(`before  ${line(one.before)}`);
  if (one.session === undefined) return lines;
  const { number, asked, sources, approved } = await turnOf(one, ctx);
  lines.push(`session ${one.session}${number === 0 ? ", which no longer exists" : `, turn ${number}`}`);
  if (asked !== "") lines.push(`asked   ${line(asked)}`);
  if (sources.length > 0) lines.push(`read    untrusted content from ${sources.join(", ")}`);
  if (approved) lines.push("consent you approved this change");
  return lines;
}

/** What the session's facts say about the turn of a change. `number` is 0 if the session was deleted. */
async function turnOf({ session, turn, call }: Change, { sessions }: PluginContext) {
  let started = 0;
  let number = 0;
  let asked = "";
  let approved = false;
  const sources = new Set<string>();
  const note = (fact: Fact): void => {
    if (fact.type === "turn.started") {
      started++;
      if (fact.turnId === turn) number = started;
    }
    if (fact.type === "message.added" && fact.turnId === turn && fact.origin === "person") asked = textOf(fact.parts);
    if (fact.type === "approval.given" && fact.callId === call) approved = fact.decision.kind === "allow";
    const parts =
      fact.type === "message.added"
        ? fact.parts
        : fact.type === "tool.settled" && fact.outcome.kind === "ok"
          ? fact.outcome.shown
          : [];
    for (const { from } of parts) if (from !== undefined) sources.add(from.source);
  };
  try {
    for await (const { fact } of sessions.facts(session ?? "")) {
      if (fact.type === "tool.settled" && fact.callId === call) break;
      note(fact);
    }
  } catch {
    // It was deleted or pruned.
  }
  return { number, asked, approved, sources: [...sources] };
}

async function revert(id: string, call: CommandContext, ctx: PluginContext): Promise<string> {
  const all = await changes(ctx);
  const one = all.find((each) => each.id === id);
  if (one === undefined) throw new UserError(`There is no change "${id}".`, { hint: "/memory log lists the changes." });
  const { before, after, target } = one;
  const store = storeFor(target, ctx);
  await applyPlan(store, { ...USER, ...placeOf(call), reverts: id }, ctx, (entries): Plan => {
    const at = after === undefined ? -1 : entries.indexOf(after);
    if (after !== undefined && at < 0)
      throw new UserError(`The entry of change ${id} is not in ${store.path} any more.`, {
        hint: "A later change replaced it: revert that one first. /memory log lists the changes.",
      });
    if (before !== undefined && entries.includes(before))
      throw new UserError(`Change ${id} is reverted already: its earlier text is in ${store.path}.`);
    const next =
      before === undefined
        ? entries.filter((_, index) => index !== at)
        : at < 0
          ? [...entries, before]
          : entries.map((entry, index) => (index === at ? before : entry));
    return fitting({ entries: next, pairs: [{ before: after, after: before }] }, entries, store);
  });
  return `Reverted ${id}: ${before === undefined ? `removed “${line(after ?? "")}”` : `“${line(before)}” is back`}. New sessions read it.`;
}

/** @param text Absent: removes the entry. */
async function change(
  entry: Entry,
  text: string | undefined,
  call: CommandContext,
  ctx: PluginContext,
): Promise<string> {
  const store = storeFor(entry.target, ctx);
  const content = text?.trim();
  if (content !== undefined && parseNotes(content).length !== 1)
    throw new UserError("A line with only § separates entries; the text of one entry cannot contain it.");
  if (content !== undefined && ctx.redact(content) !== content)
    throw new UserError("The text contains a secret, which every new session would read. Nothing was changed.");
  await applyPlan(store, { ...USER, ...placeOf(call) }, ctx, (entries): Plan => {
    if (!entries.includes(entry.text))
      throw new UserError(`The entry ${entry.id} was changed meanwhile. Nothing was changed.`);
    if (content === entry.text) return { entries, pairs: [] };
    const next = entries.flatMap((one) => (one !== entry.text ? [one] : content === undefined ? [] : [content]));
    return fitting({ entries: next, pairs: [{ before: entry.text, after: content }] }, entries, store);
  });
  return content === undefined ? `Removed “${line(entry.text)}”.` : `Changed ${entry.id}. New sessions read it.`;
}

/** @throws {UserError} if the file would be longer than its limit, and than before. */
function fitting(plan: Plan, before: readonly string[], { path, limit }: Store): Plan {
  const size = sizeOf(printNotes(plan.entries));
  if (size > limit && size > sizeOf(printNotes(before)))
    throw new UserError(`${path} would have ${size} characters; its limit is ${limit}. Nothing was changed.`, {
      hint: "Shorten or remove other entries first.",
    });
  return plan;
}

async function decide(verb: "approve" | "reject", id: string, ctx: PluginContext): Promise<string> {
  const all = await readPending(ctx);
  const chosen = all.filter((one) => id === "all" || one.id === id);
  if (chosen.length === 0)
    throw new UserError(id === "all" ? "No change waits for your approval." : `No pending change has the id "${id}".`, {
      hint: "/memory pending lists them.",
    });
  const done: string[] = [];
  for (const { id: one, input, by, session, turn, call } of chosen) {
    if (verb === "approve") await writeNotes(input, { by, session, turn, call }, (path) => ctx.setting(path), ctx);
    await dropPending(one, ctx);
    done.push(one);
  }
  return `${verb === "approve" ? "Saved" : "Rejected"}: ${done.join(", ")}.${verb === "approve" ? " New sessions read it." : ""}`;
}

function pendingList(all: readonly Pending[]): string {
  if (all.length === 0) return "No change waits for your approval.";
  const rows = all.map(({ id, at, by, session, input }) => {
    const what = operationsOf(input)
      .map(({ action, content, oldText }) => `${action} “${line(content === "" ? oldText : content)}”`)
      .join("; ");
    return `${id.padEnd(8)} ${dateOf(at)} ${nameOf(by)}${session === undefined ? "" : ` in ${session}`}  ${targetOf(input)}: ${what}`;
  });
  return [...rows, "Decide with: /memory approve ID, or /memory reject ID (or all)"].join("\n");
}

function placeOf({ sessionId }: CommandContext): { readonly session?: string } {
  return sessionId === "" ? {} : { session: sessionId };
}

function authorOf({ at, by, session }: Change): string {
  return `${dateOf(at)} ${nameOf(by)}${session === undefined ? "" : ` in ${session}`}`;
}

function nameOf(by: string): string {
  return by === "person" ? "you" : by === "model" ? "the agent" : `a ${by}`;
}

function whatOf({ before, after, reverts }: Change): string {
  const how = reverts === undefined ? "" : `reverted ${reverts}: `;
  if (before === undefined) return `${how}added “${line(after ?? "")}”`;
  return after === undefined ? `${how}removed “${line(before)}”` : `${how}“${line(before)}” → “${line(after)}”`;
}

/** Local time. */
function dateOf(at: number): string {
  const date = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace("T", " ");
}

function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= PREVIEW_CHARS ? flat : `${flat.slice(0, PREVIEW_CHARS - 1)}…`.toWellFormed();
}
