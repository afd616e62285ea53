import { UserError, withoutLogin } from "hermes-agent/plugin";
import type { Desk, Options } from "../command/desk.ts";
import { readTaps, sourceNamed, writeTaps, type Tap } from "./hub-state.ts";
import { offeredIn, openStage } from "./install.ts";

/** Repositories that are searched besides a person's own. */
const DEFAULTS: readonly Tap[] = ["openai/skills", "anthropics/skills"].map((repo) => ({ repo, path: "skills/" }));

/** `tap list`, `tap add REPO`, `tap remove REPO`. */
export async function tap([action = "list", given = ""]: readonly string[], _options: Options, { shelf, say, signal }: Desk): Promise<void> {
  const [taps, repo] = [readTaps(shelf.folder), sourceNamed(given)];
  if (action === "list") return say([...taps, ...DEFAULTS].map((one) => `${one.repo}${taps.includes(one) ? "" : "  (comes along)"}`).join("\n"));
  if (given === "" || (action !== "add" && action !== "remove")) throw new UserError("skills tap takes: list | add REPO | remove REPO", { exitCode: 2 });
  if (action === "remove") {
    if (!taps.some((one) => one.repo === repo)) throw new UserError(`"${repo}" is no tap.`, { hint: "`hermes skills tap list` shows them.", exitCode: 2 });
    writeTaps(shelf.folder, taps.filter((one) => one.repo !== repo));
    return say(`${repo} is no tap any more. What was installed from it stays.`);
  }
  if (withoutLogin(repo) !== repo) throw new UserError("A tap is kept, and its address holds a name or password.", { hint: "Give the address without it: a credential helper of git keeps passwords.", exitCode: 2 });
  if ([...taps, ...DEFAULTS].some((one) => one.repo === repo)) return say(`${repo} is a tap already.`);
  await using stage = openStage(shelf);
  const { root } = await shelf.fetch(repo, stage.folder, signal);
  const { length } = await offeredIn(root, shelf);
  if (length === 0) throw new UserError(`There is no skill in ${repo}.`, { hint: "A tap is a repository with folders skills/NAME, each with a SKILL.md." });
  writeTaps(shelf.folder, [...taps, { repo, path: "skills/" }]);
  say(`${repo} is a tap now, with ${length} skill${length === 1 ? "" : "s"}.`);
}

/** Words that a skill's name or description has, over all taps or one. A source that cannot be reached is told, and the others go on. */
export async function search(words: readonly string[], { source, json, limit }: Options, { shelf, say, signal }: Desk): Promise<number> {
  const wanted = source === undefined || source === "all" ? undefined : sourceNamed(String(source));
  const most = Number(limit ?? 25);
  if (!Number.isInteger(most) || most < 1) throw new UserError(`--limit takes a number; it is ${JSON.stringify(limit)}.`, { exitCode: 2 });
  const taps = [...readTaps(shelf.folder), ...DEFAULTS].filter(({ repo }) => wanted === undefined || repo === wanted);
  if (taps.length === 0) throw new UserError(`"${withoutLogin(String(source))}" is no tap.`, { hint: "`hermes skills tap add` makes it one.", exitCode: 2 });
  const looked = words.map((word) => word.toLowerCase());
  const searched = await Promise.all(taps.map(async ({ repo }) => {
    await using stage = openStage(shelf);
    try {
      const { root, url } = await shelf.fetch(repo, stage.folder, signal);
      const hits = (await offeredIn(root, shelf)).filter(({ name, description }) => looked.every((word) => `${name} ${description}`.toLowerCase().includes(word)));
      return { repo, hits: hits.map(({ name, description }) => ({ name, identifier: `${repo}/${name}`, source: url, description })) };
    } catch (cause) {
      return { repo, hits: [], failed: cause instanceof Error ? cause.message.split("\n", 1)[0]! : String(cause) };
    }
  }));
  const hits = searched.flatMap((one) => one.hits).slice(0, most);
  if (json === true) say(JSON.stringify(hits, null, 2));
  else say([...hits.map(({ identifier, description }) => `${identifier}  ${description.slice(0, 100)}`), ...(hits.length === 0 ? ["Nothing was found."] : []), ...searched.flatMap(({ repo, failed }) => (failed === undefined ? [] : [`! ${repo}: ${failed}`]))].join("\n"));
  return hits.length === 0 && searched.some(({ failed }) => failed !== undefined) ? 1 : 0;
}
