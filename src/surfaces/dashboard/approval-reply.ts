import { UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { ApprovalReply } from "../../contract/services/approval-service.ts";
import type { Scope } from "../../contract/tools/approval.ts";

const MAX_REASON = 280;

/**
 * The answer in a request: `choice` is one of the scopes or `deny`, which may have a `reason`. Anything else is no
 * answer.
 * @throws {UserError}
 */
export function replyIn({ choice, reason }: JsonObject, scopes: readonly Scope[]): ApprovalReply {
  if (choice === "deny") {
    const why = typeof reason === "string" ? reason.trim().slice(0, MAX_REASON) : "";
    return { kind: "refused", reason: why === "" ? undefined : why };
  }
  const scope = scopes.find((one) => one === choice);
  if (scope === undefined)
    throw new UserError("This approval does not offer that answer.", {
      hint: `Its answers are ${[...scopes, "deny"].join(", ")}.`,
    });
  return { kind: "approved", scope };
}
