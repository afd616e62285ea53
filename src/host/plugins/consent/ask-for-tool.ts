import type { Clock } from "../../../contract/common/clock.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { Answer, Question } from "../../../contract/conversation/question.ts";
import type { ToolOutcome } from "../../../contract/tools/outcome.ts";
import { timeoutOf } from "../../../engine/approval/approval-mode.ts";
import { askInTime } from "../../../engine/approval/ask-in-time.ts";
import { makeVisible } from "../../../safety/text/visible.ts";
import type { SettingsEdit } from "../../config/settings-edit.ts";
import type { PlaceOfCall } from "../../sessions/current-call.ts";
import { decisionEdits, toolDenied, toolGrantsOf, type CallingPlugin } from "./tool-grants.ts";

export interface AskPorts {
  readonly config: { get(path: string): Json | undefined; edit(edits: readonly SettingsEdit[]): Promise<void> };
  readonly clock: Clock;
  readonly log: Logger;
  /** Masks secrets. */
  show(text: string): string;
  readonly place: PlaceOfCall;
  /** The chat user of a session; `undefined` for the owner's. */
  whose(sessionId: string | undefined): Promise<string | undefined>;
  readonly signal: AbortSignal;
}

type Denied = Extract<ToolOutcome, { readonly kind: "denied" }>;

const ONCE = "Allow once";
const ALWAYS = "Always allow";
const NEVER = "Never allow";
const MAX_SHOWN = 300;

/** Questions about one plugin and tool wait for each other: an answer for all calls is given once. */
const open = new Map<string, Promise<unknown>>();

/**
 * Decides whether a plugin from elsewhere may call a tool: by the manifest that the user agreed to, by an earlier
 * decision, or by asking. No answer, and no one to ask, is a denial.
 */
export async function askForTool(
  plugin: CallingPlugin,
  tool: string,
  args: JsonObject,
  ports: AskPorts,
): Promise<Denied | undefined> {
  const known = decided(plugin, tool, ports);
  if (known !== "undecided") return known;
  const key = `${plugin.key}\n${tool}`;
  const before = open.get(key);
  const asked = (async () => {
    await before?.catch(() => undefined);
    const meanwhile = decided(plugin, tool, ports);
    return meanwhile === "undecided" ? ask(plugin, tool, args, ports) : meanwhile;
  })();
  open.set(key, asked);
  try {
    return await asked;
  } finally {
    if (open.get(key) === asked) open.delete(key);
  }
}

function decided(plugin: CallingPlugin, tool: string, { config }: AskPorts): Denied | "undecided" | undefined {
  const { allowed, never } = toolGrantsOf(plugin, (path) => config.get(path));
  if (never.includes(tool)) return denied(plugin, tool, "the user does not allow it");
  return allowed.includes(tool) ? undefined : "undecided";
}

async function ask(
  plugin: CallingPlugin,
  tool: string,
  args: JsonObject,
  ports: AskPorts,
): Promise<Denied | undefined> {
  const { place, config, log } = ports;
  // The owner decides what runs here, not a chat member.
  if (place.prompter === undefined || (await ports.whose(place.sessionId)) !== undefined)
    return denied(plugin, tool, "the user has not allowed it, and cannot be asked here");
  let answer: Answer;
  try {
    answer = await answerTo(question(plugin, tool, args, ports), ports);
  } catch (cause) {
    log.error(`Cannot ask whether the plugin "${plugin.key}" may call the tool "${tool}".`, { cause });
    return denied(plugin, tool, "the user could not be asked");
  }
  const choice = answer.kind === "text" ? answer.text : undefined;
  if (choice === ALWAYS || choice === NEVER) {
    try {
      await config.edit(decisionEdits(plugin, [tool], choice === ALWAYS ? "allow" : "never"));
    } catch (cause) {
      log.error(`Cannot store the decision about "${plugin.key}" and "${tool}"; it covers only this call.`, { cause });
    }
  }
  if (choice === ONCE || choice === ALWAYS) return undefined;
  return denied(plugin, tool, answer.kind === "none" ? "the user did not answer" : "the user does not allow it");
}

function answerTo(asked: Question, { place, config, clock, signal }: AskPorts): Promise<Answer> {
  const timeoutMs = timeoutOf((path) => config.get(path));
  if (place.tool !== undefined) return place.tool.ask(asked, { timeoutMs });
  return askInTime(
    place.prompter!,
    asked,
    { seconds: timeoutMs / 1000, clock },
    place.signal === undefined ? signal : AbortSignal.any([place.signal, signal]),
  );
}

function question({ key }: CallingPlugin, tool: string, args: JsonObject, { show }: AskPorts): Question {
  const [only] = Object.values(args);
  const whole = Object.keys(args).length === 1 && typeof only === "string" ? only : JSON.stringify(args);
  const text = makeVisible(show(whole));
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return {
    kind: "choice",
    text: `The plugin "${makeVisible(key)}" wants to call the tool "${tool}":\n  ${shown}\nRisky calls still need your approval each time.`,
    choices: [ONCE, ALWAYS, NEVER],
    other: false,
  };
}

function denied({ key }: CallingPlugin, tool: string, why: string): Denied {
  return { kind: "denied", by: "plugin grant", reason: toolDenied(key, tool, why) };
}
