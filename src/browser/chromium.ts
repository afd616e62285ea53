import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import type { Socket } from "node:net";
import { ToolFailure } from "../contract/common/failure.ts";
import { DevTools } from "./dev-tools.ts";

/** Browsers that speak DevTools over pipes, by name on PATH or by where macOS has them. */
export const CHROMIUMS = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "brave-browser",
  "microsoft-edge",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
] as const;

/** The first of them on this machine. */
export function findChromium(path: string = process.env["PATH"] ?? ""): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return CHROMIUMS.flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name)))).find(
    (file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false; // Not there.
      }
    },
  );
}

export interface ChromiumOptions {
  readonly program: string;
  /** Port of this machine's loopback on which its one way out listens. */
  readonly proxyPort: number;
  /** Shows the browser in a window; otherwise it runs headless. */
  readonly headed: boolean;
}

/**
 * Waits in a separate process group until its input ends: the agent closed it or is gone. Then it kills the browser's
 * group and removes the profile. The first line names the group.
 */
const SUPERVISOR = `read -r group; read -r _; [ -n "$group" ] && kill -9 -"$group" 2>/dev/null; rm -rf "$1" || { sleep 1; rm -rf "$1"; }`;
const START_MS = 60_000;
/** Largest size of one DevTools message. */
const MAX_BYTES = 64_000_000;

/** The agent's browser: with an empty profile, none of its variables, and no way out but the proxy. */
export class Chromium implements AsyncDisposable {
  readonly tools = new DevTools();
  readonly #supervisor: ChildProcess;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #lastWords = "";

  private constructor({ program, proxyPort, headed }: ChromiumOptions) {
    const profile = mkdtempSync(join(tmpdir(), "hermes-browser-"));
    mkdirSync(join(profile, "tmp"));
    const supervisor = spawn("/bin/sh", ["-c", SUPERVISOR, "sh", profile], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#supervisor = supervisor;
    supervisor.stdin!.on("error", () => undefined); // Its exit reports the error.
    this.#gone = new Promise((resolve) => supervisor.once("close", () => resolve()).once("error", () => resolve()));
    const child = spawn(program, [...flags(profile, proxyPort), ...(headed ? [] : ["--headless=new"])], {
      cwd: profile,
      env: environment(profile, headed),
      detached: true,
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    supervisor.stdin!.write(`${child.pid ?? ""}\n`);
    const [, , stderr, input, output] = child.stdio as unknown as readonly [null, null, Socket, Socket, Socket];
    for (const stream of [stderr, input, output]) stream.on("error", () => undefined);
    // A browser that waits keeps no agent from ending.
    for (const one of [supervisor, child, supervisor.stdin as Socket, stderr, input, output]) one.unref();
    stderr
      .setEncoding("utf8")
      .on("data", (text: string) => (this.#lastWords = `${this.#lastWords}${text}`.slice(-4_000)));
    child.once("error", (cause) => this.#ended(`it cannot be started: ${cause.message}`));
    child.once("exit", (code, signal) =>
      this.#ended(signal === null ? `it ended with status ${code}` : `it was ended by ${signal}`),
    );
    this.tools.attach({ send: (text) => void input.write(`${text}\0`), close: () => input.destroy() });
    take(
      output,
      (text) => this.tools.take(text),
      () => this.#ended(`it sent a message of more than ${MAX_BYTES / 1_000_000} MB`),
    );
  }

  /** @throws {ToolFailure} `unavailable` when it does not come up. */
  static async start(options: ChromiumOptions): Promise<Chromium> {
    const chromium = new Chromium(options);
    try {
      await chromium.tools.send("Browser.getVersion", {}, undefined, START_MS);
      return chromium;
    } catch (cause) {
      await chromium[Symbol.asyncDispose]();
      throw cause;
    }
  }

  /** Process id of Chromium, which leads the process group of all its processes. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when nothing of it is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.tools.lost("The browser was closed.");
    this.#supervisor.ref();
    this.#supervisor.stdin!.end();
    await this.#gone;
    for (const stream of this.#child.stdio) stream?.destroy();
  }

  #ended(reason: string): void {
    const sandboxed = /no usable sandbox|SUID sandbox|setuid sandbox/i.test(this.#lastWords);
    const words = this.#lastWords
      .trim()
      .split("\n")
      .findLast((line) => /error|fatal|cannot|failed/i.test(line))
      ?.slice(-300);
    this.tools.lost(
      `The browser has exited: ${reason}${sandboxed ? "; Chromium cannot create its sandbox on this machine (user namespaces are off)" : words === undefined ? "" : ` (${words})`}.`,
    );
    this.#supervisor.stdin!.end();
  }
}

function flags(profile: string, proxyPort: number): readonly string[] {
  return [
    "--remote-debugging-pipe",
    `--user-data-dir=${profile}`,
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    // This machine is asked through the proxy as well, names are looked up nowhere else, and nothing goes out beside
    // it.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--disable-dev-shm-usage",
    "--disable-popup-blocking",
    // Going back loads a page again, so its load event arrives.
    "--disable-back-forward-cache",
    "--window-size=1280,900",
    "--lang=en-US",
    // All frames of a page are read as one page. Sites of one session could at most see each other's memory.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,DialMediaRouteProvider,OptimizationHints,AutofillServerCommunication,CertificateTransparencyComponentUpdater,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,PrivacySandboxSettings4",
    // Chromium's own sandbox refuses to run for root.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    "about:blank",
  ];
}

function environment(profile: string, headed: boolean): { readonly [name: string]: string } {
  const passed = [
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    ...(headed ? ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR"] : []),
  ];
  return {
    ...Object.fromEntries(
      passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    HOME: profile,
    TMPDIR: join(profile, "tmp"),
  };
}

/** Messages end with a zero byte. One that is too long is the last. */
function take(output: Socket, message: (text: string) => void, tooLong: () => void): void {
  let rest: Buffer[] = [];
  let size = 0;
  output.on("data", (chunk: Buffer) => {
    size += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...rest, chunk.subarray(from, at)]).toString("utf8");
      rest = [];
      from = at + 1;
      size = chunk.length - from;
      message(text);
    }
    if (size > MAX_BYTES) {
      rest = [];
      output.destroy();
      tooLong();
    } else if (from < chunk.length) rest.push(chunk.subarray(from));
  });
}

/** @throws {ToolFailure} `unavailable` where there is none. */
export function mustFindChromium(): string {
  const program = findChromium();
  if (program === undefined)
    throw new ToolFailure("unavailable", "Chromium or Chrome is not on PATH.", {
      hint: "Install one (Debian: chromium). The browser tools are available in the next session.",
    });
  return program;
}
