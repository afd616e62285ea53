import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { nearest } from "../../contract/common/nearest.ts";
import { allowedWords, canonicalKey, isOpen, leaves, typesOf, type Setting } from "./setting.ts";

export interface Problem {
  readonly path: string;
  /** What is wrong, without place: `"agent.max_trns" is not a setting.` */
  readonly text: string;
  readonly hint?: string;
}

export interface Checked {
  /**
   * Values as settings want them: aliases renamed, `"30"` where a number is asked for made one. Wrong ones are left
   * out.
   */
  readonly value: JsonObject;
  readonly problems: readonly Problem[];
  /**
   * The value that applies instead of the written one: of two spellings with different values, or for a value without
   * effect.
   */
  readonly remarks: readonly string[];
  /** Keys that are known and read by nothing here. */
  readonly unused: readonly string[];
}

/** Holds parsed settings against what is known. Never throws. */
export function checkSettings(value: Json, root: Setting): Checked {
  const check = new Check(root);
  const result = check.map(value, root, "", false);
  return {
    value: (result ?? {}) as JsonObject,
    problems: check.problems,
    remarks: check.remarks,
    unused: check.unused,
  };
}

/** One value for one setting, as `config set` and variables give it: text first. `undefined`: it does not fit. */
export function fitValue(value: Json, setting: Setting): Json | undefined {
  const check = new Check(setting);
  const fitted = check.any(value, setting, "value", false);
  return check.problems.length === 0 ? fitted : undefined;
}

class Check {
  readonly problems: Problem[] = [];
  readonly remarks: string[] = [];
  readonly unused: string[] = [];
  readonly #root: Setting;

  constructor(root: Setting) {
    this.#root = root;
  }

  any(value: Json, setting: Setting, path: string, unused: boolean): Json | undefined {
    const types = typesOf(setting);
    if (value === null) return types.includes("null") ? null : undefined; // `key:` with nothing behind it leaves the key open.
    if (unused || setting.unused === true) {
      this.unused.push(path);
      return value;
    }
    if (setting.undone?.some((one) => isSame(one, value)) === true) {
      this.remarks.push(
        `"${path}" is ${JSON.stringify(value)}, which has no effect in this version. ${setting.instead ?? ""}`.trimEnd(),
      );
      return undefined;
    }
    if (setting.shorthand !== undefined && typeof value !== "object")
      return this.map({ [setting.shorthand]: value }, setting, path, unused);
    if (setting.enum !== undefined) return this.#choice(value, setting, path);
    if (types.length === 0) return setting.properties !== undefined ? this.map(value, setting, path, unused) : value;
    for (const type of types) {
      const fitted = fit(value, type, setting);
      if (fitted === undefined) continue;
      if (type === "object") return this.map(fitted, setting, path, unused);
      if (type === "array") return this.#list(fitted as readonly Json[], setting, path);
      return fitted;
    }
    this.#wrong(path, value, setting);
    return undefined;
  }

  map(value: Json, setting: Setting, path: string, unused: boolean): JsonObject | undefined {
    if (!isObject(value)) {
      if (value !== null) this.#wrong(path, value, { type: "object" });
      return undefined;
    }
    const result: { [key: string]: Json } = {};
    for (const [key, inner] of Object.entries(value)) {
      const name = canonicalKey(setting.properties ?? {}, key);
      const at = path === "" ? name : `${path}.${name}`;
      const known =
        setting.properties !== undefined && Object.hasOwn(setting.properties, name)
          ? setting.properties[name]
          : undefined;
      const rule =
        known ??
        (typeof setting.additionalProperties === "object"
          ? setting.additionalProperties
          : isOpen(setting)
            ? {}
            : undefined);
      if (
        rule === undefined ||
        name === "__proto__" ||
        (known === undefined && misspelt(inner ?? null, rule, setting))
      ) {
        this.#unknown(path === "" ? key : `${path}.${key}`, key, setting);
        continue;
      }
      if (name !== key && Object.hasOwn(value, name)) {
        if (JSON.stringify(value[name]) !== JSON.stringify(inner))
          this.remarks.push(`"${at}" and "${path}.${key}" are both set and differ; "${at}" takes precedence.`);
        continue;
      }
      const fitted = this.any(inner ?? null, rule, at, unused || setting.unused === true);
      if (fitted !== undefined) result[name] = fitted;
    }
    for (const key of setting.required ?? []) {
      if (!Object.hasOwn(value, key))
        this.problems.push({
          path,
          text: `"${path}" lacks "${key}".`,
          hint: `Required: ${setting.required?.join(", ")}.`,
        });
    }
    return result;
  }

  #list(values: readonly Json[], setting: Setting, path: string): readonly Json[] {
    if (setting.items === undefined) return values;
    return values.flatMap((value, at) => {
      const fitted = this.any(value, setting.items!, `${path}.${at}`, false);
      return fitted === undefined ? [] : [fitted];
    });
  }

  #choice(value: Json, setting: Setting, path: string): Json | undefined {
    const found = setting.enum!.find(
      (one) =>
        one === value ||
        (typeof one === "string" && String(value).toLowerCase() === one) ||
        (typeof one === "string" && SWITCHES.get(one) === value) ||
        (typeof one !== "string" && String(one) === value),
    );
    if (found === undefined) this.#wrong(path, value, setting);
    return found;
  }

  #wrong(path: string, value: Json, setting: Setting): void {
    const shown = isSecretPath(path) ? "the value" : JSON.stringify(value).slice(0, 80);
    this.problems.push({ path, text: `"${path}" cannot be ${shown}.`, hint: allowedHint(value, setting) });
  }

  #unknown(path: string, key: string, setting: Setting): void {
    const siblings = Object.entries(setting.properties ?? {}).flatMap(([name, { aliases }]) => [
      name,
      ...(aliases ?? []),
    ]);
    const near = nearest(key, siblings);
    const prefix = path.slice(0, path.length - key.length);
    const meant = near === undefined ? this.#elsewhere(key) : `${prefix}${near}`;
    const used = Object.entries(setting.properties ?? {}).flatMap(([name, { unused }]) =>
      unused === true ? [] : [name],
    );
    const allowed =
      meant !== undefined || prefix === "" || used.length === 0
        ? ""
        : ` Keys of "${prefix.slice(0, -1)}": ${used.join(", ")}.`;
    this.problems.push({
      path,
      text: `"${path}" is not a setting.`,
      hint: `${meant === undefined ? "" : `Did you mean "${meant}"?`}${allowed}`.trim() || undefined,
    });
  }

  /** Suggests another section that has this key: `max_turns` belongs to `agent`. */
  #elsewhere(key: string): string | undefined {
    for (const { path, unused } of leaves(this.#root)) {
      if (!unused && path.endsWith(`.${key}`)) return path;
    }
    return undefined;
  }
}

/** Next to named keys, only sections may have other names: a plain value there is a misspelt key. */
function misspelt(value: Json, rule: Setting, { properties }: Setting): boolean {
  return properties !== undefined && rule.type === "object" && value !== null && !isObject(value);
}

/** Words of older YAML that mean true and false, so that files of the original keep their sense. */
const SWITCHES = new Map<string, boolean>([
  ["yes", true],
  ["on", true],
  ["true", true],
  ["no", false],
  ["off", false],
  ["false", false],
]);

function isSame(one: Json, value: Json): boolean {
  const text = String(value).toLowerCase();
  return text === String(one) || SWITCHES.get(text) === one;
}

function fit(value: Json, type: string, setting: Setting): Json | undefined {
  switch (type) {
    case "string": {
      const text = typeof value === "string" ? value : isExact(value) ? String(value) : undefined;
      if (text === undefined || (setting.pattern !== undefined && !new RegExp(setting.pattern, "u").test(text)))
        return undefined;
      return setting.format === "time-zone" && text !== "" && !isTimeZone(text) ? undefined : text;
    }
    case "boolean":
      return typeof value === "boolean"
        ? value
        : typeof value === "string"
          ? SWITCHES.get(value.toLowerCase())
          : undefined;
    case "integer":
    case "number": {
      const number =
        typeof value === "number"
          ? value
          : typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value.trim())
            ? Number(value)
            : undefined;
      if (number === undefined || !isExact(number) || (type === "integer" && !Number.isInteger(number)))
        return undefined;
      return number < (setting.minimum ?? -Infinity) || number > (setting.maximum ?? Infinity) ? undefined : number;
    }
    case "array":
      return Array.isArray(value) ? (value as Json) : undefined;
    case "object":
      return isObject(value) ? value : undefined;
    default:
      return undefined;
  }
}

/** A number that stands for what was written: a whole number beyond 2^53 has lost digits. */
function isExact(value: Json): boolean {
  return (
    typeof value === "number" && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
  );
}

/** Names the allowed values of a setting. */
export function allowedHint(value: Json, setting: Setting): string {
  const near = typeof value === "string" ? nearestValue(value, setting) : undefined;
  const tooLong =
    /^[-+]?\d+$/.test(String(value)) && !Number.isSafeInteger(Number(value)) && typesOf(setting).includes("integer")
      ? ` It would lose digits: the largest whole number is ${Number.MAX_SAFE_INTEGER}.`
      : "";
  return `Allowed: ${allowedWords(setting)}.${tooLong}${near === undefined ? "" : ` Did you mean ${near}?`}${setting.instead === undefined ? "" : ` ${setting.instead}`}`;
}

/** The allowed value that a slip of the fingers could have meant. */
function nearestValue(text: string, setting: Setting): string | undefined {
  const allowed = setting.format === "time-zone" ? Intl.supportedValuesOf("timeZone") : (setting.enum ?? []);
  return nearest(text, allowed.map(String));
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false; // The only way to ask.
  }
}

function isSecretPath(path: string): boolean {
  return /(key|token|secret|password)$/i.test(path);
}
