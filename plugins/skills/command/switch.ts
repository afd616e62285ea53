import type { Service, Options } from "./command-services.ts";
import { named } from "./look.ts";

/** Lists and loads a skill, or not, from the next session on. */
export async function switchSkill(
  on: boolean,
  [name = ""]: readonly string[],
  { platform }: Options,
  { shelf, say }: Service,
): Promise<void> {
  const skill = await named(name, shelf);
  const changed = await shelf.setEnabled(skill.name, on, typeof platform === "string" ? platform : undefined);
  const where = typeof platform === "string" ? ` for ${platform}` : "";
  say(
    changed
      ? `${skill.name} is ${on ? "on" : "off"}${where}, starting with the next session.`
      : `${skill.name} is ${on ? "on" : "off"}${where} already.`,
  );
}
