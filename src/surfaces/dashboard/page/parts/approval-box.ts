import type { ApprovalShown } from "../../approval-shown.ts";
import { element, fill } from "../element.ts";
import { carryOut } from "../parts-of-page.ts";
import { sayServer } from "../server-text.ts";
import { say } from "../text.ts";

type Choice = ApprovalShown["choices"][number]["scope"];

interface ApprovalOptions {
  /** In this browser's clock, epoch ms. */
  readonly untilAt: number;
  /** Absent: it cannot be answered here. */
  readonly decide?: (choice: Choice, reason?: string) => Promise<unknown>;
  /** Where it comes from, above the title. */
  readonly from?: Node | string;
}

let boxes = 0;

/** An approval with everything it is about, and its answers. The denial is the default: it comes first by keyboard. */
export function approvalBox(
  { title, parts, choices, tool }: ApprovalShown,
  { untilAt, decide, from }: ApprovalOptions,
): HTMLElement {
  const id = `approval-${++boxes}`;
  const [notes, time] = [element("div"), element("span", { class: "quiet small", role: "timer", "aria-live": "off" })];
  const about = element(
    "div",
    {
      id: `${id}-about`,
      class: "about-call",
      tabindex: 0,
      role: "group",
      "aria-label": say("What {} would do", tool),
    },
    element("dl", {}, partsOf(parts)),
  );
  const box = element(
    "section",
    { class: "approval", role: "group", "aria-labelledby": id, "aria-describedby": `${id}-about` },
    from !== undefined && element("p", { class: "quiet small" }, from),
    element("h2", { id, tabindex: -1 }, element("span", { "aria-hidden": "true" }, "⚠ "), sayServer(title)),
    about,
    moreBelow(about),
    notes,
    decide !== undefined && answers(choices, notes, decide),
    time,
  );
  tick();
  return box;

  function tick(): void {
    const seconds = Math.max(0, Math.ceil((untilAt - Date.now()) / 1_000));
    time.textContent =
      seconds === 0
        ? say("The time is over: the call is denied.")
        : say("{} left; no answer is a denial.", inWords(seconds));
    // A box that left the page needs no clock.
    if (seconds > 0) setTimeout(() => box.isConnected && tick(), 1_000);
  }
}

/** A line that shows while a part of the scrolling list is hidden below: no effect may be overlooked. */
function moreBelow(list: HTMLElement): HTMLElement {
  const line = element(
    "p",
    { class: "quiet small", hidden: true, "aria-hidden": "true" },
    say("↓ Scroll to see the rest"),
  );
  const look = (): void => {
    line.hidden = list.scrollHeight - list.clientHeight - list.scrollTop < 4;
  };
  list.addEventListener("scroll", look, { passive: true });
  new ResizeObserver(look).observe(list);
  return line;
}

function inWords(seconds: number): string {
  return seconds < 120 ? say("{} s", seconds) : say("{} min", Math.round(seconds / 60));
}

function partsOf(parts: ApprovalShown["parts"]): readonly HTMLElement[] {
  const shown: HTMLElement[] = [];
  for (const { label, text } of parts) {
    if (label !== "") shown.push(element("dt", {}, label === "$" ? say("call") : say(label)));
    shown.push(element("dd", { class: ["$", "runs", "holds", "in"].includes(label) ? "mono" : "" }, text));
  }
  return shown;
}

function answers(
  choices: ApprovalShown["choices"],
  notes: HTMLElement,
  decide: NonNullable<ApprovalOptions["decide"]>,
): HTMLElement {
  const reason = element("input", {
    class: "wide",
    "aria-label": say("Reason for the agent (optional)"),
    placeholder: say("Reason for the agent (optional)"),
    maxlength: 280,
  });
  const place = element("div", { class: "answers" });
  showChoices();
  return place;

  function showChoices(focus = false): void {
    const deny = element("button", { type: "button", class: "danger", onclick: showReason }, say("Deny …"));
    fill(
      place,
      deny,
      choices
        .filter(({ scope }) => scope !== "deny")
        .map(({ scope, label }) =>
          element(
            "button",
            {
              type: "button",
              class: scope === "once" ? "main" : "",
              onclick: (event) => void carryOut(event.currentTarget as HTMLButtonElement, notes, () => decide(scope)),
            },
            say(NAMES[scope]),
            scope !== "once" && element("span", { class: "small about" }, /\((.*)\)$/s.exec(label)?.[1] ?? label),
          ),
        ),
    );
    if (focus) deny.focus();
  }

  function showReason(): void {
    const form = element(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          void carryOut(undefined, notes, () => decide("deny", reason.value));
        },
        onkeydown: (event) => {
          if ((event as KeyboardEvent).key !== "Escape") return;
          event.stopPropagation();
          showChoices(true);
        },
      },
      reason,
      element("button", { class: "danger" }, say("Deny")),
      element("button", { type: "button", onclick: () => showChoices(true) }, say("Back")),
    );
    fill(place, form);
    reason.focus();
  }
}

const NAMES = { once: "Allow once", session: "Allow for this session", always: "Always allow", deny: "Deny" } as const;
