import type { PlanEntry } from "@agentclientprotocol/sdk/unstable";
import type { Fact } from "../../contract/conversation/fact.ts";
import { isObject } from "../../contract/common/is-object.ts";

/** The state key of the to-do list. */
const TASK_LIST = "todos";

/**
 * The to-do list as an editor's plan, if this fact sets it. The protocol has no cancelled tasks, so they are marked
 * completed and say so.
 */
export function planOf({ key, value }: Extract<Fact, { readonly type: "state.set" }>): PlanEntry[] | undefined {
  if (key !== TASK_LIST || !Array.isArray(value)) return undefined;
  return value.filter(isObject).map(({ content, status }) => ({
    content: status === "cancelled" ? `[cancelled] ${String(content)}` : String(content),
    priority: "medium",
    status: status === "in_progress" || status === "pending" ? status : "completed",
  }));
}
