import type { Call } from "../evaluate/call.ts";
import { judgeAddress } from "./git-address.ts";
import { configuredByParameters } from "./git-config.ts";
import { judgeRepository, judgeWorkTree } from "./git-repository.ts";

export type GitVariable = "repository" | "work-tree" | "git-parameters" | "git-value";

/** A variable by which git finds a repository or takes settings. */
export function judgeGitVariable(role: GitVariable, value: string, call: Call): void {
  if (role === "repository") for (const one of value.split(":")) judgeRepository(one, call);
  else if (role === "work-tree") judgeWorkTree(value, "add", call);
  else if (role === "git-parameters") configuredByParameters(value, call);
  else if (/::/.test(value)) judgeAddress(value, call);
}
