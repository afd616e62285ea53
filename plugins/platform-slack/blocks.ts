import type { Json, JsonObject } from "hermes-agent/plugin";

/** Most characters in a section. */
const SECTION = 3_000;

/** A text with buttons, as Slack's blocks; `undefined` without buttons. At most 25 buttons. */
export function blocksWith(text: string, metadata: JsonObject | undefined): Json | undefined {
  const buttons = metadata?.["buttons"];
  if (!Array.isArray(buttons) || buttons.length === 0) return undefined;
  const elements = (buttons as readonly JsonObject[]).slice(0, 25).map(({ label = "", data = "" }, at) => ({
    type: "button",
    action_id: `hermes_${at}`,
    value: data,
    text: { type: "plain_text", text: String(label).slice(0, 75) || " " },
  }));
  return [
    ...parts(text).map((part) => ({ type: "section", text: { type: "mrkdwn", text: part } })),
    { type: "actions", elements },
  ];
}

function parts(text: string): readonly string[] {
  if (text.length <= SECTION) return [text];
  const line = text.lastIndexOf("\n", SECTION);
  const at = line > 0 ? line : SECTION;
  return [text.slice(0, at), ...parts(text.slice(at))].filter((part) => part.trim() !== "");
}
