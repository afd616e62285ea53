export interface ServiceStart {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: { readonly [name: string]: string };
  /** How long running turns may continue after a stop request. */
  readonly drainMs: number;
  readonly description: string;
}

/** A systemd user unit. systemd restarts it after a failure or on request, but not if the settings are wrong. */
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

/** Quotes a word for systemd, and escapes `%` and `$`. */
function quoted(word: string): string {
  const plain = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%").replaceAll("$", "$$$$");
  return /[\s"'\\;]/.test(word) ? `"${plain}"` : plain;
}
