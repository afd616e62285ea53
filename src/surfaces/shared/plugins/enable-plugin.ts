import type { App } from "../../../contract/services/app.ts";
import type { OwnedTool, PluginListing, ToolCalls } from "../../../contract/services/plugin-service.ts";
import { printable } from "../display/printable.ts";
import { registeredCounts } from "../display/registered-counts.ts";
import { wrap } from "../display/wrap.ts";
import { asTyped } from "../process/called-as.ts";
import { EXIT } from "../process/exit-code.ts";
import { unusedProviders } from "./pending-providers.ts";
import type { PluginUser } from "./plugin-user.ts";

export interface EnableOptions {
  readonly allowToolOverride?: boolean;
  readonly yes?: boolean;
  readonly build?: boolean;
}

/** Loads a plugin once and enables it: asks for packages to install and built-in tools to replace. @returns the exit status. */
export async function enablePlugin(app: App, name: string, options: EnableOptions, io: PluginUser): Promise<number> {
  await offerPackages(app, await app.plugins.info(name), io, options);
  const reporting = setInterval(() => io.note(`Loading ${name} ...\n`), REPORT_MS);
  const first = await app.plugins
    .enable(name, { allowReplace: options.allowToolOverride === true })
    .finally(() => clearInterval(reporting));
  if (first.waits && !(await mayReplace(first.listing.key, first.replaces, io)))
    return io.openAsker !== undefined ? EXIT.denied : EXIT.failed;
  const { listing, withheld, shared, faults } = first.waits
    ? await app.plugins.enable(name, { allowReplace: first.replaces.map(({ tool }) => tool) })
    : first;
  if (waitsToBeChosen(listing)) {
    io.out(asTyped(`✓ ${listing.key} is available. ${wayOn(listing).join("\n")}\n`));
    return EXIT.ok;
  }
  if (listing.state !== "enabled") {
    io.note(asTyped(`${[listing.reason ?? `${listing.key}: ${listing.state}`, ...wayOn(listing)].join("\n")}\n`));
    // It is enabled and only needs its variables.
    return missingIn(listing) === undefined ? EXIT.failed : EXIT.ok;
  }
  io.out(
    `✓ ${listing.key}${listing.manifest.version === "" ? "" : ` v${listing.manifest.version}`} (${registeredCounts(listing.registered)}) is enabled.\n`,
  );
  for (const fault of faults) io.note(`${printable(fault)}\n`);
  const { calls } = await app.plugins.info(listing.key);
  for (const text of calls === undefined ? [] : linesOfCalls(listing.key, calls)) io.note(`${printable(text)}\n`);
  for (const line of unusedProviders(listing.registered.providers, (path) => app.config.get(path)))
    io.note(asTyped(`${line}\n`));
  for (const { tool, owner } of shared)
    io.note(
      asTyped(
        `"${owner}" and "${listing.key}" both register the tool "${tool}"; the plugin that loads last wins. See: hermes tools show ${tool}\n`,
      ),
    );
  if (withheld.length > 0)
    io.note(
      asTyped(
        `It did not get ${withheld.join(", ")}, which it reads but does not declare.\nTo give it access: hermes config set plugins.entries.${listing.key}.env '${JSON.stringify(withheld)}'\n`,
      ),
    );
  return EXIT.ok;
}

/** It is ready, but a setting chooses another plugin of its category. */
function waitsToBeChosen({ because }: PluginListing): boolean {
  return because === "chosen";
}

/** The commands that make a plugin run. */
function wayOn(listing: PluginListing): readonly string[] {
  const { key, manifest, registered } = listing;
  const missing = missingIn(listing);
  if (missing !== undefined) return [`It starts once this variable is set: hermes config set ${missing} VALUE`];
  if (manifest.chosen_by !== undefined)
    return [`Choose it with: hermes config set ${manifest.chosen_by} ${manifest.name}`];
  if (manifest.kind !== "exclusive") return [];
  const engine = registered.providers.find((provider) => provider.startsWith("context/"))?.slice("context/".length);
  const isMemory = registered.providers.some((provider) => provider.startsWith("memory/"));
  return [
    engine !== undefined && !isMemory
      ? `Choose it with: hermes config set context.engine ${engine}`
      : key.startsWith("context_engine/")
        ? `Choose it with: hermes config set context.engine ${manifest.name}`
        : `Choose it with: hermes memory setup ${manifest.name}`,
  ];
}

/** The first required variable that is missing. */
function missingIn({ because, manifest, unset }: PluginListing): string | undefined {
  return because === "variables" ? manifest.requires_env.find(({ name }) => unset.includes(name))?.name : undefined;
}

/** Asks once; Hermes stores the answer for these tools of this plugin. */
async function mayReplace(key: string, replaces: readonly OwnedTool[], io: PluginUser): Promise<boolean> {
  const report = (text: string): void => io.note(`${wrap(printable(text), io.columns - 1).join("\n")}\n`);
  for (const { tool, owner } of replaces)
    report(
      `"${key}" replaces the built-in tool "${tool}" of "${owner}". Every call of "${tool}" would run the code of "${key}".`,
    );
  if (io.openAsker === undefined) {
    io.note(`Not enabled. To agree: ${asTyped("hermes plugins enable")} ${key} --allow-tool-override\n`);
    return false;
  }
  using asker = await io.openAsker();
  const agreed = await asker.confirm(`Let it replace ${replaces.length === 1 ? "it" : "them"}?`);
  if (!agreed) io.note(`${asker.ended ? "\n" : ""}${key} was not enabled.\n`);
  return agreed;
}

/** Interval of progress messages while a plugin loads. */
const REPORT_MS = 3_000;

/** Offers to install the packages that a plugin needs. Without them the plugin runs as well as it can. */
async function offerPackages(
  app: App,
  { key, lacking = [], lackingFrom }: PluginListing,
  io: PluginUser,
  { yes = false, build = false }: { readonly yes?: boolean; readonly build?: boolean },
): Promise<void> {
  if (lacking.length === 0) return;
  const named = printable(lacking.join(", "));
  if (!yes) {
    io.note(`${key} needs ${packages(lacking.length, lackingFrom)} not installed: ${named}\n`);
    using asker = await io.openAsker?.();
    const agreed = await asker?.confirm(
      lackingFrom === "npm"
        ? "Install into the plugin's folder, without running their scripts?"
        : `Install into a virtual environment for this plugin${build ? ", building packages without a wheel" : ", from wheels only"}?`,
    );
    if (agreed !== true)
      return io.note(
        asTyped(`To install ${lacking.length === 1 ? "it" : "them"}: hermes plugins enable ${key} --yes\n`),
      );
  }
  await app.plugins.installPackages(key, { signal: io.signal, build });
  io.note(`Installed for ${key}: ${named}\n`);
}

function packages(count: number, from: PluginListing["lackingFrom"]): string {
  const kind = from === "npm" ? "npm" : "Python";
  return count === 1 ? `${from === "npm" ? "an" : "a"} ${kind} package that is` : `${kind} packages that are`;
}

/** The user's decisions about the tools that it calls, and how to change them. */
export function linesOfCalls(key: string, { allowed, never, asks, others }: ToolCalls): readonly string[] {
  return [
    ...allowed.map((tool) => `✓ may call the tool ${tool} (hermes plugins revoke ${key} ${tool})`),
    ...never.map((tool) => `✗ may never call the tool ${tool} (hermes plugins grant ${key} ${tool})`),
    ...asks.map((tool) => `○ asks before it calls the tool ${tool} (hermes plugins grant ${key} ${tool})`),
    ...(others ? ["○ asks before it calls any other tool"] : []),
  ];
}
