import type { PendingApproval } from "../../contract/services/approval-service.ts";
import type { ApprovalText } from "../shared/display/approval-text.ts";

/** An approval as pages show it: every reason and effect, none left out. */
export interface ApprovalShown extends ApprovalText {
  readonly tool: string;
}

/** A pending approval of any process. */
export interface PendingShown extends Omit<PendingApproval, "question">, ApprovalShown {
  readonly sessionId: string;
}
