import { UserError, type SkillShelf } from "hermes-agent/plugin";
import type { Service } from "../command/command-services.ts";
import { readTaps } from "./hub-state.ts";
import { offeredIn, type Offered } from "./offered.ts";
import { sourceFor } from "./sources/all-sources.ts";
import type { Fetched, SourceId } from "./sources/skill-source.ts";

/** The one skill that was meant, in a folder of the caller's. */
export interface Chosen {
  readonly skill: Offered;
  readonly fetched: Fetched;
  readonly source: SourceId;
}

/** Downloads the skill that the user named. @throws {UserError} listing the skills if it does not match exactly one. */
export async function fetchOne(
  from: string,
  into: string,
  { shelf, web, signal }: Pick<Service, "shelf" | "web" | "signal">,
): Promise<Chosen> {
  const source = sourceFor(from, { shelf, ...web, signal });
  const fetched = await source.fetch(from, into);
  return { skill: await choose(fetched, from, shelf), fetched, source: source.id };
}

async function choose({ root, url, path, headsOnly }: Fetched, from: string, shelf: SkillShelf): Promise<Offered> {
  const offered = await offeredIn(root, shelf);
  const tap = readTaps(shelf.folder).find(({ repo }) => from.startsWith(`${repo}/`));
  const wanted = path ?? (tap === undefined ? undefined : from.slice(tap.repo.length + 1));
  const wayTo = ({ folder }: Offered): string => folder.slice(root.length + 1);
  const named =
    wanted === undefined
      ? offered
      : offered.filter((one) => one.name === wanted || wayTo(one) === wanted || one.folder.endsWith(`/${wanted}`));
  const exact = named.filter((one) => wayTo(one) === wanted);
  const found = exact.length === 1 ? exact : named;
  const [only] = found;
  if (only !== undefined && found.length === 1 && headsOnly !== true) return only;
  const names = (found.length > 0 ? found : offered).map((one) => wayTo(one) || one.name);
  if (names.length === 0)
    throw new UserError(`There is no skill in ${url}.`, { hint: "A skill is a folder with a SKILL.md." });
  throw new UserError(
    wanted === undefined
      ? `${url} holds ${offered.length} skills.`
      : found.length > 1
        ? `"${wanted}" matches several skills of ${url}.`
        : `There is no skill "${wanted}" in ${url}.`,
    { hint: `Add the name of one: ${names.slice(0, 30).join(", ")}.`, exitCode: 2 },
  );
}
