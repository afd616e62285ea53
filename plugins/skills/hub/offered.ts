import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeVisible, readableText, type SkillShelf } from "hermes-agent/plugin";

/** A skill of a source that was fetched. */
export interface Offered {
  readonly name: string;
  readonly folder: string;
  readonly description: string;
}

/** Every skill of a source, by name. */
export async function offeredIn(root: string, shelf: Pick<SkillShelf, "head">): Promise<readonly Offered[]> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name === "SKILL.md",
  );
  const found: Offered[] = [];
  for (const { parentPath: folder } of files) {
    if (
      folder
        .slice(root.length)
        .split("/")
        .some((name) => /^[._]/.test(name) && name !== ".curated" && name !== ".system")
    )
      continue;
    const { data } = await shelf.head(readableText(readFileSync(join(folder, "SKILL.md"))));
    // Untrusted content that is shown on a terminal before it was checked.
    const text = (key: string): string =>
      typeof data[key] === "string" ? makeVisible(data[key].replaceAll(/\s+/g, " ").trim()) : "";
    found.push({
      name: folder === root ? text("name") : makeVisible(basename(folder)),
      folder,
      description: text("description"),
    });
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
