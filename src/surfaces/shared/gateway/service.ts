import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { asTyped } from "../process/called-as.ts";
import { serviceUnit } from "./service-unit.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

const FOREGROUND = "`hermes gateway` runs in the foreground; any process supervisor can run it.";

/** The gateway of this home as a systemd user service. */
export class GatewayService {
  readonly #app: App;
  readonly name: string;

  constructor(app: App) {
    this.#app = app;
    // Homes outside the profiles have no name, so use a hash of the path.
    const suffix =
      app.profile === "default"
        ? ""
        : `-${app.profile}${app.profile === "custom" ? `-${createHash("sha256").update(app.home).digest("hex").slice(0, 8)}` : ""}`;
    this.name = `hermes-gateway${suffix}.service`;
  }

  get file(): string {
    return join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "systemd", "user", this.name);
  }

  get installed(): boolean {
    return existsSync(this.file);
  }

  /** @throws {UserError} if there is no systemd for users. */
  async install(drainMs: number): Promise<void> {
    await this.#needSystemd();
    mkdirSync(join(this.file, ".."), { recursive: true });
    const { profile, home } = this.#app;
    const env = definedFields({
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HERMES_HOME: profile === "default" ? undefined : home,
    });
    writeFileSync(
      this.file,
      serviceUnit({
        command: [process.execPath, ...process.execArgv, process.argv[1] ?? "", "gateway", "run"],
        folder: homedir(),
        env,
        drainMs,
        description: `Hermes gateway${profile === "default" ? "" : ` (${profile})`}`,
      }),
    );
    await this.#systemctl("daemon-reload");
    await this.#systemctl("enable", this.name);
  }

  async uninstall(): Promise<void> {
    this.#needInstalled();
    await this.#systemctl("disable", "--now", this.name);
    rmSync(this.file);
    await this.#systemctl("daemon-reload");
  }

  async report(verb: "start" | "stop" | "restart"): Promise<void> {
    this.#needInstalled();
    await this.#systemctl(verb, this.name);
  }

  #needInstalled(): void {
    if (!this.installed)
      throw new UserError("No gateway service is installed.", {
        hint: asTyped(`\`hermes gateway install\` installs it. ${FOREGROUND}`),
      });
  }

  async #needSystemd(): Promise<void> {
    const state = await run("systemctl", ["--user", "is-system-running"]);
    // `degraded` also means that systemd runs. If it cannot be reached, the output is empty or `offline`.
    if (state.missing || !/^(running|degraded|starting|initializing|maintenance)/.test(state.out.trim())) {
      throw new UserError("Cannot install a service: systemd is not running for your user.", {
        hint: asTyped(FOREGROUND),
      });
    }
  }

  async #systemctl(...words: readonly string[]): Promise<void> {
    const done = await run("systemctl", ["--user", ...words]);
    if (!done.ok)
      throw new UserError(`systemctl --user ${words.join(" ")} failed: ${done.out.trim() || "no output"}`, {
        hint: asTyped(FOREGROUND),
      });
  }
}

function run(
  program: string,
  args: readonly string[],
): Promise<{ readonly ok: boolean; readonly missing: boolean; readonly out: string }> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: 120_000 }, (error, out, err) =>
      resolve({
        ok: error === null,
        missing: (error as NodeJS.ErrnoException | null)?.code === "ENOENT",
        out: `${out}${err}`,
      }),
    );
  });
}
