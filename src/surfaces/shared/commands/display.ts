import { chatProgress, INDICATORS, TOOL_PROGRESS } from "../display/display.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import { twoColumns } from "../display/two-columns.ts";
import type { SlashHost } from "./slash-host.ts";
import { asTyped } from "../process/called-as.ts";

/** Commands that change how this session is shown. On this machine nothing is written: each says how to keep it. */

/** In a chat it is kept at once, for all chats of that platform. */
export async function verbose(args: string, { display, chat, app, surface }: SlashHost): Promise<string> {
  const now = chat !== undefined ? chatProgress(app.config, surface).mode : display?.get().toolProgress;
  if (now === undefined) return "";
  const next = TOOL_PROGRESS[(TOOL_PROGRESS.indexOf(now) + 1) % TOOL_PROGRESS.length];
  const mode = args === "" ? next : TOOL_PROGRESS.find((word) => word === args.trim().toLowerCase());
  if (mode === undefined) return `/verbose ${TOOL_PROGRESS.join(", ")}. Now: ${now}.`;
  if (chat !== undefined) {
    await app.config.set(`display.platforms.${surface}.tool_progress`, mode);
    return `Tool calls on ${surface}: ${SHOWS[mode]}.`;
  }
  display?.set({ toolProgress: mode });
  return `Tool calls: ${SHOWS[mode]}. ${keep("tool_progress", mode)}`;
}

const SHOWS = {
  off: "not shown",
  new: "shown when the tool is another than before",
  all: "shown",
  verbose: "shown with arguments and results",
} as const;

export async function reasoning(args: string, { display, app }: SlashHost): Promise<string> {
  if (display === undefined) return "";
  const shown = WORDS.get(args);
  if (shown !== undefined) {
    display.set({ reasoning: shown });
    return `What the model thinks is ${THINKS[shown]}. ${shown === "full" ? keep("reasoning_full", "true") : keep("show_reasoning", String(shown !== "hidden"))}`;
  }
  const path = "agent.reasoning_effort";
  const before = app.config.get(path);
  if (args === "")
    return `What the model thinks is ${THINKS[display.get().reasoning]}. Effort: ${typeof before === "string" && before !== "" ? before : "the model's own default"} (${app.config.explain(path).allowed ?? ""}).`;
  await app.config.set(path, args);
  return `Effort is ${args} from the next turn on, kept in ${app.config.file}. Back: /reasoning ${typeof before === "string" && before !== "" ? before : asTyped('"" or hermes config unset agent.reasoning_effort')}`;
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
const THINKS = { hidden: "not shown", clamped: "shown, its last lines", full: "shown in full" } as const;

export function timestamps(args: string, { display }: SlashHost): string {
  if (display === undefined) return "";
  const on = switched(args, display.get().timestamps);
  if (on === undefined) return "/timestamps on or /timestamps off.";
  display.set({ timestamps: on });
  return `Times are ${on ? "shown from now on" : "not shown"}. ${keep("timestamps", String(on))}`;
}

export function indicator(args: string, { display }: SlashHost): string {
  if (display === undefined) return "";
  const style = INDICATORS.find((word) => word === args);
  if (style === undefined) return `/indicator ${INDICATORS.join(", ")}. Now: ${display.get().indicator}.`;
  display.set({ indicator: style });
  return `The sign is ${style} now. ${keep("tui_status_indicator", style)}`;
}

export async function skin(args: string, { display, skins, redraw, columns }: SlashHost): Promise<string> {
  if (display === undefined || skins === undefined) return "";
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
    return `There is no skin "${args}". ${near === undefined ? `There are: ${all.map(({ name }) => name).join(", ")}.` : `Did you mean ${near}?`}`;
  if (found.problem !== undefined) return found.problem;
  display.set({ skin: found.name });
  redraw?.();
  return `These are the colours of ${found.name}. ${keep("skin", found.name)}`;
}

export function statusbar(args: string, host: SlashHost): string {
  const on = switched(args, host.statusbar?.get() ?? false);
  if (on === undefined) return "/statusbar on or /statusbar off.";
  host.statusbar?.set(on);
  return `The line at the bottom is ${on ? "shown" : "hidden"}.`;
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
      : `/copy, or /copy 1 to ${answers.length}: so many answers back.`;
  host.copy?.(text);
  return `${text.length} characters are in the clipboard, where the terminal allows it.`;
}

/** The other way when nothing is said. */
function switched(args: string, now: boolean): boolean | undefined {
  if (args === "") return !now;
  return args === "on" ? true : args === "off" ? false : undefined;
}

function keep(key: string, value: string): string {
  return `To keep it: ${asTyped("hermes config")} set display.${key} ${value}`;
}
