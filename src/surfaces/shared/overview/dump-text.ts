import { arch, homedir, release, type } from "node:os";
import type { App } from "../../../contract/services/app.ts";
import { keyEnds } from "../../../contract/common/key-ends.ts";
import { printable } from "../display/printable.ts";
import { statusReport } from "./status-report.ts";

/**
 * A summary for a support request: no keys, texts of conversations, names of chats, or the name of the user's home
 * directory.
 * @param options.showKeys Adds the ends of each key.
 */
export async function dumpText(app: App, options: { readonly showKeys: boolean }): Promise<string> {
  const report = await statusReport(app, { deep: false });
  const plugins = await app.plugins.list();
  const named = (state: string): string =>
    plugins
      .filter((plugin) => plugin.state === state && plugin.source !== "bundled")
      .map(({ key, manifest }) => `${key} ${manifest.version}`)
      .join(", ") || "none";
  const failed = plugins
    .filter(({ state }) => state === "failed")
    .map(({ key, reason }) => `${key} (${reason ?? "?"})`);
  const toolsets = app.tools.toolsets().flatMap(({ name, enabled }) => (enabled ? [name] : []));
  const rows: readonly (readonly [string, string])[] = [
    ["version", report.version],
    ["system", `${type()} ${release()} ${arch()}`],
    ["node", process.version],
    ["profile", report.profile],
    ["home", report.home],
    ["settings", report.config.ok ? "valid" : report.config.detail],
    ["changed settings", changedSettings(app).join(", ") || "none"],
    ["model", report.model.detail],
    ["memory", report.memory.detail],
    ["terminal", report.terminal.detail],
    ["gateway", report.gateway.running ? (report.gateway.state ?? "running") : "not running"],
    [
      "platforms",
      report.platforms.map(({ name, state, lacks }) => `${name} (${[state, ...lacks].join("; ")})`).join(", ") ||
        "none",
    ],
    ["toolsets (cli)", toolsets.join(", ")],
    ["MCP servers", report.mcp.map(({ name, enabled }) => (enabled ? name : `${name} (off)`)).join(", ") || "none"],
    ["plugins", named("enabled")],
    ["failed plugins", failed.join(", ") || "none"],
    [
      "jobs",
      `${report.jobs.active} active of ${report.jobs.total}, scheduler ${report.jobs.runner === null ? "not running" : "running"}`,
    ],
    ["sessions", String(report.sessions.total)],
    ["keys", (await keys(app, options.showKeys)).join(", ") || "none"],
    ["last error", report.last_error === null ? "none" : `${report.last_error.at} ${report.last_error.message}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const text = rows.map(([name, value]) => `${name.padEnd(width)}  ${value.replaceAll(/\s*\n\s*/g, " · ")}\n`).join("");
  return printable(app.mask(withoutHome(`--- hermes dump ---\n${text}--- end ---\n`)));
}

/** Names of the variables with keys that are set, of model providers and plugins. */
async function keys(app: App, showEnds: boolean): Promise<readonly string[]> {
  const [providers, plugins, service] = await Promise.all([app.models.providers(), app.plugins.list(), app.gateway()]);
  const names = new Set([
    ...providers.flatMap(({ keyEnv }) => keyEnv),
    ...plugins.flatMap(({ manifest }) => manifest.requires_env.map(({ name }) => name)),
  ]);
  return [...names].toSorted().flatMap((name) => {
    const value = service.variable(name);
    return value === undefined ? [] : [showEnds ? `${name} (${keyEnds(value)})` : name];
  });
}

/** Paths of settings that files or variables set; values may be private. */
function changedSettings({ config }: App): readonly string[] {
  return config
    .keys()
    .map(({ path }) => path)
    .filter((path) => ["file", "profile", "environment"].includes(config.explain(path).source));
}

/** The path often contains the user's name. */
function withoutHome(text: string): string {
  const home = homedir();
  return home === "/" ? text : text.replaceAll(home, "~");
}
