import type { Question } from "../../contract/conversation/question.ts";
import type { ApprovalText } from "../shared/display/approval-text.ts";
import { approvalText } from "../shared/display/approval-text.ts";

/** An approval as pages show it: every reason and effect, none left out. */
export interface ShownApproval extends ApprovalText {
  readonly tool: string;
}

export function shownApproval(question: Extract<Question, { readonly kind: "approval" }>): ShownApproval {
  return { tool: question.request.tool, ...approvalText(question, Infinity) };
}
