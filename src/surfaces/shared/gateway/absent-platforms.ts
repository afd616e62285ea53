import type { App } from "../../../contract/services/app.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";

/** A chat platform that is configured, but that no running plugin provides. */
export interface AbsentPlatform {
  readonly name: string;
  readonly plugin: string;
  /** A phrase. */
  readonly lack: string;
  /** A sentence with the command that helps. */
  readonly hint: string;
}

/**
 * The variables in `.env` that configure a platform of the original without a section in config.yaml. Not those that
 * tools use as well: Discord, Feishu, Yuanbao.
 */
const TOKENS: Readonly<Record<string, string>> = {
  SIGNAL_HTTP_URL: "signal",
  MATRIX_ACCESS_TOKEN: "matrix",
  MATTERMOST_TOKEN: "mattermost",
  LINE_CHANNEL_ACCESS_TOKEN: "line",
  TEAMS_CLIENT_ID: "teams",
  DINGTALK_CLIENT_ID: "dingtalk",
  QQ_APP_ID: "qqbot",
};
/** Not chat platforms: the command line, and servers that other parts of Hermes provide. */
const OTHERS: ReadonlySet<string> = new Set(["cli", "api_server", "webhook", "cron", "acp", "dashboard", "local"]);

/** @param provided Names of the platforms that plugins provide, running or waiting for a variable. */
export function absentPlatforms(
  { config }: Pick<App, "config">,
  plugins: readonly PluginListing[],
  provided: ReadonlySet<string>,
): readonly AbsentPlatform[] {
  const sections = ["platforms", "gateway.platforms"].flatMap((path) => {
    const section = config.get(path);
    return isObject(section)
      ? Object.entries(section).flatMap(([name, own]) =>
          isObject(own) && own["enabled"] !== false ? [{ name, from: `${path}.${name}` }] : [],
        )
      : [];
  });
  const declared = new Set(
    plugins.flatMap(({ manifest }) => [...manifest.requires_env, ...manifest.optional_env].map(({ name }) => name)),
  );
  // A variable of the process may be for another program.
  const tokens = Object.entries(TOKENS).flatMap(([variable, name]) =>
    config.hasVariable(variable) && !declared.has(variable) && config.explain(variable).where === config.envFile
      ? [{ name, from: variable }]
      : [],
  );
  const found = [...tokens, ...sections].filter(({ name }) => !provided.has(name) && !OTHERS.has(name));
  return [...new Map(found.map((one) => [one.name, one])).values()].map(({ name, from }) =>
    absent(name, from, plugins),
  );
}

function absent(name: string, from: string, plugins: readonly PluginListing[]): AbsentPlatform {
  const plugin = plugins.find(
    ({ key, manifest }) =>
      manifest.kind === "platform" &&
      [key.split("/").at(-1), manifest.name].some((one) => one?.replace(/^platform-|-platform$/g, "") === name),
  );
  if (plugin?.state === "failed")
    return {
      name,
      plugin: plugin.key,
      lack: `its plugin "${plugin.key}" failed: ${plugin.reason ?? "see the log"}`,
      hint: `\`hermes logs\` shows why; \`hermes plugins disable ${plugin.key}\` switches it off.`,
    };
  if (plugin !== undefined)
    return {
      name,
      plugin: plugin.key,
      lack: `its plugin "${plugin.key}" is not enabled`,
      hint: `\`hermes plugins enable ${plugin.key}\` enables it.`,
    };

  return {
    name,
    plugin: "",
    lack: `no installed plugin provides it (${from})`,
    hint: `\`hermes plugins install SOURCE\` adds a plugin for ${name}; \`hermes config unset ${from}\` removes the setting.`,
  };
}
