import type { Risk } from "../../contract/tools/approval.ts";
import { authorOf, ToolFailure } from "../../contract/common/failure.ts";
import { shownOf, toSettled, type ToolOutcome } from "../../contract/tools/outcome.ts";
import type { UntrustedSource, Part, Provenance } from "../../contract/conversation/part.ts";
import type { Egress } from "../../contract/tools/assessment.ts";
import { hostOf } from "../../safety/paths/workspace.ts";
import { makeVisible } from "../../safety/text/visible.ts";
import type { Assessed } from "./assess.ts";
import type { Call } from "../dispatch/call.ts";
import type { UntrustedState } from "../ports.ts";
import { isCompatTool } from "../tools/compat-tool.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/**
 * The egress of a call, as a separate risk, while the conversation holds untrusted content: its author may be the one
 * who wants the call. Only the user can approve it, for this one call, and the dialog names the sources.
 */
export function untrustedRisk(call: Call, assessment: Assessed): Risk | undefined {
  const { untrusted } = call.session;
  if (untrusted === undefined || call.request.by === "person") return undefined;
  const egress = egressOf(call.tool.name, assessment);
  const unnamed = egress.filter((one) => one.kind === "fetch" && !isUsers(one, untrusted));
  const listed = untrusted.listed(unnamed);
  call.journal.requested = pagesByHost(listed);
  const reached = egress.filter((one) =>
    one.kind === "fetch" ? unnamed.includes(one) && !listed.includes(one) : one.kind !== "run" || untrusted.changed,
  );
  if (reached.length === 0) return undefined;
  const ofSession = reached.every((one) => sessionKey(one, untrusted) !== undefined);
  const sources = untrusted.sources.slice(-SOURCES_SHOWN).toReversed().map(shortSource);
  const more = untrusted.sources.length - sources.length;
  return {
    answer: "ask",
    key: [...new Set(reached.map((one) => sessionKey(one, untrusted) ?? KEYS[one.kind]))].join(" + "),
    reasons: [
      `This conversation holds text from ${sources.join(", ")}${more > 0 ? ` and ${more} more` : ""}. The author of that text may be the one who wants this call.`,
      ...reached.map(({ kind, what }) => `${VERBS[kind]} ${makeVisible(what)}.`),
    ],
    effects: [],
    fresh: ofSession ? "session" : true,
  };
}

/** The user wrote the address or, for the links and buttons of an open page, its site. */
function isUsers({ what, site }: Egress, { said, named }: UntrustedState): boolean {
  return site === undefined ? said(what) : named(site);
}

function pagesByHost(requests: readonly Egress[]): { readonly [host: string]: number } {
  const pages: { [host: string]: number } = {};
  for (const { what, site, pages: count = 1 } of requests) {
    const host = site ?? new URL(what.trim()).host;
    pages[host] = (pages[host] ?? 0) + count;
  }
  return pages;
}

/** The class that one approval may cover for the whole session; `undefined` if each call needs its own. */
function sessionKey({ kind, service, site }: Egress, { named }: UntrustedState): string | undefined {
  if (kind === "send" && service !== undefined) return `data sent to ${makeVisible(service)} after untrusted content`;
  if (kind === "send" && site !== undefined && named(site))
    return `text typed into pages of ${makeVisible(site)} after untrusted content`;
  return kind === "fetch" && site !== undefined
    ? `pages of ${makeVisible(site)} used after untrusted content`
    : undefined;
}

const SOURCES_SHOWN = 3;
const KEYS: { readonly [kind in Egress["kind"]]: string } = {
  send: "data sent out after untrusted content",
  fetch: "request to an address after untrusted content",
  run: "changed code run after untrusted content",
  code: "code run after untrusted content",
  change: "instructions changed after untrusted content",
};
const VERBS: { readonly [kind in Egress["kind"]]: string } = {
  send: "Sends data to",
  fetch: "Requests an address that may carry data:",
  run: "Runs code of this folder, where files have changed since:",
  code: "Runs code that no one has reviewed:",
  change: "Changes",
};

function egressOf(tool: string, { effect, egress }: Assessed): readonly Egress[] {
  if (egress !== undefined) return egress;
  if (effect === "network") return [{ kind: "send", what: `the service of ${tool}` }];
  return effect === "execute" ? [{ kind: "code", what: tool }] : [];
}

/** Calls an assessment's function for the source of untrusted content, and stores the answer in the assessment. */
export async function resolveUntrusted(call: Call): Promise<void> {
  const { assessment, entry, ports, request } = call;
  if (typeof assessment?.untrusted !== "function") return;
  let untrusted: UntrustedSource | false;
  try {
    untrusted = await assessment.untrusted();
  } catch (cause) {
    ports.log.error(`The tool "${entry.name}" failed to report the source of its result, which counts as untrusted.`, {
      cause,
      callId: request.callId,
    });
    untrusted = { source: entry.name };
  }
  call.assessment = { ...assessment, untrusted };
}

/** Where the untrusted content in the call's result comes from, as its assessment reports it. */
export function provenanceOf(call: Call): Provenance | undefined {
  const { tool, entry, assessment } = call;
  const { effect, untrusted } = assessment ?? {};
  if (typeof untrusted === "object") return authored(call, untrusted);
  // A Python-compatible tool does not report what it does; its effect is only assumed.
  return untrusted === undefined && effect === "network" && !isCompatTool(tool)
    ? authored(call, { source: entry.name })
    : undefined;
}

/** The source of the untrusted text that a tool's failure repeats, if the failure names one. */
export function authorOfFailure(call: Call, cause: unknown): { readonly from?: Provenance } {
  const words = authorOf(cause);
  return words === undefined ? {} : { from: authored(call, words) };
}

function authored({ entry, ports }: Call, { source, host, kept: saved }: UntrustedSource): Provenance {
  return {
    trust: "foreign",
    owner: entry.owner,
    tool: entry.name,
    source: makeVisible(ports.redact(source)),
    host,
    kept: saved === true ? saved : undefined,
  };
}

/**
 * Records that a tool accesses the network. The result is then untrusted; an undeclared access is refused once the
 * session holds untrusted content.
 */
export function noteFetch({ session, request, entry, journal, assessment }: Call, url: string): void {
  const text = assessment?.egress !== undefined || assessment?.effect === "network";
  if (session.untrusted !== undefined && request.by !== "person" && !text) {
    throw new ToolFailure(
      "blocked",
      `"${entry.name}" was denied network access: this conversation holds text from ${shortSource(session.untrusted.sources.at(-1) ?? "elsewhere")}, and the tool did not declare network access, so no approval was requested.`,
      { hint: 'The author of the plugin must declare `effect: "network"`, or return `egress` from `assess`.' },
    );
  }
  journal.fetched ??= url;
}

/** Of a tool that does not say whose words it brings: those of the first address it asked. */
export function fetchedWords(call: Call): Provenance | undefined {
  const { assessment, journal } = call;
  if (journal.fetched === undefined || assessment?.untrusted !== undefined) return undefined;
  const host = hostOf(journal.fetched);
  return authored(call, { source: journal.fetched, host });
}

/** Marks that a call's result contains untrusted content; results of the tool that made the call may repeat it. */
export function notePassedOn({ entry, journal }: Call, outcome: ToolOutcome): void {
  const from = shownOf(toSettled(outcome)).find((part) => part.from !== undefined)?.from;
  if (from === undefined) return;
  const saved = from.kept === true || journal.passedOn?.kept === true;
  const { kept: _, ...first } = journal.passedOn ?? { ...from, owner: entry.owner, tool: entry.name };
  journal.passedOn = { ...first, kept: saved || undefined };
}

/** For a call whose subagents read untrusted content: its result may repeat it. */
export function broughtWords(call: Call): Provenance | undefined {
  if (call.journal.brought === undefined) return undefined;
  const { sources, kept: saved } = call.journal.brought;
  return authored(call, {
    source: `a subagent that read ${sources.map(shortSource).join(", ")}`,
    kept: saved || undefined,
  });
}

/** The outcome with its author on every block that carries the tool's words. */
export function signed(outcome: ToolOutcome, from: Provenance | undefined): ToolOutcome {
  if (from === undefined) return outcome;
  if (outcome.kind === "ok") return { ...outcome, shown: outcome.shown.map((part): Part => ({ ...part, from })) };
  if (outcome.kind !== "failed" && outcome.kind !== "unknown") return outcome;
  // The source that the failure itself names is more precise.
  return {
    ...outcome,
    from:
      outcome.from === undefined
        ? from
        : { ...outcome.from, ...definedFields({ kept: from.kept === true ? true : undefined }) },
  };
}

function shortSource(source: string): string {
  return source.length > 120 ? `${source.slice(0, 117)}…` : source;
}
