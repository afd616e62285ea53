import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject, Risk, RiskContext, SkillShelf } from "hermes-agent/plugin";
import { keepVersion } from "../history.ts";
import { planChange, type Change, type ManageInput } from "./plan-change.ts";
import { writeWhole } from "./write-whole.ts";
import { definedFields } from "hermes-agent/plugin";

/** Changes wait for each other: two of one answer could be of one file. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Applies a change. Overwritten or deleted content becomes a version that the user can restore.
 * @param changed Called with the skill's path, relative to the folder of skills.
 */
export function manageSkill(
  input: ManageInput,
  shelf: SkillShelf,
  call: RiskContext,
  changed?: (path: string) => Promise<void>,
): Promise<JsonObject> {
  const done = turn.then(async () => {
    const change = await planChange(input, shelf, call);
    const result = carryOut(change, input, shelf);
    await changed?.(change.path);
    return result;
  });
  turn = done.catch(() => undefined);
  return done;
}

function carryOut(change: Change, { action }: ManageInput, { folder }: SkillShelf): JsonObject {
  const { path, file, does, exists, result } = change;
  const whole = file === undefined;
  const version = exists ? keepVersion(folder, path, action, whole) : undefined;
  if (does.kind === "write") writeWhole(join(folder, path, file ?? "SKILL.md"), does.text);
  else if (!whole) rmSync(join(folder, path, file));
  if (does.kind === "remove") withoutEmpty(folder, dirname(join(folder, path, file ?? "")));
  return {
    ...result,
    ...definedFields({ undo: version === undefined ? undefined : `hermes skills restore ${version.id}` }),
  };
}

/** Folders that hold nothing any more go, up to the folder of skills and the skill itself. */
function withoutEmpty(root: string, from: string): void {
  for (let folder = from; folder.startsWith(`${root}/`) && readdirSync(folder).length === 0; folder = dirname(folder))
    rmdirSync(folder);
}

/** Asks the user about harmful content, and about every change if the settings require it. */
export async function riskOfChange(
  input: ManageInput,
  shelf: SkillShelf,
  call: RiskContext,
): Promise<Risk | undefined> {
  const change = await planChange(input, shelf, call).catch(() => undefined);
  // The call itself reports an impossible change.
  if (change === undefined) return undefined;
  const judged =
    change.does.kind === "write" ? await shelf.judge({ [change.file ?? "SKILL.md"]: change.does.text }) : undefined;
  const effects = [effectOf(change)];
  if (judged?.verdict === "dangerous")
    return {
      answer: "ask",
      key: "dangerous skill",
      reasons: judged.reasons.map((reason) => `Content of the skill: ${reason}`),
      effects,
      fresh: true,
    };
  return call.config("skills.write_approval") === true
    ? {
        answer: "ask",
        key: "skill change",
        reasons: ["It changes instructions that later sessions follow (skills.write_approval)."],
        effects,
      }
    : undefined;
}

function effectOf({ path, file, does, exists }: Change): string {
  const what = file === undefined ? `the skill ${path}` : `${path}/${file}`;
  return does.kind === "remove" ? `delete ${what}` : `${exists ? "change" : "create"} ${what}`;
}
