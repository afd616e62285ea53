import { chatProgress, INDICATORS, TOOL_PROGRESS } from "../display/display.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import { twoColumns } from "../display/two-columns.ts";
import type { SlashHost } from "./slash-host.ts";
import { asTyped } from "../process/called-as.ts";

/**
 * Commands that change how this session is displayed. In a terminal they save nothing, and say how to save the
 * setting.
 */

/** In a chat, saves the setting for all chats of that platform. */
export async function verbose(args: string, { display, chat, app, surface }: SlashHost): Promise<string> {
  const now = chat !== undefined ? chatProgress(app.config, surface).mode : display?.get().toolProgress;
  if (now === undefined) return "";
  const next = TOOL_PROGRESS[(TOOL_PROGRESS.indexOf(now) + 1) % TOOL_PROGRESS.length];
  const mode = args === "" ? next : TOOL_PROGRESS.find((word) => word === args.trim().toLowerCase());
  if (mode === undefined) return `Usage: /verbose ${TOOL_PROGRESS.join("|")}. Current: ${now}.`;
  if (chat !== undefined) {
    await app.config.set(`display.platforms.${surface}.tool_progress`, mode);
    return `Tool calls on ${surface}: ${SHOWS[mode]}.`;
  }
  display?.set({ toolProgress: mode });
  return `Tool calls: ${SHOWS[mode]}. ${howToSave("tool_progress", mode)}`;
}

const SHOWS = {
  off: "not shown",
  new: "shown when the tool changes",
  all: "shown",
  verbose: "shown with arguments and results",
} as const;

export async function reasoning(args: string, { display, app }: SlashHost): Promise<string> {
  if (display === undefined) return "";
  const shown = WORDS.get(args);
  if (shown !== undefined) {
    display.set({ reasoning: shown });
    return `Reasoning is ${THINKS[shown]}. ${shown === "full" ? howToSave("reasoning_full", "true") : howToSave("show_reasoning", String(shown !== "hidden"))}`;
  }
  const path = "agent.reasoning_effort";
  const before = app.config.get(path);
  if (args === "")
    return `Reasoning is ${THINKS[display.get().reasoning]}. Effort: ${typeof before === "string" && before !== "" ? before : "the model's default"} (${app.config.explain(path).allowed ?? ""}).`;
  await app.config.set(path, args);
  return `Effort is ${args} from the next turn on, saved in ${app.config.file}. To undo: /reasoning ${typeof before === "string" && before !== "" ? before : asTyped('"" or `hermes config unset agent.reasoning_effort`')}`;
}

const WORDS = new Map([
  ["show", "clamped"],
  ["on", "clamped"],
  ["clamp", "clamped"],
  ["hide", "hidden"],
  ["off", "hidden"],
  ["full", "full"],
] as const satisfies readonly (readonly [string, "clamped" | "hidden" | "full"])[]) as ReadonlyMap<
  string,
  "clamped" | "hidden" | "full"
>;
const THINKS = { hidden: "not shown", clamped: "shown (last lines)", full: "shown in full" } as const;

export function timestamps(args: string, { display }: SlashHost): string {
  if (display === undefined) return "";
  const on = switched(args, display.get().timestamps);
  if (on === undefined) return "Usage: /timestamps on|off";
  display.set({ timestamps: on });
  return `Message times are ${on ? "shown" : "hidden"}. ${howToSave("timestamps", String(on))}`;
}

export function indicator(args: string, { display }: SlashHost): string {
  if (display === undefined) return "";
  const style = INDICATORS.find((word) => word === args);
  if (style === undefined) return `Usage: /indicator ${INDICATORS.join("|")}. Current: ${display.get().indicator}.`;
  display.set({ indicator: style });
  return `The spinner style is ${style}. ${howToSave("tui_status_indicator", style)}`;
}

export async function skin(args: string, host: SlashHost): Promise<string> {
  const { display, skins, redraw, columns, browse } = host;
  if (display === undefined || skins === undefined) return "";
  if (args === "" && browse !== undefined) {
    const picked = await (await import("../pickers/pick-skin.ts")).pickSkin(host);
    return picked === undefined ? "" : skin(picked, host);
  }
  const all = await skins.read();
  const now = display.get().skin;
  if (args === "")
    return twoColumns(
      [
        all.map(({ name, description, problem }) => ({
          head: `${name === now ? "→" : " "} ${name}`,
          text: problem ?? description,
        })),
      ],
      columns?.(),
    );
  const found = skins.named(args);
  const near = nearest(
    args,
    all.map(({ name }) => name),
  );
  if (found === undefined)
    return `There is no skin "${args}". ${near === undefined ? `Skins: ${all.map(({ name }) => name).join(", ")}.` : `Did you mean ${near}?`}`;
  if (found.problem !== undefined) return found.problem;
  display.set({ skin: found.name });
  redraw?.();
  return `The skin is ${found.name}. ${howToSave("skin", found.name)}`;
}

export function statusbar(args: string, host: SlashHost): string {
  const on = switched(args, host.statusbar?.get() ?? false);
  if (on === undefined) return "Usage: /statusbar on|off";
  host.statusbar?.set(on);
  return `The status bar is ${on ? "shown" : "hidden"}.`;
}

export function copy(args: string, host: SlashHost): string {
  const back = args === "" ? 1 : Number(args);
  const answers = host
    .session()
    .view()
    .entries.flatMap((entry) => (entry.kind === "assistant" && entry.text !== "" ? [entry.text] : []));
  const text = Number.isInteger(back) && back > 0 ? answers.at(-back) : undefined;
  if (text === undefined)
    return answers.length === 0
      ? "There is no answer yet."
      : `Usage: /copy or /copy N, with N from 1 (the last answer) to ${answers.length}.`;
  host.copy?.(text);
  return `Sent ${text.length} characters to the clipboard. This works only if the terminal allows it.`;
}

/** Parses on or off; without an argument it toggles. */
function switched(args: string, now: boolean): boolean | undefined {
  if (args === "") return !now;
  return args === "on" ? true : args === "off" ? false : undefined;
}

function howToSave(key: string, value: string): string {
  return `To save it: ${asTyped("hermes config")} set display.${key} ${value}`;
}
