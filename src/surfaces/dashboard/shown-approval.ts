import type { PendingApproval } from "../../contract/services/approval-service.ts";
import { approvalText } from "../shared/display/approval-text.ts";
import type { ApprovalShown } from "./approval-shown.ts";

export function shownApproval(question: PendingApproval["question"]): ApprovalShown {
  return { tool: question.request.tool, ...approvalText(question, Infinity) };
}
