import type { App } from "../../../../contract/services/app.ts";
import type { PluginInstall, PluginListing } from "../../../../contract/services/plugin-service.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { openLineAsker, type LineAsker } from "../../input/ask-lines.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { onTerminal, type Io } from "../../../shared/process/io.ts";
import { printable } from "../../../shared/display/printable.ts";
import { enablePlugin } from "./plugins.ts";
import { asTyped } from "../../../shared/process/called-as.ts";

interface InstallFlags {
  readonly ref?: string;
  readonly force?: boolean;
  /** Undefined: ask. */
  readonly enable?: boolean;
  readonly yes?: boolean;
  readonly build?: boolean;
  readonly json?: boolean;
}

/** Fetches a plugin, shows what it requests, installs it, asks for its variables and whether to enable it. */
export async function installPlugin(call: Call, from: string, options: InstallFlags): Promise<number> {
  const { open } = call;
  const io = onTerminal(call.io);
  const app = await open();
  await using install = await app.plugins.install(from, { cwd: process.cwd(), signal: io.signal, ...options });
  show(install, io);
  using asker = io.interactive && options.json !== true ? await openLineAsker() : undefined;
  const unasked = asker === undefined && options.yes !== true ? whyAsk(install) : undefined;
  if (unasked !== undefined) {
    io.note(`Not installed: ${unasked}. To agree, repeat the command with --yes.\n`);
    return EXIT.denied;
  }
  if (asker !== undefined && options.yes !== true && !(await yes(asker, "Install it? [y/N] "))) {
    io.note("Not installed.\n");
    return EXIT.denied;
  }
  const listing = await install.commit();
  io.note(`Installed in ${listing.dir}\n`);
  if (install.afterInstall !== undefined) io.note(`\n${printable(install.afterInstall).trimEnd()}\n\n`);
  await askVariables(app, install, asker, io);
  const enable = options.enable ?? (asker !== undefined && (await yes(asker, `Enable '${listing.key}' now? [y/N] `)));
  asker?.[Symbol.dispose]();
  if (options.json)
    io.out(
      `${JSON.stringify({ name: listing.key, version: install.manifest.version, dir: listing.dir, from: install.from, resolved: install.resolved, hash: install.hash, grants: install.grants }, null, 2)}\n`,
    );
  if (enable)
    return enablePlugin(options.json ? { ...call, io: { ...io, out: io.note } } : call, listing.key, {
      yes: options.yes === true,
      build: options.build === true,
    });
  if (listing.state !== "enabled") io.note(asTyped(`Enable it with: hermes plugins enable ${listing.key}\n`));
  return EXIT.ok;
}

/** Why Hermes does not install it without a terminal to ask in. */
function whyAsk({ doubts, added, replaces }: PluginInstall): string | undefined {
  if (doubts.length > 0) return "its skills need a review first";
  // An enabled plugin would get the permissions of the new version at once.
  return replaces !== undefined && added.length > 0
    ? "it requests more permissions than the installed version"
    : undefined;
}

/**
 * Updates one plugin, or all that were installed. An update that requests more than you granted needs your approval.
 */
export async function updatePlugins(
  { io: given, open }: Call,
  name: string | undefined,
  options: { readonly yes?: boolean; readonly build?: boolean },
): Promise<number> {
  const io = onTerminal(given);
  const app = await open();
  const all = (await app.plugins.list()).filter(({ from }) => from !== undefined);
  const names = name === undefined ? all.map(({ key }) => key) : [name];
  if (names.length === 0) io.note("No plugin was installed with `hermes plugins install`.\n");
  using asker = io.interactive ? await openLineAsker() : undefined;
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
    show(install, io);
    const asked = install.added.length > 0 || install.doubts.length > 0;
    const why =
      install.added.length > 0 ? "requests more permissions than before" : "has a skill that needs a review first";
    const agreed =
      !asked || options.yes === true || (asker !== undefined && (await yes(asker, `It ${why}. Agree? [y/N] `)));
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
    if (!io.interactive)
      throw new UserError(`Cannot ask whether to delete the files of "${name}": there is no terminal.`, {
        hint: "Repeat the command with --yes.",
        exitCode: EXIT.usage,
      });
    using asker = await openLineAsker();
    if (!(await yes(asker, `Delete ${dir}? [y/N] `))) {
      io.note(`${asker.ended ? "\n" : ""}Nothing was deleted.\n`);
      return EXIT.denied;
    }
  }
  const listing: PluginListing = await app.plugins.remove(name);
  io.out(`Removed ${listing.key}.\n`);
  return EXIT.ok;
}

function show(install: PluginInstall, io: Io): void {
  const { key, manifest, from, resolved, grants, added, removed, replaces } = install;
  const line = (text: string): void => io.note(`${printable(text)}\n`);
  line(
    `${key}${manifest.version === "" ? "" : ` ${manifest.version}`}${manifest.description === "" ? "" : ` — ${manifest.description}`}`,
  );
  line(`  from ${from} (${resolved})${manifest.author === undefined ? "" : `, by ${manifest.author}`}`);
  if (replaces === undefined) for (const grant of grants) line(`  · ${grant}`);
  else {
    line(`  replaces version ${replaces || "unknown"}`);
    for (const grant of grants) line(`  ${added.includes(grant) ? "+" : "·"} ${grant}`);
    for (const grant of removed) line(`  - ${grant}`);
  }
  for (const tool of install.asks) line(`  ? calls the tool ${tool}: asks you at the first call`);
  for (const doubt of install.doubts) line(`  ! ${doubt}`);
  for (const part of install.leftOut) line(`  - ${part}`);
  if (grants.length === 0) line("  It does not declare what it registers or needs.");
}

/** Asks for each variable that is not set. An empty answer leaves it unset. */
async function askVariables(app: App, install: PluginInstall, asker: LineAsker | undefined, io: Io): Promise<void> {
  for (const { name, description, url, secret } of install.missing) {
    const words = [description, url === undefined ? undefined : `Get it at ${url}`]
      .filter((text) => text !== undefined)
      .map(printable);
    if (asker === undefined) {
      io.note(
        `It needs ${name}${words.length === 0 ? "" : ` (${words.join("; ")})`}: ${asTyped("hermes config set")} ${name} VALUE\n`,
      );
      continue;
    }
    for (const text of words) io.note(`${text}\n`);
    const value = await (secret === true
      ? asker.askHidden(`${name} (stored in .env, input hidden): `)
      : asker.ask(`${name} (stored in .env): `));
    if (value === "") io.note(`Not set. Set it later with: ${asTyped("hermes config set")} ${name} VALUE\n`);
    else await app.config.set(name, value);
  }
}

async function yes(asker: LineAsker, question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await asker.ask(question));
}
