import { variableOf, type Leaf } from "../../src/host/config/setting.ts";
import { code, page, prose, table, type Page } from "./page.ts";
import type { BundledPlugin } from "./read-snapshot.ts";
import type { SettingsInUse } from "./settings-page.ts";
import { READ_VARIABLES, SET_VARIABLES } from "./variables.ts";

interface Row {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
}

/** Each variable appears in one table: its plugin's, its setting's, or the other variables', in this order. */
export function environmentPage(plugins: readonly BundledPlugin[], { used, idle }: SettingsInUse): Page {
  const ofPlugins = declared(plugins);
  const taken = new Set(ofPlugins.map(({ name }) => name));
  const ofSettings = used.flatMap(setting).filter(({ name }) => once(taken, name));
  const direct = Object.entries(READ_VARIABLES).flatMap(([name, text]) =>
    once(taken, name) ? [{ name, ...text }] : [],
  );
  const without = idle.flatMap(setting).filter(({ name }) => once(taken, name));
  const keys = ofPlugins.filter(({ name }) => /_(API_KEY|TOKEN)$/.test(name));
  const addresses = ofPlugins.filter(({ name }) => name.endsWith("_BASE_URL"));
  const others = ofPlugins.filter((row) => !keys.includes(row) && !addresses.includes(row));
  return page(
    "environment.md",
    "Environment variables",
    "This page lists every variable that this version reads. Variables of the process override those of `.env` in the home. In `.env`, a setting's variable applies only if `config.yaml` does not set the key. `hermes config set NAME VALUE` writes a key into `.env`.",
    "## The program",
    rows(direct),
    "## Settings",
    "Each sets the key of `config.yaml` that it names; see [settings](settings.md).",
    rows(ofSettings),
    "## Keys of model providers",
    "If several variables of a provider are set, the first one counts; see [providers](providers.md). Your own endpoint at `api.acme.com` uses `ACME_API_KEY`, unless its `key_env` names another.",
    rows(keys),
    "## Addresses of model providers",
    rows(addresses),
    "## Other variables of bundled plugins",
    rows(others),
    "## Accepted from the original, without effect",
    `They belong to settings that [this version does not use](settings.md#accepted-from-the-original-not-used-by-this-version): ${without.map(({ name }) => code(name)).join(", ")}.`,
    "## Set for commands",
    "Do not set these: the agent sets them for the commands that it runs.",
    table(
      ["Variable", "Meaning"],
      Object.entries(SET_VARIABLES).map(([name, meaning]) => [code(name), meaning]),
    ),
  );
}

function declared(plugins: readonly BundledPlugin[]): readonly Row[] {
  const needs = plugins.flatMap(({ manifest, registered }) => [
    ...manifest.requires_env,
    ...manifest.optional_env,
    ...registered.tools.flatMap(({ env }) => env),
  ]);
  return [
    ...new Map(
      needs.map((need) => [need.name, { name: need.name, default: "", meaning: prose(need.description ?? "") }]),
    ).values(),
  ].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function setting({ path, setting: rule }: Leaf): readonly Row[] {
  const name = variableOf(rule);
  if (name === undefined) return [];
  return [
    {
      name,
      default:
        rule.default === undefined || rule.default === ""
          ? ""
          : code(typeof rule.default === "string" ? rule.default : JSON.stringify(rule.default)),
      meaning: `${code(path)}: ${prose(rule.description ?? "")}`,
    },
  ];
}

function once(taken: Set<string>, name: string): boolean {
  if (taken.has(name)) return false;
  taken.add(name);
  return true;
}

function rows(all: readonly Row[]): string {
  return table(
    ["Variable", "Default", "Meaning"],
    all.map((row) => [code(row.name), row.default, row.meaning]),
  );
}
