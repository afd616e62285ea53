import type { Fact } from "../../../../contract/conversation/fact.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import type { Theme } from "./theme.ts";

/** The line below a turn that did not finish, in its colour; `undefined` for one that did. */
export function turnEndLine(
  { reason, detail }: Extract<Fact, { type: "turn.ended" }>,
  { bad, warn }: Theme,
): { readonly text: string; readonly style: (text: string) => string } | undefined {
  if (reason === "done") return undefined;
  if (reason === "cancelled") return { text: `■ ${detail || "stopped"}`, style: warn };
  const text = asTyped(detail ?? reason);
  return reason === "failed" ? { text: `✗ ${text}`, style: bad } : { text: `■ ${text}`, style: warn };
}
