import type { EnvNeed } from "../../../contract/common/availability.ts";
import type { PluginManifest } from "../../../contract/plugins/plugin.ts";
import { isForDeclarers } from "../../environment/secrets.ts";

/**
 * The variables that a plugin may read: those of its manifest and those that its tools declare. A plugin from elsewhere
 * gets secrets only by its manifest, because the user saw the manifest and not the code.
 */
export function declaredVariables(
  { manifest, foreign: untrusted }: { readonly manifest: PluginManifest; readonly foreign?: boolean },
  ofTools: readonly EnvNeed[],
  environment: { get(name: string): string | undefined },
): readonly EnvNeed[] {
  return [
    ...manifest.requires_env,
    ...manifest.optional_env,
    ...(untrusted === true ? ofTools.filter(({ name }) => !isSecret(name, environment)) : ofTools),
  ];
}

/** The secrets that its tools declare but its manifest does not, and which it therefore does not get. */
export function withheldFromTools(
  plugin: { readonly manifest: PluginManifest; readonly foreign?: boolean },
  ofTools: readonly EnvNeed[],
  environment: { get(name: string): string | undefined },
): readonly string[] {
  const given = new Set(declaredVariables(plugin, ofTools, environment).map(({ name }) => name));
  return [...new Set(ofTools.map(({ name }) => name))].filter(
    (name) => !given.has(name) && environment.get(name) !== undefined,
  );
}

function isSecret(name: string, environment: { get(name: string): string | undefined }): boolean {
  return isForDeclarers(name, environment.get(name) ?? "");
}
