import type { App } from "../../../../contract/services/app.ts";
import type { PluginListing } from "../../../../contract/services/plugin-service.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { onTerminal } from "../../../shared/process/io.ts";
import { enablePlugin as enable, linesOfCalls, type EnableOptions } from "../../../shared/plugins/enable-plugin.ts";
import { userAt } from "./plugin-user-at-terminal.ts";
import { printable } from "../../../shared/display/printable.ts";
import { tableOn } from "../../../shared/display/table.ts";
import { linesOfSecrets } from "../../../shared/plugins/given-variables.ts";
import { whyTool as explain } from "./why-tool.ts";
import { asTyped } from "../../../shared/process/called-as.ts";

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

export async function enablePlugin({ io, open }: Call, name: string, options: EnableOptions): Promise<number> {
  return enable(await open(), name, options, userAt(onTerminal(io)));
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
