import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { SKIN_COLORS, type Skin } from "../../contract/services/skin.ts";

const ENDING = /^([a-z0-9][a-z0-9_-]*)\.ya?ml$/;

/** The user's skins: `skins/NAME.yaml` of the home, each with its `colors`. Unreadable ones report why. */
export async function skinFiles(home: string): Promise<readonly Skin[]> {
  const folder = join(home, "skins");
  const files = await readdir(folder).catch(() => []); // No folder, no skins.
  const named = files.toSorted().flatMap((file) => {
    const name = ENDING.exec(file)?.[1];
    return name === undefined ? [] : [{ file: join(folder, file), name }];
  });
  return Promise.all(named.map(({ file, name }) => readSkin(file, name)));
}

async function readSkin(file: string, name: string): Promise<Skin> {
  const broken = (problem: string): Skin => ({ name, description: "", colors: {}, problem: `${file}: ${problem}` });
  try {
    const { parse } = await import("yaml");
    const { description, colors } = (parse(await readFile(file, "utf8")) ?? {}) as {
      readonly description?: unknown;
      readonly colors?: unknown;
    };
    if (colors !== undefined && (typeof colors !== "object" || colors === null || Array.isArray(colors)))
      return broken('"colors" must be a map of names and colours.');
    const given = new Map(Object.entries(colors ?? {}));
    const wrong = SKIN_COLORS.find((what) => given.has(what) && !isColour(given.get(what)));
    if (wrong !== undefined) return broken(`"colors.${wrong}" must be a colour like "#4caf50".`);
    return {
      name,
      description: typeof description === "string" ? description : "",
      colors: Object.fromEntries(
        SKIN_COLORS.flatMap((what) => (given.has(what) ? [[what, String(given.get(what))]] : [])),
      ),
    };
  } catch (cause) {
    return broken(cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause));
  }
}

function isColour(value: unknown): boolean {
  return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);
}
