import type { ApprovalReply } from "../../contract/services/approval-service.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { ApprovalRequests, Stored } from "../store/service/approval-requests.ts";

const MAX_REASON = 280;

/** Answers a pending question. @throws {UserError} It cannot be answered, or not so. */
export async function decidePending(requests: ApprovalRequests, id: string, reply: ApprovalReply): Promise<void> {
  const reason = reply.kind === "refused" ? reply.reason?.trim().slice(0, MAX_REASON) : undefined;
  const stored = await requests.reply(
    id,
    reply.kind === "refused" ? { kind: "refused", reason: reason || undefined } : reply,
  );
  if (stored !== "stored") throw new UserError(WHY[stored].text, { hint: WHY[stored].hint });
}

const WHY: { readonly [stored in Exclude<Stored, "stored">]: { readonly text: string; readonly hint?: string } } = {
  unknown: { text: "No such approval is pending." },
  closed: { text: "This approval is closed: it was answered or withdrawn, or its time is over." },
  "at a terminal": {
    text: "This approval must be answered at the terminal that asks.",
    hint: "Switch to that terminal.",
  },
  "not offered": { text: "This approval does not offer that answer.", hint: "Allow the call once, or deny it." },
};
