import { UserError, withoutLogin } from "hermes-agent/plugin";
import type { Service, Options } from "../command/command-services.ts";
import { readTaps, sourceNamed, writeTaps } from "./hub-state.ts";
import { offeredIn } from "./offered.ts";
import { sourceFor } from "./sources/all-sources.ts";
import { DEFAULT_TAPS } from "./sources/github.ts";
import { openStage } from "./stage.ts";

/** `tap list`, `tap add REPO`, `tap remove REPO`. */
export async function tap(
  [action = "list", given = ""]: readonly string[],
  _options: Options,
  { shelf, say, web, signal }: Service,
): Promise<void> {
  const [taps, repo] = [readTaps(shelf.folder), sourceNamed(given)];
  if (action === "list")
    return say(
      [...taps, ...DEFAULT_TAPS].map((one) => `${one.repo}${taps.includes(one) ? "" : "  (built-in)"}`).join("\n"),
    );
  if (given === "" || (action !== "add" && action !== "remove"))
    throw new UserError("Usage: skills tap list | add REPO | remove REPO", { exitCode: 2 });
  if (action === "remove") {
    if (!taps.some((one) => one.repo === repo))
      throw new UserError(`"${repo}" is not a tap.`, { hint: "`hermes skills tap list` shows all taps.", exitCode: 2 });
    writeTaps(
      shelf.folder,
      taps.filter((one) => one.repo !== repo),
    );
    return say(`Removed the tap ${repo}. Skills installed from it stay.`);
  }
  if (withoutLogin(repo) !== repo)
    throw new UserError("The tap's address contains a name or password, which would be stored.", {
      hint: "Use the address without it; Git's credential helper stores passwords.",
      exitCode: 2,
    });
  if ([...taps, ...DEFAULT_TAPS].some((one) => one.repo === repo)) return say(`${repo} is already a tap.`);
  await using stage = openStage(shelf);
  const { root } = await sourceFor(repo, { shelf, ...web, signal }).fetch(repo, stage.folder);
  const { length } = await offeredIn(root, shelf);
  if (length === 0)
    throw new UserError(`There is no skill in ${repo}.`, {
      hint: "A tap is a repository with folders skills/NAME, each with a SKILL.md.",
    });
  writeTaps(shelf.folder, [...taps, { repo, path: "skills/" }]);
  say(`Added the tap ${repo} with ${length} skill${length === 1 ? "" : "s"}.`);
}
