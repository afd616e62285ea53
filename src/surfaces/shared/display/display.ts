import type { ConfigService } from "../../../contract/services/config-service.ts";
import type { Json } from "../../../contract/common/json.ts";
import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";

export const TOOL_PROGRESS = ["off", "new", "all", "verbose"] as const;
export const INDICATORS = ["kaomoji", "emoji", "unicode", "ascii"] as const;
/** The fields of the interactive session's status line, in their default order. */
export const STATUS_FIELDS = ["waiting", "model", "context", "cost", "time", "mode", "folder", "session"] as const;
export const NOTIFY = ["all", "questions", "off"] as const;
export type Notify = (typeof NOTIFY)[number];
export type StatusField = (typeof STATUS_FIELDS)[number];
export type ToolProgress = (typeof TOOL_PROGRESS)[number];
export type Indicator = (typeof INDICATORS)[number];

/** How a surface displays a conversation: `display.*`. */
export interface Display {
  /** `new`: shows a call if its tool differs from the previous call's; `verbose`: with arguments and result. */
  readonly toolProgress: ToolProgress;
  readonly reasoning: "hidden" | "clamped" | "full";
  readonly streaming: boolean;
  readonly cost: boolean;
  readonly timestamps: boolean;
  readonly compact: boolean;
  readonly bell: boolean;
  /** What a terminal calls its user to: questions and the ends of long turns, questions, nothing. */
  readonly notify: Notify;
  /** The end of a turn that ran at least this long calls the user. */
  readonly notifyAfterMs: number;
  readonly diffs: boolean;
  /** Characters of a call's argument; 0: as many as fit. */
  readonly previewLength: number;
  readonly resume: "full" | "minimal";
  readonly resumeExchanges: number;
  readonly indicator: Indicator;
  readonly statusLine: readonly StatusField[];
  /** Vim keys in the editor. */
  readonly vimKeys: boolean;
  /** Command of an external pager; "": none. */
  readonly pager: string;
  /** Name of the current skin. */
  readonly skin: string;
  /** Formats a time for display beside a message. */
  time(at: number): string;
}

/** The settings for this platform, else those for all. */
export function displayOf(config: Pick<ConfigService, "get" | "explain">, platform: string): Display {
  const own = (path: string): Json | undefined =>
    config.get(path.replace("display.", `display.platforms.${platform}.`));
  const value = (path: string): Json | undefined => own(path) ?? config.get(path);
  return {
    toolProgress: toolProgressSet(config, platform) ?? (config.get("agent.verbose") === true ? "verbose" : "all"),
    reasoning:
      value("display.show_reasoning") === false
        ? "hidden"
        : value("display.reasoning_full") === true
          ? "full"
          : "clamped",
    streaming: value("display.streaming") !== false,
    cost: value("display.show_cost") === true,
    timestamps: value("display.timestamps") === true,
    compact: value("display.compact") === true,
    bell: value("display.bell_on_complete") === true,
    notify: oneOf(NOTIFY, value("display.notify")) ?? "all",
    notifyAfterMs: 1000 * numberOf(value("display.notify_after"), 15),
    diffs: value("display.inline_diffs") !== false,
    previewLength: numberOf(value("display.tool_preview_length"), 0),
    resume: value("display.resume_display") === "minimal" ? "minimal" : "full",
    resumeExchanges: numberOf(value("display.resume_exchanges"), 10),
    indicator: oneOf(INDICATORS, value("display.tui_status_indicator")) ?? "unicode",
    statusLine: statusFields(value("display.status_line")),
    vimKeys: config.get("display.vim_keys") === true,
    pager: textOf(config.get("display.pager")),
    skin: textOf(config.get("display.skin")) || "default",
    time: (at) =>
      formatWallTime(
        wallTime(at, textOf(config.get("timezone"))),
        textOf(value("display.timestamp_format")) || "%H:%M",
      ),
  };
}

/** The value that the user set for this platform, or for all. */
function toolProgressSet(config: Pick<ConfigService, "get" | "explain">, platform: string): ToolProgress | undefined {
  const path = "display.tool_progress";
  return oneOf(
    TOOL_PROGRESS,
    config.get(`display.platforms.${platform}.tool_progress`) ??
      (config.explain(path).source === "default" ? undefined : config.get(path)),
  );
}

/** Characters of an argument in a chat. */
const CHAT_PREVIEW = 40;

/** The settings for a chat, which shows no tool calls by default. */
export function chatProgress(
  config: Pick<ConfigService, "get" | "explain">,
  platform: string,
): { readonly mode: ToolProgress; readonly previewLength: number } {
  const length = numberOf(
    config.get(`display.platforms.${platform}.tool_preview_length`) ?? config.get("display.tool_preview_length"),
    0,
  );
  return { mode: toolProgressSet(config, platform) ?? "off", previewLength: length === 0 ? CHAT_PREVIEW : length };
}

function oneOf<T extends string>(words: readonly T[], value: Json | undefined): T | undefined {
  return words.find((word) => word === value);
}

function statusFields(value: Json | undefined): readonly StatusField[] {
  return Array.isArray(value) ? value.flatMap((field) => oneOf(STATUS_FIELDS, field) ?? []) : STATUS_FIELDS;
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
