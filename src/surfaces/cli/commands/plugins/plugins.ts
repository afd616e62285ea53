import type { App } from "../../../../contract/services/app.ts";
import type { OwnedTool, PluginListing, ToolCalls } from "../../../../contract/services/plugin-service.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { onTerminal, type Io } from "../../../shared/process/io.ts";
import { printable } from "../../../shared/display/printable.ts";
import { tableOn } from "../../../shared/display/table.ts";
import { linesOfSecrets } from "../../../shared/plugins/given-variables.ts";
import { unusedProviders } from "../setup/pending-providers.ts";
import { whyTool as explain } from "./why-tool.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { wrap } from "../../../shared/display/wrap.ts";
import { registeredCounts } from "../../../shared/display/registered-counts.ts";

export async function listPlugins(
  { io, open }: Call,
  options: { readonly json?: boolean; readonly enabled?: boolean; readonly user?: boolean },
): Promise<void> {
  const all = await (await open()).plugins.list();
  const plugins = all.filter(
    (plugin) => (!options.enabled || plugin.state === "enabled") && (!options.user || plugin.source !== "bundled"),
  );
  if (options.json) {
    const rows = plugins.map(({ key, state, reason, manifest, source, registered, dir, from }) => ({
      name: key,
      status: state,
      reason,
      version: manifest.version,
      description: manifest.description,
      author: manifest.author,
      kind: manifest.kind,
      source,
      dir,
      from,
      registered,
    }));
    return io.out(`${JSON.stringify(rows, null, 2)}\n`);
  }
  if (plugins.length === 0) return io.out("No plugins found.\n");
  const rows = plugins.map((plugin) =>
    [
      `${mark(plugin)} ${plugin.key}`,
      plugin.state,
      plugin.manifest.version,
      plugin.source,
      (waits(plugin) ? undefined : plugin.reason) ??
        `${plugin.manifest.description}${plugin.manifest.author === undefined ? "" : ` (${plugin.manifest.author})`}`,
    ].map(printable),
  );
  const listed = tableOn(io, ["  NAME", "STATE", "VERSION", "SOURCE", "DESCRIPTION"], rows);
  io.out(listed);
  // Show in full why a plugin does not run. For one that is only not enabled, the state says so.
  const cut = plugins.filter(
    (plugin) => plugin.reason !== undefined && !waits(plugin) && !listed.includes(printable(plugin.reason)),
  );
  if (cut.length > 0)
    io.out(
      `\n${cut.map((plugin) => `${mark(plugin)} ${printable(`${plugin.key}: ${plugin.reason ?? ""}`)}\n`).join("")}`,
    );
  const first = plugins.find(waits);
  if (first !== undefined)
    io.note(
      asTyped(
        `\nEnable a plugin with: hermes plugins enable ${plugins.filter(waits).length === 1 ? first.key : "NAME"}\n`,
      ),
    );
}

/** It runs as soon as the user enables it. */
function waits({ because }: PluginListing): boolean {
  return because === "off" || because === "asked";
}

/** With `--json`, prints what the plugin registered beside the manifest's fields, with the key names of the listing. */
export async function pluginInfo(
  { io, open }: Call,
  name: string,
  options: { readonly json?: boolean },
): Promise<void> {
  const app = await open();
  const plugin = await app.plugins.info(name);
  const {
    key,
    state,
    reason,
    manifest,
    source,
    dir,
    from,
    resolved,
    registered,
    runsIn,
    lacking = [],
    refused = [],
    calls,
    secrets,
  } = plugin;
  const needs = [
    ...manifest.requires_env.map((need) => ({ ...need, required: true })),
    ...manifest.optional_env.map((need) => ({ ...need, required: false })),
  ].map((need) => ({ ...need, set: !plugin.unset.includes(need.name) }));
  if (options.json) {
    return io.out(
      `${JSON.stringify({ name: key, status: state, reason, version: manifest.version, description: manifest.description, author: manifest.author, kind: manifest.kind, source, dir, from, resolved, runsIn, ...registered, env: needs, packages: manifest.dependencies, lacking, grants: manifest.grants, calls, refused, secrets }, null, 2)}\n`,
    );
  }
  const list = (word: string, names: readonly string[]): readonly string[] =>
    names.length === 0 ? [] : [`${word.padEnd(10)} ${names.join(", ")}`];
  const { grants } = manifest;
  const lines = [
    `${mark(plugin)} ${key}${manifest.version === "" ? "" : ` ${manifest.version}`}  ${manifest.kind} · ${source}`,
    ...(manifest.description === "" ? [] : [manifest.description]),
    "",
    `state      ${state}${reason === undefined ? "" : `: ${reason}`}`,
    `folder     ${dir}`,
    ...list("runs in", runsIn === undefined ? [] : [runsIn]),
    ...list("from", from === undefined ? [] : [`${from}${resolved === undefined ? "" : ` (${resolved})`}`]),
    ...list("author", manifest.author === undefined ? [] : [manifest.author]),
    ...list("tools", registered.tools),
    ...list("hooks", registered.hooks),
    ...list(
      "commands",
      registered.commands.map((command) => `/${command}`),
    ),
    ...list(
      "cli",
      registered.cli.map((command) => `hermes ${command}`),
    ),
    ...list("skills", registered.skills),
    ...list("providers", registered.providers),
    ...list("toolsets", registered.toolsets),
    ...list("middleware", registered.middleware),
    ...needs.map(
      (need) =>
        `${need.set ? "✓" : need.required ? "✗" : "○"} ${need.name}${need.set ? " is set" : need.required ? " is missing" : " is optional"}${need.description === undefined ? "" : ` — ${need.description}`}${need.url === undefined ? "" : ` (${need.url})`}`,
    ),
    ...(manifest.dependencies ?? []).map((need) =>
      lacking.includes(need)
        ? `✗ the Python package ${need} is missing (hermes plugins enable ${key} installs it)`
        : `✓ the Python package ${need} is installed${need.includes(";") ? ", or not needed here" : ""}`,
    ),
    ...(plugin.lackingFrom === "npm" ? lacking : []).map(
      (need) => `✗ the npm package ${need} is missing (hermes plugins enable ${key} installs it)`,
    ),
    ...list("reads", grants?.read ?? []),
    ...list("changes", grants?.write ?? []),
    ...list("connects", grants?.hosts ?? []),
    ...(calls === undefined ? list("calls", grants?.tools ?? []) : linesOfCalls(key, calls)),
    ...refused.map((sentence) => `✗ ${sentence}`),
    ...linesOfSecrets(app, key, secrets),
  ];
  io.out(`${lines.map(printable).join("\n")}\n`);
}

/** The user's decisions about the tools that it calls, and how to change them. */
function linesOfCalls(key: string, { allowed, never, asks, others }: ToolCalls): readonly string[] {
  return [
    ...allowed.map((tool) => `✓ may call the tool ${tool} (hermes plugins revoke ${key} ${tool})`),
    ...never.map((tool) => `✗ may never call the tool ${tool} (hermes plugins grant ${key} ${tool})`),
    ...asks.map((tool) => `○ asks before it calls the tool ${tool} (hermes plugins grant ${key} ${tool})`),
    ...(others ? ["○ asks before it calls any other tool"] : []),
  ];
}

/** `hermes plugins grant` and `revoke`. */
export async function decideTools(
  { io, open }: Call,
  name: string,
  tools: readonly string[],
  decision: "allow" | "never" | "ask",
): Promise<void> {
  const app = await open();
  const names = tools.length > 0 ? tools : allDecided(await app.plugins.info(name));
  const { key, calls } = await app.plugins.decideTools(name, names, decision);
  const lines = names.map((tool) =>
    calls.allowed.includes(tool)
      ? `${key} may call the tool ${tool}. Risky calls still ask you.`
      : calls.never.includes(tool)
        ? `${key} may not call the tool ${tool}.`
        : `${key} asks you before it calls the tool ${tool}.`,
  );
  if (lines.length === 0) lines.push(`${key} has no grant to call a tool.`);
  io.out(`${lines.map(printable).join("\n")}\n`);
  io.note("Running sessions use this from the next start, or after /reload.\n");
}

/** Every tool that it may call. */
function allDecided({ calls }: PluginListing): readonly string[] {
  return calls?.allowed ?? [];
}

export async function enablePlugin(
  { io: given, open }: Call,
  name: string,
  options: { readonly allowToolOverride?: boolean; readonly yes?: boolean; readonly build?: boolean },
): Promise<number> {
  const io = onTerminal(given);
  const app = await open();
  await offerPackages(app, await app.plugins.info(name), io, options);
  const reporting = setInterval(() => io.note(`Loading ${name} ...\n`), REPORT_MS);
  const first = await app.plugins
    .enable(name, { allowReplace: options.allowToolOverride === true })
    .finally(() => clearInterval(reporting));
  if (first.waits && !(await mayReplace(first.listing.key, first.replaces, io)))
    return io.interactive ? EXIT.denied : EXIT.failed;
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
async function mayReplace(key: string, replaces: readonly OwnedTool[], io: Io): Promise<boolean> {
  const report = (text: string): void => io.note(`${wrap(printable(text), io.columns - 1).join("\n")}\n`);
  for (const { tool, owner } of replaces)
    report(
      `"${key}" replaces the built-in tool "${tool}" of "${owner}". Every call of "${tool}" would run the code of "${key}".`,
    );
  if (!io.interactive) {
    io.note(`Not enabled. To agree: ${asTyped("hermes plugins enable")} ${key} --allow-tool-override\n`);
    return false;
  }
  using asker = await (await import("../../input/ask-lines.ts")).openLineAsker();
  const agreed = /^y(es)?$/i.test(await asker.ask(`Let it replace ${replaces.length === 1 ? "it" : "them"}? [y/N] `));
  if (!agreed) io.note(`${asker.ended ? "\n" : ""}${key} was not enabled.\n`);
  return agreed;
}

/** Interval of progress messages while a plugin loads. */
const REPORT_MS = 3_000;

/** Offers to install the packages that a plugin needs. Without them the plugin runs as well as it can. */
async function offerPackages(
  app: App,
  { key, lacking = [], lackingFrom }: PluginListing,
  io: Io,
  { yes = false, build = false }: { readonly yes?: boolean; readonly build?: boolean },
): Promise<void> {
  if (lacking.length === 0) return;
  const named = printable(lacking.join(", "));
  if (!yes) {
    io.note(`${key} needs ${packages(lacking.length, lackingFrom)} not installed: ${named}\n`);
    using asker = io.interactive ? await (await import("../../input/ask-lines.ts")).openLineAsker() : undefined;
    const answer = await asker?.ask(
      lackingFrom === "npm"
        ? "Install into the plugin's folder, without running their scripts? [y/N] "
        : `Install into a virtual environment for this plugin${build ? ", building packages without a wheel" : ", from wheels only"}? [y/N] `,
    );
    if (!/^y(es)?$/i.test(answer ?? ""))
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

export async function disablePlugin({ io, open }: Call, name: string): Promise<void> {
  const listing = await (await open()).plugins.disable(name);
  io.out(
    listing === undefined
      ? `The plugin "${printable(name)}" no longer exists. Removed it from plugins.enabled.\n`
      : `${listing.key} is disabled.\n`,
  );
}

/** Succeeds if the tool is offered. */
export async function whyTool(
  { io, open }: Call,
  name: string,
  options: { readonly platform: string; readonly json?: boolean },
): Promise<number> {
  const app: App = await open();
  const [tools, plugins] = await Promise.all([
    app.tools.list({ surface: options.platform, prompter: true }),
    app.plugins.list(),
  ]);
  const { offered, reasons } = explain(name, tools, plugins, options.platform);
  if (options.json)
    io.out(`${JSON.stringify({ tool: name, platform: options.platform, offered, reasons }, null, 2)}\n`);
  else
    io.out(
      `${offered ? "✓" : "✗"} ${name} is ${offered ? "" : "not "}offered on ${options.platform}.\n${reasons.map((reason) => `  ${printable(reason)}\n`).join("")}`,
    );
  return offered ? EXIT.ok : EXIT.failed;
}

function mark(plugin: PluginListing): string {
  return plugin.state === "enabled" ? "✓" : plugin.state === "failed" ? "✗" : "○";
}
