import type { ApprovalRule } from "../../../../contract/services/approval-service.ts";
import type { PendingShown } from "../../approval-shown.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { subscribe } from "../live.ts";
import { approvalBox } from "../parts/approval-box.ts";
import { doing, nothing, when, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { loadServerTexts } from "../server-text.ts";
import { say } from "../text.ts";

interface Approvals {
  readonly pending: readonly PendingShown[];
  readonly rules: readonly ApprovalRule[];
  /** The server's clock, epoch ms. */
  readonly now: number;
}

/** Pending approvals of every surface, and the rules that allow or deny calls without a question. */
export const approvalsPage: Page = async ({ main, signal }) => {
  const [notes, pending, rules] = [element("div"), element("div", { "aria-live": "polite" }), element("div")];
  const boxes = new Map<string, HTMLElement>();
  let ahead = 0;
  fill(main, notes, pending, element("h2", {}, say("Rules")), rules);
  await loadServerTexts();
  await read();
  subscribe({
    topics: ["pending"],
    signal,
    on: (event, data) => event === "pending" && showPending(data),
    onReset: () => void read().catch(() => undefined),
  });

  async function read(): Promise<void> {
    const found = await ask<Approvals>("GET", "/api/approvals", undefined, signal);
    ahead = Date.now() - found.now;
    showPending(found.pending);
    fill(
      rules,
      found.rules.length === 0
        ? nothing(say("No rules: Hermes asks before every risky call."))
        : found.rules.map(ruleCard),
    );
  }

  /** A box that is shown already stays: the user may be writing a reason. */
  function showPending(all: readonly PendingShown[]): void {
    const ids = new Set(all.map(({ id }) => id));
    for (const [id, box] of boxes) {
      if (ids.has(id)) continue;
      box.remove();
      boxes.delete(id);
    }
    pending.querySelector(".nothing")?.remove();
    for (const one of all) {
      if (boxes.has(one.id)) continue;
      const box = pendingBox(one);
      boxes.set(one.id, box);
      pending.append(box);
    }
    if (all.length === 0)
      pending.append(element("p", { class: "quiet nothing" }, say("No approval is pending on any surface.")));
  }

  function pendingBox(one: PendingShown): HTMLElement {
    const session = element("a", { href: `#/sessions/${encodeURIComponent(one.sessionId)}` }, one.sessionId);
    const from = element("span", {}, `${one.surface} · ${when(one.askedAt)} · `, session);
    return element(
      "div",
      { class: "pending" },
      approvalBox(one, {
        untilAt: one.untilAt + ahead,
        from,
        decide: one.atTerminal
          ? undefined
          : (choice, reason) => ask("POST", `/api/approvals/${encodeURIComponent(one.id)}`, { choice, reason }),
      }),
      one.atTerminal && element("p", { class: "quiet small" }, say("It must be answered at the terminal that asks.")),
    );
  }

  function ruleCard({ list, rule, from, until, over, problem }: ApprovalRule): HTMLElement {
    return element(
      "div",
      { class: "card" },
      element(
        "div",
        { class: "head" },
        element(
          "span",
          { class: `tag ${list === "allow" ? "good" : "bad"}` },
          say(list === "allow" ? "allows" : "denies"),
        ),
        element("code", {}, rule),
        doing(
          say("Revoke"),
          notes,
          async () => {
            if (!(await confirmed(say("Revoke the rule {}?", rule), { danger: true, signal }))) return;
            await ask("DELETE", `/api/approvals/rules/${encodeURIComponent(rule)}`);
            await read();
          },
          "danger",
        ),
      ),
      element(
        "p",
        { class: "quiet small" },
        [from, until === undefined ? "" : say(over === true ? "expired {}" : "until {}", when(until))]
          .filter((text) => text !== "")
          .join(" · "),
      ),
      problem !== undefined && element("p", { class: "small warn" }, problem),
    );
  }
};
