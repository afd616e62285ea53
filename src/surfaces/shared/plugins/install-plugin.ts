import type { App } from "../../../contract/services/app.ts";
import type { PluginInstall } from "../../../contract/services/plugin-service.ts";
import { printable } from "../display/printable.ts";
import { asTyped } from "../process/called-as.ts";
import { EXIT } from "../process/exit-code.ts";
import { enablePlugin } from "./enable-plugin.ts";
import type { Asker, PluginUser } from "./plugin-user.ts";

export interface InstallFlags {
  readonly ref?: string;
  readonly force?: boolean;
  /** Undefined: ask. */
  readonly enable?: boolean;
  readonly yes?: boolean;
  readonly build?: boolean;
  readonly json?: boolean;
}

/** Fetches a plugin, shows what it requests, installs it, asks for its variables and whether to enable it. */
export async function installPlugin(app: App, from: string, options: InstallFlags, io: PluginUser): Promise<number> {
  await using install = await app.plugins.install(from, { cwd: process.cwd(), signal: io.signal, ...options });
  showInstall(install, io);
  using asker = options.json === true ? undefined : await io.openAsker?.();
  const unasked = asker === undefined && options.yes !== true ? whyAsk(install) : undefined;
  if (unasked !== undefined) {
    io.note(`Not installed: ${unasked}. To agree, repeat the command with --yes.\n`);
    return EXIT.denied;
  }
  if (asker !== undefined && options.yes !== true && !(await asker.confirm("Install it?"))) {
    io.note("Not installed.\n");
    return EXIT.denied;
  }
  const listing = await install.commit();
  io.note(`Installed in ${listing.dir}\n`);
  if (install.afterInstall !== undefined) io.note(`\n${printable(install.afterInstall).trimEnd()}\n\n`);
  await askVariables(app, install, asker, io);
  const enable = options.enable ?? (asker !== undefined && (await asker.confirm(`Enable '${listing.key}' now?`)));
  asker?.[Symbol.dispose]();
  if (options.json)
    io.out(
      `${JSON.stringify({ name: listing.key, version: install.manifest.version, dir: listing.dir, from: install.from, resolved: install.resolved, hash: install.hash, grants: install.grants }, null, 2)}\n`,
    );
  if (enable)
    return enablePlugin(
      app,
      listing.key,
      { yes: options.yes === true, build: options.build === true },
      options.json ? { ...io, out: io.note } : io,
    );
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

export function showInstall(install: PluginInstall, io: PluginUser): void {
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
export async function askVariables(
  app: App,
  install: PluginInstall,
  asker: Asker | undefined,
  io: PluginUser,
): Promise<void> {
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
