import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  makeVisible,
  readableText,
  type CommandContext,
  type PickItem,
  type Skill,
  type SkillShelf,
} from "hermes-agent/plugin";

/** Lists the skills with their texts and lets the user switch them. @returns what changed. */
export async function browseSkills(shelf: SkillShelf, call: CommandContext): Promise<string> {
  const skills = await shelf.all();
  if (skills.length === 0) return `No skills. Their folder is ${shelf.folder}.`;
  // Two skills may have one name: the first counts, and the other is hidden.
  const byPath = new Map(skills.map((skill) => [skill.folder, skill]));
  const changed = new Map<string, boolean>();
  await call.browse?.({
    title: "Skills; changes apply from the next session on",
    items: skills.map(itemOf),
    preview: (folder) => {
      const text = makeVisible(readableText(readFileSync(join(folder, "SKILL.md"))));
      const why = byPath.get(folder)?.hidden?.why ?? byPath.get(folder)?.problem;
      return why === undefined ? text : `${makeVisible(why)}\n\n${text}`;
    },
    async toggle(folder) {
      const { name, hidden } = byPath.get(folder)!;
      if (hidden !== undefined && hidden.kind !== "disabled") throw new Error(`${name} is off: ${hidden.why}`);
      await shelf.setEnabled(name, hidden !== undefined);
      for (const skill of await shelf.all()) byPath.set(skill.folder, skill);
      changed.set(name, byPath.get(folder)!.hidden === undefined);
      return itemOf(byPath.get(folder)!);
    },
  });
  if (changed.size === 0) return "";
  const states = [...changed].map(([name, on]) => `${name} is ${on ? "on" : "off"}`);
  return `${states.join(", ")}, starting with the next session.`;
}

function itemOf(skill: Skill): PickItem {
  const mark = skill.hidden !== undefined ? "○" : skill.problem === undefined ? "✓" : "!";
  return {
    value: skill.folder,
    label: `${mark} ${makeVisible(skill.name)}`,
    detail: makeVisible(skill.category ?? skill.source),
  };
}
