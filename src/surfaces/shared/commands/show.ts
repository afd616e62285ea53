import { costText, sessionCost } from "../costs/session-cost.ts";
import type { SlashCommand } from "../../../contract/conversation/command.ts";
import type { CoreSlashCommand, SlashHost } from "./slash-host.ts";
import { twoColumns } from "../display/two-columns.ts";
import { asTyped } from "../process/called-as.ts";
import { registeredCounts } from "../display/registered-counts.ts";

/** Commands that only show something. */

const INSIGHTS_DAYS = 30;

export function help(host: SlashHost, core: readonly CoreSlashCommand[], plugins: readonly SlashCommand[]): string {
  const rows = [
    ...core.map((command) => ({
      head: `/${command.name}${command.argsHint === "" ? "" : ` ${command.argsHint}`}`,
      text: `${command.description}${command.aliases.length === 0 ? "" : ` (also /${command.aliases.join(", /")})`}`,
    })),
    ...plugins.map((command) => ({
      head: `/${command.name}${command.argsHint === undefined ? "" : ` ${command.argsHint}`}`,
      text: command.description,
    })),
  ];
  const keys = (host.keys ?? []).map(([head, text]) => ({ head, text }));
  return twoColumns(keys.length === 0 ? [rows] : [rows, keys], host.columns?.());
}

export function history(host: SlashHost): string {
  const display = host.display?.get();
  const stamp = (at: number): string => (display?.timestamps === true ? `[${display.time(at)}] ` : "");
  const lines = host
    .session()
    .view()
    .entries.map((entry) => {
      if (entry.kind === "user") return `${stamp(entry.at)}› ${entry.text}`;
      if (entry.kind === "assistant") return entry.text === "" ? "" : `${stamp(entry.at)}${entry.text}`;
      if (entry.kind === "tool") return `  ${entry.ok ? "✓" : "✗"} ${entry.tool} ${JSON.stringify(entry.args ?? {})}`;
      return `  ${entry.text}`;
    });
  return lines.filter((line) => line !== "").join("\n") || "No messages yet.";
}

export async function toolList(host: SlashHost): Promise<string> {
  const tools = await host.app.tools.list({ surface: host.surface, prompter: true });
  const shown = tools.filter(({ enabled }) => enabled);
  const rows = shown.map(({ declaration, availability }) => ({
    head: `${availability.ok ? "✓" : "✗"} ${declaration.emoji || "⚡"} ${declaration.name}`,
    text: availability.ok ? declaration.summary : availability.reason,
  }));
  const off = tools.length - shown.length;
  return [
    twoColumns([rows], host.columns?.()),
    ...(off === 0 ? [] : [`${off} more are off; /toolsets lists the toolsets.`]),
  ].join("\n");
}

export async function toolsets(args: string, host: SlashHost): Promise<string> {
  if (args === "" && host.browse !== undefined)
    return (await import("../pickers/switch-tools.ts")).switchToolsets(host);
  const rows = host.app.tools.toolsets().map(({ name, description, resolved, enabled }) => ({
    head: `${enabled ? "✓" : "○"} ${name}`,
    text: `${description} (${resolved.length})`,
  }));
  return twoColumns([rows], host.columns?.());
}

/** As the original prints it: `Plugins (1):` and `  ✓ calculator v1.0.0 (2 tools, 1 hooks)`. */
export async function plugins(host: SlashHost): Promise<string> {
  const all = await host.app.plugins.list();
  const own = all.filter(({ source }) => source !== "bundled");
  if (own.length === 0)
    return asTyped("No plugins installed. Put one into ~/.hermes/plugins/NAME and run: hermes plugins enable NAME");
  const lines = own.map(({ key, manifest, state, reason, registered }) => {
    const mark = state === "enabled" ? "✓" : state === "failed" ? "✗" : "○";
    return `  ${mark} ${key}${manifest.version === "" ? "" : ` v${manifest.version}`}${state === "enabled" ? ` (${registeredCounts(registered)})` : ` [${state}]${reason === undefined ? "" : ` — ${reason}`}`}`;
  });
  return [`Plugins (${own.length}):`, ...lines].join("\n");
}

export async function platforms({ app }: SlashHost): Promise<string> {
  const { gatewayStatus, statusText } = await import("../gateway/gateway-status.ts");
  return statusText(await gatewayStatus(app));
}

export function config(host: SlashHost): string {
  const { config: service } = host.app;
  const set = service
    .keys()
    .map(({ path }) => ({ path, ...service.explain(path) }))
    .filter(({ source }) => source !== "default" && source !== "unset");
  return [
    `${service.file}`,
    ...set.map(({ path, source }) => `${path} = ${JSON.stringify(service.shown(path))}  (${source})`),
  ].join("\n");
}

export async function usage(host: SlashHost): Promise<string> {
  const session = host.session();
  const view = session.view();
  const { usage: sums, turns } = view;
  const cost = costText(await sessionCost(host.app, session.id, () => view));
  const cached = sums.inputTokens === 0 ? 0 : Math.round((100 * sums.cacheReadTokens) / sums.inputTokens);
  return `${turns} ${turns === 1 ? "turn" : "turns"} · ${sums.inputTokens} tokens in (${cached} % from cache) · ${sums.outputTokens} out${sums.reasoningTokens === 0 ? "" : ` (${sums.reasoningTokens} reasoning)`}${cost === "" ? "" : ` · ${cost}`}`;
}

/** `/insights [days]`; of all sessions, so only the owner's direct chats show it. */
export async function insights(args: string, { app, chat, columns }: SlashHost): Promise<string> {
  if (chat?.whose !== undefined || chat?.group === true)
    return "Only a direct chat with my owner shows the usage of all sessions.";
  const days = args === "" ? INSIGHTS_DAYS : Number(/^(?:--days\s+)?(\d+)$/.exec(args)?.[1]);
  if (!Number.isInteger(days) || days < 1 || days > 36_500) return "Usage: /insights, or /insights DAYS (1 to 36500).";
  const { insightsText } = await import("../insights/insights-text.ts");
  return insightsText(await app.insights({ days }), columns?.() ?? Infinity).trimEnd();
}

/** Google reports a quota for a Code Assist sign-in, but not for an API key. */
export async function gquota({ app }: SlashHost): Promise<string> {
  const { provider, model } = await app.models.current();
  const why = /^(?:google|gemini)/.test(provider)
    ? `${model} uses an API key of ${provider}, and Google reports no quota for API keys`
    : `the model is ${model} by ${provider}, and you are not signed in to Google`;
  return `There is no quota to show: ${why}. /usage shows the tokens and the cost of this session.`;
}

export async function status(host: SlashHost): Promise<string> {
  const current = await host.app.models.current();
  const session = host.session();
  const title = await (await import("./conversation.ts")).titleOf(host);
  return [
    `model    ${session.view().model ?? current.model} (${current.provider})`,
    `session  ${session.id}${title === undefined ? "" : ` “${title}”`}`,
    `folder   ${session.cwd}`,
    `home     ${host.app.home}`,
    `turn     ${session.busy ? "running" : "idle"}`,
    ...configLines(host.app),
  ].join("\n");
}

/** The mistakes of config.yaml, and the settings in force meanwhile; the owner's chats and terminals see them. */
function configLines({ config: service }: SlashHost["app"]): readonly string[] {
  const { inForce } = service.check();
  return inForce === undefined ? [] : [`config   ⚠ ${inForce.text.replaceAll("\n", "\n         ")}`];
}
