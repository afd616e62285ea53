import { element } from "./element.ts";
import { say } from "./text.ts";

interface Asked {
  readonly question: string;
  /** What the user should read first. */
  readonly detail?: string | HTMLElement;
  /** The button that agrees. */
  readonly yes?: string;
  /** The button that denies. */
  readonly no?: string;
  readonly danger?: boolean;
  /** A text is asked for; `secret` hides it. */
  readonly field?: "text" | "secret";
  /** Closes the dialog with a denial. */
  readonly signal?: AbortSignal;
}

/** Asks in a dialog. @returns whether the user agreed; Escape is a denial. */
export async function confirmed(question: string, more: Omit<Asked, "question" | "field"> = {}): Promise<boolean> {
  return (await asked({ question, ...more })) !== undefined;
}

/** Asks in a dialog. @returns the text, or "" without a field; `undefined` after a denial. */
export function asked({ question, detail, yes, no, danger, field, signal }: Asked): Promise<string | undefined> {
  const answered = Promise.withResolvers<string | undefined>();
  const input =
    field &&
    element("input", {
      type: field === "secret" ? "password" : "text",
      "aria-label": question,
      autocomplete: "off",
      class: "wide",
    });
  const dialog: HTMLDialogElement = element(
    "dialog",
    { "aria-labelledby": "question", onclose: () => end() },
    element(
      "form",
      { method: "dialog" },
      typeof detail !== "string" ? detail : detail !== "" && element("pre", { tabindex: 0 }, detail),
      element("p", { id: "question" }, question),
      input,
      element(
        "div",
        { class: "row" },
        element("button", { value: "yes", class: danger === true ? "danger" : "main" }, yes ?? say("Yes")),
        element("button", { value: "no", formnovalidate: true }, no ?? say(field === undefined ? "No" : "Skip")),
      ),
    ),
  );
  function end(): void {
    answered.resolve(dialog.returnValue === "yes" ? (input?.value ?? "") : undefined);
    dialog.remove();
  }
  signal?.addEventListener("abort", () => dialog.close("no"));
  document.body.append(dialog);
  dialog.showModal();
  // Enter alone must not agree.
  (input ?? dialog.querySelector<HTMLButtonElement>('button[value="no"]'))?.focus();
  return answered.promise;
}
