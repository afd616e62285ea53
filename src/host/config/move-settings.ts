import { copyFileSync } from "node:fs";
import { isObject } from "../../contract/common/is-object.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Home } from "../environment/home.ts";
import { editSettings } from "./edit-settings.ts";
import type { SettingsEdit } from "./settings-edit.ts";
import type { Setting } from "./setting.ts";
import type { LoadedSettings } from "./settings-file.ts";
import { merge, nested, valueAt } from "./settings-values.ts";

const FORMER = "display.tool_progress_overrides";

/** The values of a file under their current keys. Values already under the current key take precedence. */
export function moved(value: JsonObject): JsonObject {
  const former = valueAt(value, FORMER);
  if (!isObject(former)) return value;
  const display = Object.fromEntries(
    Object.entries(value["display"] as JsonObject).filter(([key]) => `display.${key}` !== FORMER),
  );
  const fresh = Object.entries(former).reduce<JsonObject>(
    (all, [platform, progress]) => merge(all, nested(placeOf(platform), progress ?? null)),
    {},
  );
  return merge(fresh, { ...value, display });
}

/**
 * Moves the value in the file itself, keeps comments, and leaves the former file in `cache/`.
 * @returns The notice for the user, if something was moved.
 */
export async function moveInFile(
  { file, checked }: LoadedSettings,
  { home, schema }: { readonly home: Home; readonly schema: Setting },
): Promise<Notice | undefined> {
  const former = valueAt(checked.value, FORMER);
  if (!isObject(former) || Object.keys(former).length === 0) return undefined;
  const taken = (platform: string): boolean => valueAt(checked.value, placeOf(platform)) !== undefined;
  const sets = Object.entries(former).flatMap(([platform, value]): SettingsEdit[] =>
    taken(platform) ? [] : [{ kind: "set", path: placeOf(platform), value: value as Json }],
  );
  const before = `${home.folder("cache")}/config.before-move.yaml`;
  try {
    copyFileSync(file, before);
    await editSettings(file, [...sets, { kind: "unset", path: FORMER }], { home, schema });
    return {
      level: "info",
      text: `${file}: "${FORMER}" is now called "display.platforms.NAME.tool_progress"; Hermes moved the value. The former file is ${before}.`,
    };
  } catch (error) {
    return {
      level: "warning",
      text: `${file}: "${FORMER}" is now called "display.platforms.NAME.tool_progress". It still works, but the value could not be moved: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function placeOf(platform: string): string {
  return `display.platforms.${platform}.tool_progress`;
}
