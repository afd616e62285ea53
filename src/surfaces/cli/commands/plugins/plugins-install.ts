import type { PluginListing } from "../../../../contract/services/plugin-service.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { onTerminal } from "../../../shared/process/io.ts";
import {
  askVariables,
  installPlugin as installFor,
  showInstall,
  type InstallFlags,
} from "../../../shared/plugins/install-plugin.ts";
import { userAt } from "./plugin-user-at-terminal.ts";
import { asTyped } from "../../../shared/process/called-as.ts";

/** `hermes plugins install`. */
export async function installPlugin({ io, open }: Call, from: string, options: InstallFlags): Promise<number> {
  return installFor(await open(), from, options, userAt(onTerminal(io)));
}

/**
 * Updates one plugin, or all that were installed. An update that requests more than you granted needs your approval.
 */
export async function updatePlugins(
  { io: given, open }: Call,
  name: string | undefined,
  options: { readonly yes?: boolean; readonly build?: boolean },
): Promise<number> {
  const io = userAt(onTerminal(given));
  const app = await open();
  const all = (await app.plugins.list()).filter(({ from }) => from !== undefined);
  const names = name === undefined ? all.map(({ key }) => key) : [name];
  if (names.length === 0) io.note("No plugin was installed with `hermes plugins install`.\n");
  using asker = await io.openAsker?.();
  let status: number = EXIT.ok;
  for (const one of names) {
    await using install = await app.plugins.update(one, {
      cwd: process.cwd(),
      signal: io.signal,
      build: options.build === true,
    });
    if (install.unchanged) {
      io.out(`${install.key} is up to date (${install.resolved}).\n`);
      continue;
    }
    showInstall(install, io);
    const asked = install.added.length > 0 || install.doubts.length > 0;
    const why =
      install.added.length > 0 ? "requests more permissions than before" : "has a skill that needs a review first";
    const agreed =
      !asked || options.yes === true || (asker !== undefined && (await asker.confirm(`It ${why}. Agree?`)));
    if (!agreed) {
      io.note(
        `${install.key} was not updated: it ${why}. To agree: ${asTyped("hermes plugins update")} ${install.key} --yes\n`,
      );
      status = EXIT.denied;
      continue;
    }
    const before = install.replaces;
    await install.commit();
    await askVariables(app, install, asker, io);
    const now = install.manifest.version || install.resolved;
    io.out(
      before === now
        ? `${install.key}: downloaded again; still version ${now}.\n`
        : `${install.key}: ${before || "?"} → ${now}\n`,
    );
  }
  return status;
}

export async function removePlugin(
  { io, open }: Call,
  name: string,
  options: { readonly yes?: boolean },
): Promise<number> {
  const app = await open();
  const { dir } = await app.plugins.info(name);
  if (options.yes !== true) {
    const { openAsker } = userAt(io);
    if (openAsker === undefined)
      throw new UserError(`Cannot ask whether to delete the files of "${name}": there is no terminal.`, {
        hint: "Repeat the command with --yes.",
        exitCode: EXIT.usage,
      });
    using asker = await openAsker();
    if (!(await asker.confirm(`Delete ${dir}?`))) {
      io.note(`${asker.ended ? "\n" : ""}Nothing was deleted.\n`);
      return EXIT.denied;
    }
  }
  const listing: PluginListing = await app.plugins.remove(name);
  io.out(`Removed ${listing.key}.\n`);
  return EXIT.ok;
}
