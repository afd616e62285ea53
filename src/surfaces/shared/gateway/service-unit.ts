export interface ServiceStart {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
  /** How long turns that run may still take when it is stopped. */
  readonly drainMs: number;
  readonly description: string;
}

/** A user unit for systemd: started again when it fails or asks for it, never when the settings are wrong. */
export function serviceUnit({ command, folder, env, drainMs, description }: ServiceStart): string {
  return [
    "[Unit]",
    `Description=${description}`,
    "After=network-online.target",
    "Wants=network-online.target",
    "StartLimitIntervalSec=0",
    "",
    "[Service]",
    "Type=simple",
    `ExecStart=${command.map(quoted).join(" ")}`,
    "ExecReload=/bin/kill -USR1 $MAINPID",
    `WorkingDirectory=${folder.replaceAll("%", "%%")}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    "Restart=always",
    "RestartSec=5",
    "RestartForceExitStatus=75",
    "RestartPreventExitStatus=78",
    "KillMode=mixed",
    "KillSignal=SIGTERM",
    `TimeoutStopSec=${Math.ceil(drainMs / 1000) + 30}`,
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
}

/** As systemd reads a word: `%` and `$` stand for themselves. */
function quoted(word: string): string {
  const plain = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /[\s"'\\;]/.test(word) ? `"${plain}"` : plain;
}
