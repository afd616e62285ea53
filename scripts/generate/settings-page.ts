import { composeSchema } from "../../src/host/config/compose-schema.ts";
import { allowedWords, leaves, variableOf, type Leaf, type Setting } from "../../src/host/config/setting.ts";
import { code, page, prose, table, type Page } from "./page.ts";
import type { BundledPlugin } from "./read-snapshot.ts";
import { settingReader, type SettingReader } from "./settings-in-use.ts";

export interface SettingsInUse {
  readonly used: readonly Leaf[];
  /** Known and accepted, but read by no code. */
  readonly idle: readonly Leaf[];
  readonly reader: SettingReader;
}

export function settingsInUse(plugins: readonly BundledPlugin[]): SettingsInUse {
  const sections = plugins.flatMap(({ key, manifest: { config } }) =>
    config === undefined ? [] : [{ owner: key, ...config }],
  );
  const all = leaves(composeSchema(sections));
  return {
    used: all.filter(({ unused }) => !unused),
    idle: all.filter(({ unused }) => unused),
    reader: settingReader(),
  };
}

export function settingsPage({ used, idle, reader }: SettingsInUse): Page {
  const sections = Map.groupBy(used, ({ path }) => path.split(".")[0] ?? "");
  return page(
    "settings.md",
    "Settings",
    "This page lists every key of `config.yaml` that this version uses. `hermes config explain KEY` shows the current value and its source; [configuration](../configuration.md) explains the precedence of files, variables and options.",
    ...[...sections].flatMap(([name, all]) => [
      `## ${name}`,
      table(["Key", "Default", "Allowed", "Variable", "Meaning"], all.map(row)),
      ...all.flatMap((leaf) => inner(leaf, reader)),
    ]),
    "## Accepted from the original, not used by this version",
    "A `config.yaml` of the original may contain these keys. They cause no error and have no effect.",
    list(idle),
  );
}

function row({ path, setting }: Leaf): readonly string[] {
  const variable = variableOf(setting);
  const aliases = setting.aliases === undefined ? "" : ` Alias: ${setting.aliases.map(code).join(", ")}.`;
  return [
    code(path),
    setting.default === undefined ? "" : code(JSON.stringify(setting.default)),
    allowedWords(setting),
    variable === undefined ? "" : code(variable),
    `${prose(setting.description ?? "")}${aliases}`,
  ];
}

/** Keys of the maps that a list or an open map contains. */
function inner({ path, setting }: Leaf, reader: SettingReader): readonly string[] {
  const [step, item] =
    setting.items?.properties !== undefined
      ? ["[]", setting.items]
      : typeof setting.additionalProperties === "object" && setting.additionalProperties.properties !== undefined
        ? [".NAME", setting.additionalProperties]
        : ["", undefined];
  if (item?.properties === undefined) return [];
  const keys: readonly [string, Setting][] = Object.entries(item.properties).filter(
    ([key, { unused }]) => unused !== true && reader.readsInner(key),
  );
  return [
    `Keys of \`${path}${step}\`:`,
    table(
      ["Key", "Default", "Allowed", "Meaning"],
      keys.map(([key, one]) => [
        code(key),
        one.default === undefined ? "" : code(JSON.stringify(one.default)),
        allowedWords(one),
        prose(one.description ?? ""),
      ]),
    ),
  ];
}

function list(idle: readonly Leaf[]): string {
  const sections = Map.groupBy(idle, ({ path }) => path.split(".")[0] ?? "");
  return [...sections]
    .map(
      ([name, all]) =>
        `- ${code(name)}${all.some(({ path }) => path !== name) ? `: ${all.map(({ path }) => code(path.slice(name.length + 1))).join(", ")}` : ""}`,
    )
    .join("\n");
}
