import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../contract/common/json.ts";
import { SHARED_FOLDERS, type SyncingAgent, type TerminalSync } from "./terminal-sync.ts";

/**
 * `undefined` where there is nothing to sync, which costs a look at some folders.
 * @param config The section `terminal` of the configuration.
 */
export async function openSync(
  config: JsonObject,
  { home, startDirectory, log }: SyncingAgent,
): Promise<TerminalSync | undefined> {
  if (home === undefined) return undefined;
  const declared = Array.isArray(config["credential_files"]) && config["credential_files"].length > 0;
  // Files sent earlier may have to be removed.
  const wanted =
    declared ||
    config["sync_cwd_to_workspace"] === true ||
    filled(join(home, "sandboxes/sync")) ||
    SHARED_FOLDERS.some((name) => filled(join(home, name)));
  if (!wanted) return undefined;
  const { EnvironmentSync } = await import("../sync/remote-sync.ts");
  return EnvironmentSync.open({ config, agentHome: home, startDirectory: startDirectory ?? process.cwd(), log });
}

function filled(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}
