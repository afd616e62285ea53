import type { ConfigService } from "../../contract/services/config-service.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { EnvironmentVariables } from "../environment/environment.ts";
import { allowedHint, fitValue } from "./check-settings.ts";
import { POLICY_SECTIONS } from "./sections/policy.ts";
import { leaves, splitPath, variableOf, type Setting } from "./setting.ts";
import { placeOf, type LoadedSettings } from "./settings-file.ts";
import { merge, nested } from "./settings-values.ts";
import { readTyped } from "./typed-text.ts";

type Source = ReturnType<ConfigService["explain"]>["source"];

/** The values of one source of settings. */
export interface Layer {
  readonly source: Source;
  readonly data: JsonObject;
  where?(path: string): string | undefined;
}

/** The defaults. */
export function defaultsOf(setting: Setting): JsonObject {
  const result: { [key: string]: Json } = {};
  for (const [key, inner] of Object.entries(setting.properties ?? {})) {
    if (inner.unused === true) continue;
    if (inner.default !== undefined) result[key] = inner.default;
    else if (inner.properties !== undefined) {
      const defaults = defaultsOf(inner);
      if (Object.keys(defaults).length > 0) result[key] = defaults;
    }
  }
  return result;
}

/** The values of a file, each with its position. */
export function fileLayer(file: LoadedSettings, profile: string): Layer {
  const ofProfile = profile !== "default" && profile !== "custom";
  const data = file.state === "partly" ? withoutBrokenPolicy(file) : file.checked.value;
  return {
    source: ofProfile ? "profile" : "file",
    data,
    where: (path) =>
      `${file.file}${lineSuffix(placeOf(file.places, path))}${file.state === "last-good" ? " (its last good state)" : ""}`,
  };
}

/** The values of variables: those of the process override the files, those of `.env` only fill gaps. */
export function variableLayers(
  schema: Setting,
  environment: EnvironmentVariables,
  notices: Notice[],
): readonly [Layer, Layer] {
  let fromProcess: JsonObject = {};
  let fromDotEnv: JsonObject = {};
  const names = new Map<string, string>();
  for (const { path, setting, unused } of leaves(schema)) {
    const name = unused ? undefined : variableOf(setting);
    if (name === undefined) continue;
    const text = environment.get(name);
    if (text === undefined) continue;
    // As shells have it: NAME=1.
    const bit = setting.type === "boolean" && /^[01]$/.test(text) ? text === "1" : undefined;
    const value = fitValue(bit ?? readTyped(text, setting), setting);
    if (value === undefined) {
      notices.push({
        level: "error",
        text: `The variable ${name} cannot be ${JSON.stringify(text)} and is ignored.`,
        hint: allowedHint(text, setting),
      });
      continue;
    }
    names.set(path, name);
    if (environment.source(name) === "process") fromProcess = merge(fromProcess, nested(path, value));
    else fromDotEnv = merge(fromDotEnv, nested(path, value));
  }
  return [
    { source: "environment", data: fromProcess, where: (path) => names.get(path) },
    { source: "environment", data: fromDotEnv, where: (path) => `${names.get(path)} in ${environment.file}` },
  ];
}

/**
 * Of a file that is wrong and has no last good state, a section that grants something counts only if it is sound as a
 * whole.
 */
function withoutBrokenPolicy(file: LoadedSettings): JsonObject {
  const broken = new Set(file.problems.map(({ path }) => splitPath(path ?? "")[0]!));
  return Object.fromEntries(
    Object.entries(file.checked.value).filter(
      ([section]) => !(POLICY_SECTIONS.includes(section) && broken.has(section)),
    ),
  );
}

/** Policy is fixed when the process starts: a program that writes the file meanwhile cannot widen it. */
export function withPolicyOf(held: Layer | undefined, fresh: Layer): Layer {
  if (held === undefined) return fresh;
  const isPolicy = ([section]: readonly [string, unknown]): boolean => POLICY_SECTIONS.includes(section);
  return {
    ...fresh,
    data: Object.fromEntries([
      ...Object.entries(fresh.data).filter((entry) => !isPolicy(entry)),
      ...Object.entries(held.data).filter(isPolicy),
    ]),
  };
}

/** `:7`, or nothing. */
export function lineSuffix(place: readonly [number, number] | undefined): string {
  return place === undefined ? "" : `:${place[0]}`;
}
