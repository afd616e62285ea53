import { UserError } from "../../../contract/common/failure.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { missingNpmPackage } from "../registry/describe-failure.ts";
import { withGiven, withheldOf } from "../discovery/variables-read.ts";
import { missingPackages } from "./describe-plugin.ts";
import type { OperationPorts } from "./operation-ports.ts";

/** The failure of a plugin's `register`, with what fixes it: packages that are missing, or what its code names. */
export async function registrationFailure(
  cause: unknown,
  plugin: FoundPlugin,
  ports: OperationPorts,
): Promise<unknown> {
  if (!(cause instanceof Error)) return cause;
  const lacking = await missingPackages(plugin, ports);
  if (lacking.length === 0) return withHint(cause, plugin, ports);
  return new UserError(`${cause.message.replace(/[^.!?]$/, "$&.")} It needs ${lacking.join(", ")}.`, {
    hint: `Run \`hermes plugins enable ${plugin.key} --yes\` to install what it needs.`,
    cause,
  });
}

/**
 * The fix for a failure of its code: a variable that it names and did not get, a missing package, or a look at its own
 * lines.
 */
async function withHint(cause: Error, plugin: FoundPlugin, { settings }: OperationPorts): Promise<UserError> {
  const { key } = plugin;
  const { config, environment } = settings;
  const named = [...cause.message.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => [name, ""] as const);
  const [withheld] = withheldOf({ reads: named }, withGiven(plugin, config).manifest, environment);
  if (withheld !== undefined)
    return new UserError(cause.message, {
      hint: `${withheld} is set but not passed to the plugin, because its manifest does not declare it. To pass it, run: hermes config set plugins.entries.${key}.env '["${withheld}"]'.`,
      cause,
    });
  const npm = missingNpmPackage(cause);
  if (npm !== undefined)
    return new UserError(cause.message, {
      hint: `List it in the plugin's package.json ("dependencies": { "${npm}": "*" }) and run \`hermes plugins enable ${key} --yes\` to install it.`,
      cause,
    });
  const [{ missingModule }, { packageOfModule }, { absentPart }] = await Promise.all([
    import("../registry/describe-failure.ts"),
    import("../packages/implied-needs.ts"),
    import("../discovery/absent-part.ts"),
  ]);
  const module = missingModule(cause)?.split(".")[0];
  const hint =
    absentPart(cause) ??
    (module === undefined
      ? `Run \`hermes plugins check ${key}\` to see the error again, with HERMES_PLUGINS_DEBUG=1 for the full traceback.`
      : `If that is a package, name it in plugin.yaml (pip_dependencies: [${packageOfModule(module)}]) and run \`hermes plugins enable ${key} --yes\` to install it.`);
  return new UserError(cause.message, { hint, cause });
}
