import { makeVisible, UserError } from "hermes-agent/plugin";
import type { Options } from "../command/command-services.ts";
import { changeUsage } from "../usage.ts";
import { archived, restoreArchived } from "./archive.ts";
import { changeState, readState } from "./curator-state.ts";
import { agentSkills, curatorSettings, isDue, runCurator, type CuratorDoor } from "./run-curator.ts";

export interface CuratorService {
  readonly door: CuratorDoor;
  readonly signal: AbortSignal;
  say(text: string): void;
}

export async function status({ door, say }: CuratorService): Promise<void> {
  const settings = curatorSettings(door);
  const state = readState(door.skills.folder);
  const skills = await agentSkills(door);
  const away = archived(door.skills.folder);
  const { enabled, intervalHours, staleAfterDays, archiveAfterDays, consolidate } = settings;
  say(
    [
      `curator: ${enabled ? (state.paused ? "paused" : "on") : "off (curator.enabled)"}`,
      `  runs           ${state.run_count}`,
      `  last run       ${state.last_run_at === null ? "never" : `${day(Date.parse(state.last_run_at))}: ${state.last_run_summary ?? ""}`}`,
      `  interval       every ${intervalHours} h, by a gateway`,
      `  stale after    ${staleAfterDays} days`,
      `  archive after  ${archiveAfterDays} days`,
      `  consolidate    ${consolidate ? "on" : "off"}`,
      "",
      ...(skills.length === 0
        ? ["The agent has created no skills."]
        : skills.map(
            ({ path, record, lastAt, spared }) =>
              `  ${makeVisible(path)}  ${record.state}${spared === undefined ? "" : `, ${spared}`}, used ${record.use_count} times${lastAt === undefined ? "" : `, last ${day(lastAt)}`}`,
          )),
      ...(away.length === 0
        ? []
        : ["", `Archived: ${away.map(makeVisible).join(", ")}. \`hermes curator restore NAME\` restores one.`]),
    ].join("\n"),
  );
}

export async function run(options: Options, { door, signal, say }: CuratorService): Promise<void> {
  if (options["if-due"] === true && !(await isDue(door))) return;
  const dryRun = options["dry-run"] === true;
  const lines = await runCurator(door, {
    dryRun,
    consolidate: options["consolidate"] === true || curatorSettings(door).consolidate,
    signal,
  });
  if (options["if-due"] === true)
    return door.log.info(`The curator ran: ${lines.length === 0 ? "nothing to do" : lines.join("; ")}`);
  say(
    lines.length === 0
      ? "Nothing to do."
      : [
          ...lines.map(makeVisible),
          "",
          dryRun
            ? "Nothing was changed."
            : "`hermes curator restore NAME` restores an archived skill, `hermes skills restore NAME` an earlier text.",
        ].join("\n"),
  );
}

export async function pause(paused: boolean, { door, say }: CuratorService): Promise<void> {
  await changeState(door, (state) => ({ ...state, paused }));
  say(
    paused
      ? "The curator does not run automatically until `hermes curator resume`."
      : "The curator runs automatically again.",
  );
}

export async function pin(name: string, pinned: boolean, { door, say }: CuratorService): Promise<void> {
  const skills = await agentSkills(door);
  const named = skills.filter((one) => one.name === name);
  const skill = skills.find((one) => one.path === name) ?? named[0];
  if (skill === undefined)
    throw new UserError(`The agent created no skill "${name}".`, {
      hint: "The curator manages only skills that the agent created; `hermes curator status` lists them.",
    });
  if (skill.path !== name && named.length > 1)
    throw new UserError(`Several skills are named "${name}".`, {
      hint: `Use the path of one: ${named.map(({ path }) => path).join(", ")}.`,
      exitCode: 2,
    });
  await changeUsage(door, (usage) =>
    usage[skill.path] === undefined ? usage : { ...usage, [skill.path]: { ...usage[skill.path]!, pinned } },
  );
  say(
    pinned
      ? `The curator keeps ${skill.path}, however long it is not used.`
      : `The curator may archive ${skill.path} again.`,
  );
}

export async function restore(name: string, { door, say }: CuratorService): Promise<void> {
  say(`Restored ${await restoreArchived(door, name)}.`);
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
