import { makeVisible, UserError, withoutLogin } from "hermes-agent/plugin";
import type { Service, Options } from "../command/command-services.ts";
import { readTaps, sourceNamed } from "./hub-state.ts";
import { allSources } from "./sources/all-sources.ts";
import { DEFAULT_TAPS } from "./sources/github.ts";
import { SOURCE_IDS, type Hit, type Searched, type SkillSource } from "./sources/skill-source.ts";

/**
 * Finds skills by name and description in all sources, one source, or one tap. Reports sources that fail and
 * continues with the others.
 */
export async function search(
  words: readonly string[],
  { source, json, limit }: Options,
  { shelf, say, signal, web }: Service,
): Promise<number> {
  const most = Number(limit ?? 25);
  if (!Number.isInteger(most) || most < 1)
    throw new UserError(`--limit must be a number, not ${JSON.stringify(limit)}.`, { exitCode: 2 });
  const given = source === undefined || source === "all" ? undefined : String(source);
  const sources = allSources({ shelf, ...web, signal });
  const one = sources.find(({ id }) => id === given);
  const tap = given === undefined || one !== undefined ? undefined : tapNamed(given, shelf.folder);
  const asked = one !== undefined ? [one] : tap !== undefined ? sources.filter(({ id }) => id === "github") : sources;
  const looked = words.map((word) => word.toLowerCase());
  const searched = (await Promise.all(asked.map((each) => searchOne(each, looked, most, tap)))).flat();
  const all = searched.flatMap(({ hits }) => hits);
  const hits = all.slice(0, most);
  const failed = searched.flatMap(({ place, failed: why }) => (why === undefined ? [] : [`! ${place}: ${why}`]));
  if (json === true) say(JSON.stringify(hits, null, 2));
  else
    say(
      [
        ...hits.map(lineOf),
        ...(hits.length === 0
          ? ["No skills found."]
          : all.length > most
            ? [`… and ${all.length - most} more: --limit N, or --source for one source.`]
            : []),
        ...failed,
      ].join("\n"),
    );
  return hits.length === 0 && failed.length > 0 ? 1 : 0;
}

async function searchOne(
  source: SkillSource,
  words: readonly string[],
  most: number,
  tap: string | undefined,
): Promise<readonly Searched[]> {
  try {
    return await source.search(words, most, tap);
  } catch (cause) {
    if (!(cause instanceof UserError) || cause.exitCode === 78) throw cause;
    return [{ place: source.id, hits: [], failed: cause.message.split("\n", 1)[0]! }];
  }
}

function tapNamed(given: string, skills: string): string {
  const tap = sourceNamed(given);
  if (![...readTaps(skills), ...DEFAULT_TAPS].some(({ repo }) => repo === tap))
    throw new UserError(`"${withoutLogin(given)}" is not a tap or a source.`, {
      hint: `\`hermes skills tap add\` adds a tap; sources are ${SOURCE_IDS.join(", ")}.`,
      exitCode: 2,
    });
  return tap;
}

/** Untrusted content, reduced to one line. */
function lineOf({ identifier, description }: Hit): string {
  return `${identifier}  ${makeVisible(description.replaceAll(/\s+/g, " ").trim()).slice(0, 100).toWellFormed()}`;
}
