import { diffLines } from "../../../shared/display/diff-lines.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { diffView } from "../parts/diff.ts";
import { carryOut, doing, nothing, noticeBox, when, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { say } from "../text.ts";

interface SessionOfCheckpoints {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly at: number;
  readonly folders: readonly string[];
}

interface Turn {
  readonly number: number;
  readonly turnId: string;
  readonly at: number;
  readonly label: string;
  readonly folders: readonly string[];
}

interface Moved {
  readonly path: string;
  readonly why: string;
}

interface Report {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  readonly failed: readonly Moved[];
  readonly kept: readonly Moved[];
  readonly notUndone: readonly string[];
  /** The conversation as it was before. */
  readonly sessionId?: string;
}

/** Checkpoints by session: what a turn changed, and the way back. */
export const checkpointsPage: Page = async ({ main, words: [chosen], signal }) => {
  const { bytes, sessions } = await ask<{ readonly bytes: number; readonly sessions: readonly SessionOfCheckpoints[] }>(
    "GET",
    "/api/checkpoints",
    undefined,
    signal,
  );
  fill(
    main,
    element(
      "p",
      { class: "quiet" },
      say(
        "Hermes saves files before a turn first changes them. Restoring a checkpoint undoes that turn and all later ones, in the files and in the conversation.",
      ),
    ),
    element("p", { class: "quiet small" }, say("{} MB on disk", (bytes / 1_000_000).toFixed(1))),
    sessions.length === 0 ? nothing(say("No checkpoints yet.")) : sessions.map(sessionRow),
  );

  function sessionRow({ id, name, count, at, folders }: SessionOfCheckpoints): HTMLElement {
    const turns = element("div");
    const row = element(
      "details",
      { class: "card", ontoggle: () => void (row.open && load(id, turns)) },
      element(
        "summary",
        {},
        element("b", {}, name),
        element(
          "span",
          { class: "quiet small" },
          ` · ${count === 1 ? say("1 checkpoint") : say("{} checkpoints", count)} · ${when(at)} · `,
        ),
        element("span", { class: "quiet small mono" }, folders.join(", ")),
      ),
      turns,
    );
    if (id === chosen) row.open = true;
    return row;
  }

  async function load(session: string, place: HTMLElement): Promise<void> {
    const notes = element("div");
    await carryOut(undefined, place, async () => {
      const path = `/api/checkpoints/${encodeURIComponent(session)}`;
      const turns = await ask<readonly Turn[]>("GET", path, undefined, signal);
      fill(
        place,
        element(
          "div",
          { class: "row" },
          element("a", { href: `#/sessions/${encodeURIComponent(session)}` }, say("Show the session")),
        ),
        notes,
        turns.length === 0
          ? nothing(say("No turn of this conversation has a checkpoint with changed files."))
          : turns.map((turn) => turnRow(signal, path, turn, notes)),
      );
    });
  }
};

function turnRow(
  signal: AbortSignal,
  path: string,
  { turnId, at, label, folders, number }: Turn,
  notes: HTMLElement,
): HTMLElement {
  const diff = element("div");
  const of = `${path}/${encodeURIComponent(turnId)}`;
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("span", { class: "quiet small" }, `${number} · ${when(at)}`),
      element("span", { class: "mono" }, say("before: {}", label)),
      element(
        "span",
        { class: "buttons" },
        doing(say("Show changes"), diff, async () => {
          const { text } = await ask<{ readonly text: string }>("GET", `${of}/diff`, undefined, signal);
          fill(diff, diffView(diffLines(text, true)));
        }),
        doing(
          say("Restore"),
          notes,
          async () => {
            const { text } = await ask<{ readonly text: string }>("GET", `${of}/diff`, undefined, signal);
            const agreed = await confirmed(
              say("Undo this turn and all later ones, in the files and in the conversation?"),
              {
                detail: diffView(diffLines(text, true)),
                yes: say("Restore"),
                danger: true,
                signal,
              },
            );
            if (agreed)
              fill(notes, reportBox(signal, path, await ask<Report>("POST", `${of}/restore`, {}, signal), true));
          },
          "danger",
        ),
      ),
    ),
    element("p", { class: "quiet small mono" }, folders.join(", ")),
    diff,
  );
}

function reportBox(signal: AbortSignal, path: string, report: Report, undo: boolean): HTMLElement {
  const { restored, removed, failed, kept, notUndone, sessionId } = report;
  const list = (mark: string, paths: readonly string[]): readonly HTMLElement[] =>
    paths.map((text) => element("li", {}, `${mark} ${text}`));
  const reasons = (mark: string, moved: readonly Moved[]): readonly HTMLElement[] =>
    list(
      mark,
      moved.map(({ path: file, why }) => `${file}: ${why}`),
    );
  const box = noticeBox(
    failed.length > 0 ? "warn" : "good",
    say(
      "{} restored, {} removed, {} left unchanged, {} failed",
      restored.length,
      removed.length,
      kept.length,
      failed.length,
    ),
  );
  box.append(
    element(
      "ul",
      { class: "small mono" },
      list("↩", restored),
      list("−", removed),
      reasons("=", kept),
      reasons("✗", failed),
      list("!", notUndone),
    ),
  );
  const continued = sessionId ?? path.split("/").at(-1)!;
  if (sessionId !== undefined)
    box.append(
      element(
        "p",
        {},
        element("a", { href: `#/sessions/${encodeURIComponent(sessionId)}` }, say("The conversation continues here.")),
      ),
    );
  if (undo)
    box.append(
      doing(say("Undo this"), box, async () => {
        const redone = await ask<Report>("POST", `/api/checkpoints/${encodeURIComponent(continued)}/redo`, {}, signal);
        box.replaceWith(reportBox(signal, path, redone, false));
      }),
    );
  return box;
}
