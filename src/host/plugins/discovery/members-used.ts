import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FoundPlugin } from "./discovery.ts";
import { OFFERS, refusalWords, snake, type Member, type Offer, type Refusal } from "../registry/offers.ts";
import type { HostKind } from "../registry/plugin-hosts.ts";

/** A member of the context that a plugin's code names and its host does not have. */
export interface RefusedUse {
  readonly member: string;
  /** File and line. */
  readonly at: string;
  readonly words: string;
}

/** Longer is no code that somebody wrote. */
const MAX_CODE = 1_000_000;

/** What the plugin's text asks of its context in vain, each member once. It is read and not run, so what is asked for by another name is not seen. */
export function refusedUses(plugin: FoundPlugin, host: HostKind): readonly RefusedUse[] {
  // Of another language nobody knows how it is spelled.
  if (host === "here" || host === "program") return [];
  const refused = Object.entries(OFFERS).flatMap(([member, offer]) => {
    const refusal = refusalOf(offer, plugin, host);
    // What a refused member would hand out is refused with it.
    if (member.includes(".") && refusalOf(OFFERS[member.split(".")[0] as Member], plugin, host) === refusal) return [];
    return refusal === undefined ? [] : [[host === "python" ? spelled(member, offer) : member, refusal] as const];
  });
  const found = new Map<string, RefusedUse>();
  for (const [name] of plugin.files) {
    if (!(host === "python" ? /\.py$/ : /\.[mc]?[jt]s$/).test(name)) continue;
    const lines = linesOf(join(plugin.dir, name));
    for (const [spelling, refusal] of refused) {
      const pattern = new RegExp(`\\b_?ctx\\s*\\??\\.\\s*${spelling.replace(".", String.raw`\s*\??\.\s*`)}\\b`);
      const line = lines.findIndex((text) => pattern.test(text));
      if (line >= 0 && !found.has(spelling))
        found.set(spelling, {
          member: spelling,
          at: `${name}:${line + 1}`,
          words: refusalWords(plugin.key, spelling, refusal),
        });
    }
  }
  return [...found.values()];
}

/** Whether it is run in the agent for what it asks for while it registers. */
export function isMovedIntoAgent(plugin: FoundPlugin, host: HostKind): boolean {
  if (host !== "node" || plugin.foreign === true) return false;
  const moving = Object.entries(OFFERS).filter(([, { node }]) => node?.inAgent === true);
  return moving.some(([member]) =>
    plugin.files.some(
      ([name]) =>
        /\.[mc]?[jt]s$/.test(name) &&
        linesOf(join(plugin.dir, name)).some((line) => new RegExp(`\\b_?ctx\\.${member}\\b`).test(line)),
    ),
  );
}

function refusalOf(
  { node, python, elsewhere }: Offer,
  { foreign: untrusted }: FoundPlugin,
  host: HostKind,
): Refusal | undefined {
  if (untrusted === true && elsewhere !== undefined) return elsewhere;
  if (host === "python") return typeof python === "string" ? undefined : python;
  // In one's own plugin that is enough to have it run where it works.
  return node?.inAgent === true && untrusted !== true ? undefined : node;
}

function spelled(member: string, { python }: Offer): string {
  return typeof python === "string" ? python : snake(member);
}

/** Without what stands behind a comment's sign. */
function linesOf(file: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return []; // It went meanwhile: then it is not run either.
  }
  if (text.length > MAX_CODE) return [];
  return text.split("\n").map((line) => line.replace(/^\s*(\/\/|#|\*).*/, ""));
}
