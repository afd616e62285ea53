import type { App } from "../../../contract/services/app.ts";
import { replyIn } from "../approval-reply.ts";
import { route, type Route } from "../route.ts";
import type { PendingShown } from "../approval-shown.ts";
import { shownApproval } from "../shown-approval.ts";

/** Pending approvals of every surface, and the stored rules. */
export const APPROVAL_ROUTES: readonly Route[] = [
  route("GET /api/approvals", async ({ app }) => ({
    pending: await pendingOf(app),
    rules: await app.approvals.rules(),
    now: Date.now(),
  })),
  route("POST /api/approvals/:id", async ({ app, params: [id = ""], body }) =>
    // The store knows which scopes this question offers.
    app.approvals.decide(id, replyIn(body, ["once", "session", "always"])),
  ),
  route("DELETE /api/approvals/rules/:rule", ({ app, params: [rule = ""] }) => app.approvals.revoke(rule)),
];

export async function pendingOf(app: App): Promise<readonly PendingShown[]> {
  return (await app.approvals.pending()).map(({ question, ...rest }) => ({
    ...rest,
    sessionId: question.request.sessionId,
    ...shownApproval(question),
  }));
}
