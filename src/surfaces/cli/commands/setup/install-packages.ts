import type { App } from "../../../../contract/services/app.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import type { Io } from "../../../shared/process/io.ts";
import type { Call } from "../../program/call.ts";

/** `hermes model install [package...]`: installs the named provider packages, else those that the configuration lacks. */
export async function installModelPackages({ io, open }: Call, names: readonly string[]): Promise<number> {
  const app = await open();
  if (names.length === 0) return installMissing(app, io);
  for (const name of names) await install(app, io, name);
  return EXIT.ok;
}

/** Installs what the configured models need. Asks nothing, so it works where no one could answer. */
export async function installMissing(app: App, io: Io): Promise<number> {
  const missing = (await app.models.packages()).filter(({ lack }) => lack !== undefined);
  if (missing.length === 0) io.out("The configured models need no package to be installed.\n");
  for (const { name } of missing) await install(app, io, name);
  const still = (await app.models.packages()).filter(({ lack }) => lack !== undefined);
  for (const { lack, hint } of still) io.note(asTyped(`✗ ${lack}${hint === undefined ? "" : ` ${hint}`}\n`));
  return still.length === 0 ? EXIT.ok : EXIT.failed;
}

async function install(app: App, io: Io, name: string): Promise<void> {
  io.note(`Installing ${name}…\n`);
  await app.models.installPackage(name, io.signal);
  io.out(`Installed ${name}.\n`);
}
