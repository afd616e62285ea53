import type { ShellHookInfo } from "../../../contract/services/hook-service.ts";
import { registeredCounts } from "../display/registered-counts.ts";
import { footerFields } from "../display/footer-fields.ts";
import { modelChoices } from "../conversation/model-choices.ts";
import { readyModel } from "../conversation/named-model.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands that change how the agent works. */

export async function model(args: string, host: SlashHost): Promise<string> {
  const current = await host.app.models.current();
  if (args === "" && host.pick !== undefined) return pickModel(host, current);
  if (args === "") {
    const providers = (await host.app.models.providers()).filter(({ ready }) => ready).map(({ id }) => id);
    return `${current.model} by ${current.provider} (${current.source}). Ready providers: ${providers.join(", ")}. /model provider/name changes it.`;
  }
  const chosen = await readyModel(host.app, args, current);
  if (host.useModel !== undefined) host.useModel(chosen);
  else if (host.switchSession === undefined) await host.app.models.choose(chosen);
  else
    await host.switchSession({
      sessionId: host.session().id,
      model: { provider: chosen.provider, name: chosen.model },
    });
  return `This session goes on with ${chosen.model} by ${chosen.provider}.`;
}

async function pickModel(
  host: SlashHost,
  current: Awaited<ReturnType<SlashHost["app"]["models"]["current"]>>,
): Promise<string> {
  const choices = (await modelChoices(host.app, host.signal)).map((one) => `${one.provider}/${one.model}`);
  if (choices.length === 0)
    return `${current.model} by ${current.provider} (${current.source}). No other model could be listed; /model provider/name changes it.`;
  const picked = await host.pick?.(
    `${current.model} by ${current.provider} answers now. Which one shall go on?`,
    choices,
    "model",
  );
  return picked === undefined ? "Nothing was changed." : model(picked, host);
}

export async function tools(args: string, host: SlashHost): Promise<string> {
  const [verb = "list", ...names] = args.split(/\s+/).filter((word) => word !== "");
  if (verb === "enable" || verb === "disable") {
    if (names.length === 0) return `/tools ${verb} needs the name of a tool or toolset.`;
    await host.app.tools[verb](names, host.surface);
    return `${names.join(", ")} ${names.length === 1 ? "is" : "are"} ${verb}d, from the next session on (/new).`;
  }
  if (verb !== "list") return "/tools list, /tools enable NAME, /tools disable NAME.";
  const { toolList } = await import("./show.ts");
  return toolList(host);
}

export function busy(args: string, host: SlashHost): string {
  const mode = host.busyMode;
  if (mode === undefined) return "";
  if (args === "queue" || args === "steer" || args === "interrupt") mode.set(args);
  else if (args !== "" && args !== "status") return "/busy queue, /busy steer or /busy interrupt.";
  return `Enter while a turn runs: ${mode.get()}.`;
}

/** Typed in a chat it is for all chats of that platform, else for all platforms. */
export async function footer(args: string, { app, surface, chat }: SlashHost): Promise<string> {
  const where = chat === undefined ? "in chats" : `on ${surface}`;
  const now = footerFields(app, surface) !== undefined;
  if (!["", "on", "off", "status"].includes(args)) return "/footer on, /footer off or /footer status.";
  if (args === "status") return `Answers ${where} end ${now ? "with a line of figures" : "without a line of figures"}.`;
  const on = args === "" ? !now : args === "on";
  await app.config.set(
    chat === undefined ? "display.runtime_footer.enabled" : `display.platforms.${surface}.runtime_footer.enabled`,
    String(on),
  );
  return `Answers ${where} end ${on ? "with a line of figures: model, how full its context is, folder" : "without a line of figures"} from now on.`;
}

export function yolo(host: SlashHost): string {
  host.yolo?.set(!host.yolo.get());
  return host.yolo?.get() === true
    ? "Approvals are off for this session. What the hard floor blocks stays blocked."
    : "Approvals are on.";
}

/** Asks about each where somebody can be asked. Returns those that do not run. */
async function askedAbout(host: SlashHost, waiting: readonly ShellHookInfo[]): Promise<readonly ShellHookInfo[]> {
  if (waiting.length === 0 || host.pick === undefined) return waiting;
  const agreed: ShellHookInfo[] = [];
  for (const hook of waiting) {
    const yes = `Run it at every ${hook.event}`;
    if (
      (await host.pick(`config.yaml names a shell hook nobody agreed to: ${hook.command}`, ["Do not run it", yes])) ===
      yes
    )
      agreed.push(hook);
  }
  await host.app.hooks.accept(agreed);
  return host.app.hooks.waiting();
}

/** What is offered to the model stays as it is until /new; what its tools do is new at once. */
export async function reload(host: SlashHost): Promise<string> {
  const before = new Set(
    (await host.app.tools.list({ surface: host.surface, prompter: true })).map(({ declaration }) => declaration.name),
  );
  await host.reload?.();
  const { started, stopped, ms } = await host.app.plugins.reload();
  await host.app.hooks.reload();
  const waiting = await askedAbout(host, host.app.hooks.waiting());
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
      ({ command, event }) =>
        `  ○ The shell hook "${command}" (${event}) does not run: nobody agreed to it as it is now`,
    ),
    ...(fresh.length === 0 ? [] : [`New tools (${fresh.join(", ")}) are offered from the next session on: /new`]),
  ].join("\n");
}
