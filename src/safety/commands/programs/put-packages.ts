import type { Call } from "../evaluate/call.ts";

const PUTS =
  /^(install|i|in|isntall|add|a|ci|update|up|upgrade|link|ln|uninstall|un|remove|rm|r|dedupe|prune|rebuild)$/;

/** Files that a Node package manager puts into a folder may be code that another program runs, such as the agent. */
export function putPackages(verb: string, folder: string | undefined, call: Call): void {
  if (PUTS.test(verb)) call.by.write(`${folder ?? "."}/node_modules`, call);
}
