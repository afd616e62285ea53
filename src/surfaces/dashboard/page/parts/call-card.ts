import type { PreviewLine } from "../../../shared/display/preview-line.ts";
import type { CallDetails, CallState, ResultForm, ShownCall, ShownImage } from "../../trace/trace-item.ts";
import { element, fill } from "../element.ts";
import { errorText } from "../parts-of-page.ts";
import { say } from "../text.ts";
import { codeBlock } from "./code.ts";
import { diffView } from "./diff.ts";
import { duration } from "./figures.ts";
import { terminalOutput } from "./terminal.ts";

export interface CallCardOptions {
  /** Reads the whole call, when the user opens the card. */
  readonly load: () => Promise<CallDetails>;
  /** Address of this call. */
  readonly href?: string;
  readonly open?: boolean;
  readonly onToggle?: (open: boolean) => void;
}

const MARKS: { readonly [S in CallState]: readonly [mark: string, label: string] } = {
  waiting: ["○", "waiting"],
  approval: ["?", "waiting for approval"],
  answer: ["?", "waiting for an answer"],
  running: ["◐", "running"],
  done: ["✓", "done"],
  failed: ["✗", "failed"],
  denied: ["⊘", "denied"],
  stopped: ["■", "stopped"],
};

/**
 * A call: its state, title, duration and a short part of its result; opened, its arguments and the whole result. States
 * differ by sign and word, not only by colour.
 */
export function callCard(call: ShownCall, { load, href, open = false, onToggle }: CallCardOptions): HTMLElement {
  const [short, full] = [element("div", { class: "short" }, shortPart(call)), element("div", { class: "full" })];
  const button = element(
    "button",
    { type: "button", class: "toggle", "aria-expanded": String(open), onclick: () => toggle() },
    callHeading(call),
  );
  const time = element("span", { class: "time quiet", "data-since": since(call) }, duration(call.durationMs));
  const card = element(
    "div",
    { class: `call ${call.state}`, "data-call": call.callId },
    element(
      "div",
      { class: "head" },
      button,
      time,
      href !== undefined && element("a", { class: "anchor", href, "aria-label": say("Link to this call") }, "#"),
    ),
    short,
    full,
  );
  if (open) void show();
  return card;

  function toggle(): void {
    const opens = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(opens));
    onToggle?.(opens);
    if (opens) return void show();
    fill(full);
    short.hidden = false;
  }

  async function show(): Promise<void> {
    try {
      const details = await load();
      if (button.getAttribute("aria-expanded") !== "true") return;
      short.hidden = true;
      fill(full, fullPart(details));
    } catch (error) {
      fill(full, errorText(error));
    }
  }
}

/** The call and its full result without scripts, for an export. */
export function staticCall(details: CallDetails): HTMLElement {
  const { call } = details;
  return element(
    "details",
    { class: `call ${call.state}`, id: `call-${call.callId}` },
    element("summary", {}, callHeading(call), element("span", { class: "time quiet" }, duration(call.durationMs))),
    fullPart(details),
  );
}

function callHeading(call: ShownCall): readonly HTMLElement[] {
  const [mark, label] = MARKS[call.state];
  return [
    element("span", { class: "mark", "aria-hidden": "true" }, mark),
    element(
      "span",
      { class: "title" },
      call.title,
      element("span", { class: "unseen" }, `, ${say(label)}`),
      call.ending !== "" && element("span", { class: "ending" }, ` ${call.ending}`),
      call.summary !== "" && element("span", { class: "quiet" }, ` ${call.summary}`),
    ),
  ];
}

/** When a running call began, for the seconds on its card. */
function since({ state, startedAt }: ShownCall): number | undefined {
  return state === "running" ? startedAt : undefined;
}

function shortPart({ form, lines, more, images, approval, state }: ShownCall): readonly (HTMLElement | false)[] {
  return [
    state === "approval" && approval !== undefined && element("p", { class: "warn small" }, approval.reasons.join(" ")),
    lines.length > 0 && resultView(form, lines),
    lines.length > 0 && more > 0 && element("div", { class: "quiet small" }, say("{} more lines", more)),
    images > 0 && element("div", { class: "quiet small" }, say(images === 1 ? "{} image" : "{} images", images)),
  ];
}

function fullPart({ call, args, form, lines, result, images, touched }: CallDetails): readonly (HTMLElement | false)[] {
  const { approval } = call;
  return [
    element("h3", {}, say("Arguments")),
    codeBlock(JSON.stringify(args ?? {}, null, 2), "json"),
    approval !== undefined && element("h3", {}, say("Approval")),
    approval !== undefined &&
      element(
        "p",
        { class: "small" },
        [...approval.reasons, ...approval.effects].join(" · "),
        approval.decision !== undefined &&
          ` — ${say(approval.decision === "allow" ? "allowed" : "denied")} (${[approval.scope, approval.by, approval.reason].filter((text) => text !== undefined).join(", ")})`,
      ),
    (lines.length > 0 || result !== "") && element("h3", {}, say("Result")),
    lines.length > 0 ? resultView(form, lines) : result !== "" && codeBlock(result, "json"),
    ...images.map(imageView),
    touched.length > 0 && element("p", { class: "quiet small" }, say("Changed: {}", touched.join(", "))),
  ];
}

function resultView(form: ResultForm, lines: readonly PreviewLine[]): HTMLElement {
  if (form === "terminal") return terminalOutput(lines.map(({ text }) => text).join("\n"));
  if (form === "diff") return diffView(lines);
  return element(
    "pre",
    { class: "lines", tabindex: 0, role: "region", "aria-label": say("Result") },
    lines.map(({ kind, text }) => element("span", { class: `line ${kind}` }, `${text}\n`)),
  );
}

/** Only raster images: an SVG could load something. */
export function imageView({ mediaType, data }: ShownImage): HTMLElement {
  return /^image\/(png|jpeg|webp|gif)$/.test(mediaType)
    ? element("img", { class: "shown", src: `data:${mediaType};base64,${data}`, alt: say("Image") })
    : element("p", { class: "quiet" }, `${say("Image")} (${mediaType})`);
}
