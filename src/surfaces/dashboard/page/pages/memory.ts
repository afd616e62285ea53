import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { carryOut, doing, nothing, noticeBox, when, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { sayServer } from "../server-text.ts";
import { say } from "../text.ts";

interface Author {
  readonly at?: number;
  readonly by?: string;
  readonly session?: string;
}

interface Entry extends Author {
  readonly id: string;
  readonly text: string;
}

interface Change extends Author {
  readonly id: string;
  readonly target: string;
  readonly before?: string;
  readonly after?: string;
  readonly reverts?: string;
  readonly reverted: boolean;
  readonly lost: boolean;
}

interface Pending extends Author {
  readonly id: string;
  readonly target: string;
  readonly operations: readonly { readonly action: string; readonly content: string; readonly oldText: string }[];
}

interface Memory {
  readonly files: readonly {
    readonly target: "memory" | "user";
    readonly path: string;
    readonly enabled: boolean;
    readonly limit: number;
    readonly size: number;
    readonly entries: readonly Entry[];
  }[];
  readonly changes: readonly Change[];
  readonly pending: readonly Pending[];
  readonly provider: { readonly provider: string; readonly lack?: string; readonly hint?: string };
}

/** Changes that the log shows at first. */
const FEW = 30;

/** Shared by the parts of the page. */
interface Here {
  readonly notes: HTMLElement;
  readonly signal: AbortSignal;
  /** Carries out a change and draws the page again. */
  act(verb: string, body: { readonly id: string; readonly text?: string }): Promise<void>;
}

/** The agent's notes: entries with their authors, the log, and changes that wait for approval. */
export const memoryPage: Page = async ({ main, signal }) => {
  const [notes, content] = [element("div"), element("div")];
  const here: Here = { notes, signal, act };
  fill(main, notes, content);
  await load();

  async function load(): Promise<void> {
    const { files, changes, pending, provider } = await ask<Memory>("GET", "/api/memory", undefined, signal);
    fill(
      content,
      pending.length > 0 && [
        element("h2", {}, say("Waiting for your approval")),
        ...pending.map((one) => pendingCard(here, one)),
      ],
      files.flatMap(({ target, path, enabled, limit, size, entries }) => [
        element("h2", {}, target === "user" ? say("About you") : say("Notes of the agent")),
        element(
          "p",
          { class: "quiet small" },
          element("span", { class: "mono" }, path),
          ` · ${say("{} of {} characters", size, limit)}`,
          !enabled && ` · ${say("off")}`,
        ),
        ...(entries.length === 0 ? [nothing(say("No entries."))] : entries.map((one) => entryCard(here, one))),
      ]),
      element("h2", {}, say("Log")),
      changes.length === 0 ? nothing(say("No changes yet.")) : log(here, changes),
      element("h2", {}, say("Memory provider")),
      element("p", {}, provider.provider === "" ? say("none") : provider.provider),
      provider.lack !== undefined &&
        noticeBox("warn", sayServer(provider.lack), provider.hint && sayServer(provider.hint)),
    );
  }

  async function act(verb: string, body: { readonly id: string; readonly text?: string }): Promise<void> {
    await ask("POST", `/api/memory/${verb}`, body);
    await load();
    fill(notes, noticeBox("good", say("Saved. New sessions read it.")));
  }
};

/** The signs show without colour what is added and removed. */
function change(before: string | undefined, after: string | undefined): HTMLElement {
  return element(
    "div",
    { class: "plain small" },
    before !== undefined && element("div", { class: "bad" }, `− ${before}`),
    after !== undefined && element("div", { class: "good" }, `+ ${after}`),
  );
}

function authorText({ at, by }: Author): string {
  if (by === undefined) return say("written into the file by hand");
  const who = by === "person" ? say("you") : by === "model" ? say("the agent") : by;
  return `${who} · ${when(at)}`;
}

function pendingCard({ notes, act }: Here, { id, operations, target, ...author }: Pending): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("span", { class: "quiet small" }, authorText(author)),
      element("span", { class: "tag quiet" }, target === "user" ? say("About you") : say("Notes of the agent")),
      element(
        "span",
        { class: "buttons" },
        doing(say("Approve"), notes, () => act("approve", { id }), "main"),
        doing(say("Reject"), notes, () => act("reject", { id }), "danger"),
      ),
    ),
    operations.map(({ action, content: text, oldText }) =>
      change(action === "add" ? undefined : oldText, action === "remove" ? undefined : text),
    ),
  );
}

function entryCard({ notes, signal, act }: Here, { id, text, ...author }: Entry): HTMLElement {
  const shown = element("p", { class: "plain" }, text);
  const field = element("textarea", { "aria-label": say("Text of the entry") });
  field.value = text;
  const editing = element(
    "form",
    {
      hidden: true,
      onsubmit: (event) => (
        event.preventDefault(),
        void carryOut(undefined, notes, () => act("edit", { id, text: field.value }))
      ),
    },
    field,
    element(
      "div",
      { class: "row" },
      element("button", { class: "main" }, say("Save")),
      element("button", { type: "button", onclick: () => edit(false) }, say("Cancel")),
    ),
  );
  const edit = (on: boolean): void => {
    editing.hidden = !on;
    shown.hidden = on;
    if (on) field.focus();
  };
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("span", { class: "quiet small" }, authorText(author)),
      author.session !== undefined &&
        element("a", { class: "small", href: `#/sessions/${encodeURIComponent(author.session)}` }, say("session")),
      element(
        "span",
        { class: "buttons" },
        element(
          "button",
          { type: "button", onclick: () => edit(true), "aria-label": `${say("Edit")}: ${text}` },
          say("Edit"),
        ),
        doing(
          say("Remove"),
          notes,
          async () => {
            if (await confirmed(say("Remove this entry?"), { detail: text, danger: true, signal }))
              await act("remove", { id });
          },
          "danger",
          `${say("Remove")}: ${text}`,
        ),
      ),
    ),
    shown,
    editing,
  );
}

function changeCard(
  { notes, act }: Here,
  { id, before, after, reverts, reverted, lost, ...author }: Change,
): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("span", { class: "mono quiet" }, id),
      element("span", { class: "quiet small" }, authorText(author)),
      reverts !== undefined && element("span", { class: "tag quiet" }, say("reverts {}", reverts)),
      reverted && element("span", { class: "tag quiet" }, say("reverted")),
      lost && element("span", { class: "tag warn" }, say("not in the file")),
      element(
        "span",
        { class: "buttons" },
        !reverted && doing(say("Revert"), notes, () => act("revert", { id }), "", `${say("Revert")} ${id}`),
      ),
    ),
    change(before, after),
  );
}

function log(here: Here, changes: readonly Change[]): HTMLElement {
  const rows = element(
    "div",
    {},
    changes.slice(0, FEW).map((one) => changeCard(here, one)),
  );
  if (changes.length > FEW)
    rows.append(
      element(
        "button",
        {
          type: "button",
          onclick: (event) => {
            (event.target as Element).remove();
            rows.append(...changes.slice(FEW).map((one) => changeCard(here, one)));
          },
        },
        say("Show all {}", changes.length),
      ),
    );
  return rows;
}
