import type { ShellHookInfo } from "../../../contract/services/hook-service.ts";
import { registeredCounts } from "../display/registered-counts.ts";
import { footerFields } from "../display/footer-fields.ts";
import { modelChoices } from "../conversation/model-choices.ts";
import { readyModel } from "../conversation/named-model.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands that change settings. */

export async function model(args: string, host: SlashHost): Promise<string> {
  const current = await host.app.models.current();
  if (args === "" && (host.pick ?? host.browse) !== undefined) return pickModel(host, current);
  if (args === "") {
    const providers = (await host.app.models.providers()).filter(({ ready }) => ready).map(({ id }) => id);
    return `${current.model} by ${current.provider} (${current.source}). Ready providers: ${providers.join(", ")}. Change it with: /model provider/name`;
  }
  const chosen = await readyModel(host.app, args, current);
  if (host.useModel !== undefined) host.useModel(chosen);
  else if (host.switchSession === undefined) await host.app.models.choose(chosen);
  else
    await host.switchSession({
      sessionId: host.session().id,
      model: { provider: chosen.provider, name: chosen.model },
    });
  return `This session now uses ${chosen.model} by ${chosen.provider}.`;
}

async function pickModel(
  host: SlashHost,
  current: Awaited<ReturnType<SlashHost["app"]["models"]["current"]>>,
): Promise<string> {
  if (host.browse !== undefined) {
    const session = host.session().view();
    const now = session.model === undefined ? current : { ...current, model: session.model };
    const browsed = await (await import("../pickers/pick-model.ts")).pickModel(host, now);
    return browsed === undefined ? "" : model(browsed, host);
  }
  const choices = (await modelChoices(host.app, host.signal)).map((one) => `${one.provider}/${one.model}`);
  if (choices.length === 0)
    return `${current.model} by ${current.provider} (${current.source}). No other model is available to list. Change it with: /model provider/name`;
  const picked = await host.pick?.(
    `Current model: ${current.model} by ${current.provider}. Which one should this session use?`,
    choices,
    "model",
  );
  return picked === undefined ? "Nothing was changed." : model(picked, host);
}

export async function tools(args: string, host: SlashHost): Promise<string> {
  if (args === "" && host.browse !== undefined) return (await import("../pickers/switch-tools.ts")).switchTools(host);
  const [verb = "list", ...names] = args.split(/\s+/).filter((word) => word !== "");
  if (verb === "enable" || verb === "disable") {
    if (names.length === 0) return `Usage: /tools ${verb} NAME (a tool or toolset)`;
    await host.app.tools[verb](names, host.surface);
    return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} ${verb}d, starting with the next session (/new).`;
  }
  if (verb !== "list") return "Usage: /tools list, /tools enable NAME or /tools disable NAME.";
  const { toolList } = await import("./show.ts");
  return toolList(host);
}

export function busy(args: string, host: SlashHost): string {
  const mode = host.busyMode;
  if (mode === undefined) return "";
  if (args === "queue" || args === "steer" || args === "interrupt") mode.set(args);
  else if (args !== "" && args !== "status") return "Usage: /busy queue|steer|interrupt";
  return `Enter during a turn: ${mode.get()}.`;
}

/** In a chat, applies to all chats of that platform; elsewhere to all platforms. */
export async function footer(args: string, { app, surface, chat }: SlashHost): Promise<string> {
  const where = chat === undefined ? "in chats" : `on ${surface}`;
  const now = footerFields(app, surface) !== undefined;
  if (!["", "on", "off", "status"].includes(args)) return "Usage: /footer on|off|status";
  if (args === "status") return `The status line under answers ${where} is ${now ? "on" : "off"}.`;
  const on = args === "" ? !now : args === "on";
  await app.config.set(
    chat === undefined ? "display.runtime_footer.enabled" : `display.platforms.${surface}.runtime_footer.enabled`,
    String(on),
  );
  return `The status line under answers ${where} is now ${on ? "on: model, context use and folder" : "off"}.`;
}

export function yolo(host: SlashHost): string {
  host.yolo?.set(!host.yolo.get());
  return host.yolo?.get() === true
    ? "Approvals are off for this session. Hard blocks still apply."
    : "Approvals are on.";
}

/** Asks the user about each hook, if possible. Returns the hooks that stay off. */
async function askAboutHooks(host: SlashHost, waiting: readonly ShellHookInfo[]): Promise<readonly ShellHookInfo[]> {
  if (waiting.length === 0 || host.pick === undefined) return waiting;
  const agreed: ShellHookInfo[] = [];
  const declined: ShellHookInfo[] = [];
  for (const hook of waiting) {
    const [yes, no] = [`Run it on every ${hook.event}`, "Do not run it"];
    const title = `config.yaml has a shell hook that is not allowed yet: ${hook.command}`;
    const answer = await host.pick(title, [no, yes]);
    if (answer === yes) agreed.push(hook);
    // No answer is not a decision.
    else if (answer === no) declined.push(hook);
  }
  await host.app.hooks.accept(agreed, declined);
  return host.app.hooks.waiting();
}

/** Reloads plugins and settings. Tools run their new code at once, but the tool list changes only with /new. */
export async function reload(host: SlashHost): Promise<string> {
  const before = new Set(
    (await host.app.tools.list({ surface: host.surface, prompter: true })).map(({ declaration }) => declaration.name),
  );
  await host.reload?.();
  const { started, stopped, ms } = await host.app.plugins.reload();
  await host.app.hooks.reload();
  const waiting = await askAboutHooks(host, host.app.hooks.waiting());
  const fresh = started
    .filter(({ state }) => state === "enabled")
    .flatMap(({ registered }) => registered.tools)
    .filter((name) => !before.has(name));
  const lines = started.map(({ key, state, reason, registered }) =>
    state === "enabled" ? `✓ ${key} (${registeredCounts(registered)})` : `✗ ${key} — ${reason ?? state}`,
  );
  return [
    started.length + stopped.length === 0 ? "Nothing changed." : `Reloaded in ${Math.round(ms)} ms.`,
    ...lines.map((line) => `  ${line}`),
    ...stopped.map((key) => `  ○ ${key} is off`),
    ...waiting.map(
      ({ command, event }) => `  ○ The shell hook "${command}" (${event}) does not run: you have not allowed it`,
    ),
    ...(fresh.length === 0 ? [] : [`New tools (${fresh.join(", ")}) are offered starting with the next session: /new`]),
  ].join("\n");
}
