import { UserError } from "../../contract/common/failure.ts";
import { nearestSetting } from "./nearest-setting.ts";
import { canonicalKey, settingAt, splitPath, type Setting } from "./setting.ts";

/** The path with the present name in the place of each other spelling. */
export function canonicalPath(root: Setting, path: string): string {
  let setting: Setting | undefined = root;
  return splitPath(path)
    .map((key): string => {
      const name: string = canonicalKey(setting?.properties ?? {}, key);
      setting = setting?.properties?.[name];
      return name;
    })
    .join(".");
}

/** @throws {UserError} naming the nearest key, when there is no such setting. */
export function knownSetting(root: Setting, path: string): Setting {
  const setting = settingAt(root, canonicalPath(root, path));
  if (setting !== undefined) return setting;
  const near = nearestSetting(path, root);
  throw new UserError(`"${path}" is not a setting.`, {
    hint: near === undefined ? "`hermes config show --all` lists every setting." : `Did you mean "${near}"?`,
    exitCode: 2,
  });
}

/** Known, and read by nothing here: itself or the section around it. */
export function isUnused(root: Setting, canonical: string): boolean {
  const keys = splitPath(canonical);
  return keys.some((_, at) => settingAt(root, keys.slice(0, at + 1).join("."))?.unused === true);
}
