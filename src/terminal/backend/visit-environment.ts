import type { Terminal } from "../../contract/providers/terminal.ts";
import { openPersistentShell } from "../shell/channel-shell.ts";
import type { StartShell } from "../shell/channel.ts";
import type { PersistentTerminals } from "./persistent-terminals.ts";
import { EnvironmentFiles } from "./backend-files.ts";
import { randomHex } from "../shell/random-hex.ts";

/**
 * A separate terminal in an existing environment, which stays unchanged: for `TerminalOptions.visit`. @throws
 * {TerminalUnavailable}
 */
export function visitEnvironment(
  terminals: PersistentTerminals,
  key: string,
  startShell: StartShell,
): Promise<Terminal> {
  return terminals.open({
    key: `${key} visit ${randomHex(9)}`,
    cwd: "/",
    start: (from) => openPersistentShell(startShell, { ...from, beside: true }),
    files: (made) => new EnvironmentFiles(made),
    idleMs: 0,
    maxBeside: 2,
  });
}
