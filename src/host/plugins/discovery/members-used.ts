import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FoundPlugin } from "./discovery.ts";
import { OFFERS, refusalWords, snake, type Member, type Offer, type Refusal } from "../registry/offers.ts";
import type { HostKind } from "../registry/plugin-hosts.ts";

/** A member of the context that a plugin's code names and its runtime does not have. */
export interface RefusedUse {
  readonly member: string;
  /** File and line. */
  readonly at: string;
  readonly words: string;
}

/** A longer file was not written by hand. */
const MAX_CODE = 1_000_000;

/**
 * Finds the context members that the plugin's text uses and its runtime lacks, each once. Reads the text without
 * running it, so it misses members that are used under another name.
 */
export function refusedUses(plugin: FoundPlugin, host: HostKind): readonly RefusedUse[] {
  // The spelling in other languages is unknown.
  if (host === "here" || host === "program") return [];
  const refused = Object.entries(OFFERS).flatMap(([member, offer]) => {
    const refusal = refusalOf(offer, plugin, host);
    // If a member is refused, everything it returns is refused with it.
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

/** Whether the plugin runs in the agent because of what it uses while it registers. */
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
  // A user's own plugin then runs where the member works.
  return node?.inAgent === true && untrusted !== true ? undefined : node;
}

function spelled(member: string, { python }: Offer): string {
  return typeof python === "string" ? python : snake(member);
}

/** Without the text behind a comment sign. */
function linesOf(file: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return []; // The file disappeared meanwhile, so it does not run either.
  }
  if (text.length > MAX_CODE) return [];
  return text.split("\n").map((line) => line.replace(/^\s*(\/\/|#|\*).*/, ""));
}
