import { textOf } from "../../../contract/conversation/part.ts";
import type { Undone } from "../../../contract/conversation/session.ts";
import type { SlashHost } from "./slash-host.ts";

/** Commands that take back exchanges. */

const PREVIEW_CHARS = 60;
const SHOWN = 8;
const NOTHING = "There is no exchange to take back.";

/** `/undo [N]`. */
export async function undo(args: string, host: SlashHost): Promise<string> {
  const exchanges = args === "" ? 1 : Number(args);
  if (!Number.isInteger(exchanges) || exchanges < 1) return "Usage: /undo, or /undo N for the last N exchanges.";
  const undone = await host.session().undo({ exchanges });
  if (undone === undefined) return NOTHING;
  host.draft?.(textOf(undone.parts));
  const count = `${undone.exchanges} ${undone.exchanges === 1 ? "exchange" : "exchanges"}`;
  return [`Took back ${count}, from “${preview(undone)}” on.`, ...whatStays(undone, host)].join("\n");
}

/** `/retry`: the message and the taking back are stored together, so no crash loses the message. */
export async function retry(host: SlashHost): Promise<string> {
  const undone = await host.session().undo({ again: { inputId: host.asInput?.inputId } });
  if (undone?.again === undefined) return "There is no message to send again.";
  const text = [`Sending again: “${preview(undone)}”`, ...whatStays(undone, host)].join("\n");
  if (host.asInput !== undefined) {
    host.asInput.begun(undone.again);
    return text;
  }
  await host.notify?.(text);
  await undone.again;
  return host.notify === undefined ? text : "";
}

/** What the calls of the turns did: it stays done. */
function whatStays({ files, calls }: Undone, { app }: SlashHost): readonly string[] {
  const rollback = app.commands.get("rollback") !== undefined ? " /rollback lists the checkpoints to restore." : "";
  return [
    ...(files.length === 0 ? [] : [`Files that were changed stay changed: ${list(files, ", ")}.${rollback}`]),
    ...(calls.length === 0 ? [] : [`Calls that ran are not undone:\n  ${list(calls, "\n  ")}`]),
  ];
}

function list(all: readonly string[], between: string): string {
  const shown = all.slice(0, SHOWN).join(between);
  return all.length > SHOWN ? `${shown}${between}and ${all.length - SHOWN} more` : shown;
}

function preview({ parts }: Undone): string {
  const line = textOf(parts).replaceAll(/\s+/g, " ").trim();
  if (line === "") return "(no text)";
  return line.length <= PREVIEW_CHARS ? line : `${line.slice(0, PREVIEW_CHARS - 1)}…`.toWellFormed();
}
