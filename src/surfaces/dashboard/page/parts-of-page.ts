import { Refused } from "./ask.ts";
import { element, fill } from "./element.ts";
import { say } from "./text.ts";

/** The context of a page: the path after its name, and a signal that aborts when the user leaves it. */
export interface Place {
  readonly main: HTMLElement;
  readonly words: readonly string[];
  readonly signal: AbortSignal;
  /** Reloads the plugins' additions. */
  partsChanged(): Promise<void>;
}

export type Page = (place: Place) => void | Promise<void>;

/** A notice above the content it is about. */
export function noticeBox(kind: "good" | "warn" | "bad", text: string, hint?: string): HTMLElement {
  return element(
    "div",
    { class: `notice ${kind}`, role: kind === "bad" ? "alert" : "status" },
    text,
    hint !== undefined && element("div", { class: "quiet small" }, hint),
  );
}

export function errorText(error: unknown): HTMLElement {
  if (error instanceof Refused) return noticeBox("bad", error.message, error.hint);
  if (error instanceof TypeError)
    return noticeBox(
      "bad",
      say("The dashboard is not reachable."),
      say("It runs only while the command hermes dashboard runs."),
    );
  return noticeBox("bad", error instanceof Error ? error.message : String(error));
}

/**
 * A button that is disabled while its work runs; errors appear in `notes`.
 *
 * @param label The text for a screen reader, where several buttons have the same text.
 */
export function doing(
  text: string,
  notes: HTMLElement,
  work: () => Promise<unknown>,
  kind = "",
  label?: string,
): HTMLButtonElement {
  const button: HTMLButtonElement = element(
    "button",
    { type: "button", class: kind, "aria-label": label, onclick: () => carryOut(button, notes, work) },
    text,
  );
  return button;
}

export async function carryOut(
  button: HTMLButtonElement | undefined,
  notes: HTMLElement,
  work: () => Promise<unknown>,
): Promise<void> {
  if (button !== undefined) button.disabled = true;
  try {
    fill(notes);
    await work();
  } catch (error) {
    fill(notes, errorText(error));
  } finally {
    if (button !== undefined) button.disabled = false;
  }
}

/** Formats a time in the user's time zone and language. */
export function when(at: number | string | null | undefined): string {
  const moment = typeof at === "string" ? Date.parse(at) : at;
  if (moment === null || moment === undefined || Number.isNaN(moment)) return "—";
  return new Date(moment).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}

export function nothing(text: string): HTMLElement {
  return element("p", { class: "quiet" }, text);
}

/** A small card with one value. */
export function figure(name: string, value: string, more: string): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element("div", { class: "quiet small" }, name),
    element("div", { class: "figure" }, value),
    element("div", { class: "quiet small" }, more),
  );
}
