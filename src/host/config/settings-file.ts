import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { fingerprint } from "../../contract/common/fingerprint.ts";
import { systemReason } from "../../contract/common/system-reason.ts";
import type { Home } from "../environment/home.ts";
import { checkSettings, type Checked } from "./check-settings.ts";
import { expandVariables, parseSettings, type ParsedSettings } from "./parse-settings.ts";
import type { Setting } from "./setting.ts";
import { writeCopy } from "./write-atomically.ts";
import { decodeStored } from "../environment/stored-text.ts";

/** A mistake in a settings file, with its place. */
export interface SettingsProblem {
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly path: string | undefined;
  readonly text: string;
  readonly hint?: string;
}

/** One settings file, as it is in force. */
export interface LoadedSettings {
  readonly file: string;
  /**
   * `last-good`: the file is wrong and an earlier state of it counts. `partly`: wrong, no earlier state, its sound part
   * counts.
   */
  readonly state: "absent" | "good" | "last-good" | "partly";
  readonly checked: Checked;
  readonly places: ParsedSettings["places"];
  readonly problems: readonly SettingsProblem[];
}

interface Copy {
  readonly format: typeof COPY_FORMAT;
  readonly hash: string;
  readonly data: ParsedSettings["data"];
  readonly places: ParsedSettings["places"];
}

const COPY_FORMAT = 2;
const EMPTY: Checked = { value: {}, problems: [], remarks: [], unused: [] };

/**
 * Reads a settings file through the copy of its last good state in `cache/`. The copy doubles as the parsed form, so an
 * unchanged file costs no YAML parser; it holds the file as written, with no variable expanded.
 */
export async function loadSettings(
  file: string,
  options: {
    readonly home: Home;
    readonly copyName: string;
    readonly schema: Setting;
    readonly env: (name: string) => string | undefined;
    readonly only?: string;
  },
): Promise<LoadedSettings> {
  const text = readText(file);
  if (text === undefined) return { file, state: "absent", checked: EMPTY, places: {}, problems: [] };
  const copyFile = options.home.file("cache", options.copyName);
  const copy = readCopy(copyFile);
  const textHash = fingerprint(text);
  const parsed: ParsedSettings = copy?.hash === textHash ? { ...copy, problems: [] } : await parseSettings(text);
  const checked = check(parsed);
  const problems = [
    ...parsed.problems.map((problem) => ({ file, path: undefined, ...problem })),
    ...checked.problems.map((problem) => locate(file, parsed, problem)),
  ];
  if (problems.length === 0) {
    if (copy?.hash !== textHash)
      writeCopy(
        copyFile,
        JSON.stringify({
          format: COPY_FORMAT,
          hash: textHash,
          data: parsed.data,
          places: parsed.places,
        } satisfies Copy),
      );
    return { file, state: "good", checked, places: parsed.places, problems };
  }
  if (copy !== undefined && copy.hash !== textHash) {
    const before = check(copy);
    if (before.problems.length === 0) return { file, state: "last-good", checked: before, places: {}, problems };
  }
  return { file, state: "partly", checked, places: parsed.places, problems };

  function check({ data }: { readonly data: ParsedSettings["data"] }): Checked {
    const picked =
      options.only === undefined ? data : options.only in data ? { [options.only]: data[options.only] } : {};
    return checkSettings(expandVariables(picked, options.env), options.schema);
  }
}

export function locate(
  file: string,
  parsed: Pick<ParsedSettings, "places">,
  problem: { readonly path: string; readonly text: string; readonly hint?: string },
): SettingsProblem {
  const [line, column] = placeOf(parsed.places, problem.path) ?? [];
  return { file, line, column, ...problem };
}

/** Where a path, or the nearest thing around it, is written. */
export function placeOf(places: ParsedSettings["places"], path: string): readonly [number, number] | undefined {
  for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const place = places[at];
    if (place !== undefined) return place;
  }
  return undefined;
}

/** `config.yaml:3:5: "agent.max_trns" is not a setting.` */
export function problemLine({ file, line, column, text }: SettingsProblem): string {
  return `${file}${line === undefined ? "" : `:${line}:${column}`}: ${text}`;
}

function readText(file: string): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      // Nothing was ever set, or what was set is out of reach: the second is no empty policy.
      if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
      throw new UserError(`${file} is a link to ${readlinkSync(file)}, but that file does not exist.`, {
        hint: "Restore that file, or remove the link to start with the defaults.",
        exitCode: 78,
        cause: error,
      });
    }
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR")
      throw new UserError(`${dirname(file)} is not a folder, so settings cannot be stored there.`, {
        hint: "Set HERMES_HOME to a folder, or move the file away.",
        exitCode: 78,
        cause: error,
      });
    throw new UserError(`${file} cannot be read: ${systemReason(error) ?? String(error)}.`, {
      hint: "Make it a file that you can read.",
      exitCode: 78,
      cause: error,
    });
  }
  return decodeStored(bytes, file).text.toWellFormed();
}

function readCopy(file: string): Copy | undefined {
  try {
    const copy = JSON.parse(readFileSync(file, "utf8")) as Copy;
    return copy.format === COPY_FORMAT ? copy : undefined;
  } catch {
    return undefined; // None yet, or cut off: it is made again.
  }
}
