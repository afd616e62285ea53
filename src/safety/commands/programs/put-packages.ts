import type { Call } from "../evaluate/call.ts";

const PUTS =
  /^(install|i|in|isntall|add|a|ci|update|up|upgrade|link|ln|uninstall|un|remove|rm|r|dedupe|prune|rebuild)$/;

/** A Node package manager installs code into a folder, which another program, such as the agent, may run. */
export function putPackages(verb: string, folder: string | undefined, call: Call): void {
  if (PUTS.test(verb)) call.by.write(`${folder ?? "."}/node_modules`, call);
}
