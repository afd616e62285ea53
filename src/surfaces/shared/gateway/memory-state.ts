import type { App } from "../../../contract/services/app.ts";
import { notGiven } from "../plugins/given-variables.ts";

/** The memory provider that `memory.provider` names. */
export type MemoryState =
  | { readonly provider: ""; readonly lack?: undefined }
  | { readonly provider: string; readonly lack?: undefined }
  /** `lack`: a phrase; `hint`: the command that helps and what it does, without a period. */
  | {
      readonly provider: string;
      readonly lack: string;
      readonly hint: string;
      /** Its code reads secrets that it does not get. */
      readonly readsSecrets?: true;
    };

/**
 * Whether the chosen memory provider can work.
 *
 * @param how `start` starts it and asks it; `look` only reports what is missing without that.
 */
export async function memoryState(app: App, how: "start" | "look"): Promise<MemoryState> {
  const id = app.config.get("memory.provider");
  if (typeof id !== "string" || id === "") return { provider: "" };
  if (how === "start" && (await app.memory())?.available === true) return { provider: id };
  const plugin = (await app.plugins.list()).find(
    ({ key, manifest, registered }) =>
      key === id ||
      manifest.name === id ||
      key.split("/").at(-1) === id ||
      registered.providers.includes(`memory/${id}`),
  );
  if (plugin === undefined)
    return {
      provider: id,
      lack: "no installed plugin provides it",
      hint: `\`hermes plugins install SOURCE\` adds a plugin for it`,
    };
  if (plugin.state !== "enabled")
    return {
      provider: id,
      lack: plugin.reason?.replace(/\.$/, "") ?? `its plugin "${plugin.key}" is ${plugin.state}`,
      hint:
        plugin.unset.length > 0
          ? `\`hermes memory setup ${id}\` asks for what is missing`
          : `\`hermes plugins enable ${plugin.key}\` enables it`,
    };
  if (how === "look") return { provider: id };
  const setup = await app.memorySetup();
  const fields = setup?.fields ?? [];
  const missing = fields.flatMap(({ required, env_var }) =>
    required === true && env_var !== undefined && !app.config.hasVariable(env_var) ? [env_var] : [],
  );
  const asks = `\`hermes memory setup ${id}\` asks for`;
  if (missing.length > 0) return { provider: id, lack: `${missing.join(", ")} is missing`, hint: `${asks} it` };
  const secrets = fields.flatMap(({ secret, env_var }) =>
    secret === true && env_var !== undefined && app.config.hasVariable(env_var) ? [env_var] : [],
  );
  const withheld = setup === undefined ? [] : await notGiven(app, setup.plugin, secrets);
  if (withheld.length > 0)
    return {
      provider: id,
      lack: `${withheld.join(", ")} is set, but ${id} may not use it`,
      hint: `${asks} permission`,
    };
  const read = (await app.plugins.info(plugin.key)).secrets;
  if (read !== undefined)
    return {
      provider: id,
      lack: `its code reads ${[...read.withheld, ...read.missing].join(", ")}, which it does not get`,
      hint: "`hermes memory status` shows how to pass it",
      readsSecrets: true,
    };
  return { provider: id, lack: "it does not start", hint: `\`hermes logs\` shows why` };
}
