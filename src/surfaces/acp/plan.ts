import type { PlanEntry } from "@agentclientprotocol/sdk/unstable";
import type { Fact } from "../../contract/conversation/fact.ts";
import { isObject } from "../../contract/common/is-object.ts";

/** Where a session keeps its task list. */
const TASK_LIST = "todos";

/** The task list as an editor's plan, when that is what was set. The protocol knows no task that was given up: it is done with, and says so. */
export function planOf({ key, value }: Extract<Fact, { readonly type: "state.set" }>): PlanEntry[] | undefined {
  if (key !== TASK_LIST || !Array.isArray(value)) return undefined;
  return value.filter(isObject).map(({ content, status }) => ({
    content: status === "cancelled" ? `[cancelled] ${String(content)}` : String(content),
    priority: "medium",
    status: status === "in_progress" || status === "pending" ? status : "completed",
  }));
}
