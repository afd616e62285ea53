import type { Risk } from "../../contract/tools/approval.ts";
import type { Assessment } from "../../contract/tools/assessment.ts";
import type { Call } from "../dispatch/call.ts";

/**
 * What the owner's conversations read as instructions is not for a guest to change, whoever would approve it: a chat's
 * questions are answered in that chat.
 */
export function guestRisk({ session }: Pick<Call, "session">, { egress }: Assessment): Risk | undefined {
  if (session.whose === undefined) return undefined;
  const change = egress?.find(({ kind, instructs }) => kind === "change" && instructs === true);
  return change === undefined
    ? undefined
    : {
        answer: "block",
        key: "guest changes instructions",
        reasons: [
          `This chat is not the owner's, and only the owner may change what other conversations read: ${change.what}. In the owner's conversations it is possible.`,
        ],
        effects: [`change ${change.what}`],
      };
}
