import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "../../../src/testing/wait-for.ts";

const PROGRAM = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);

/** Why browser tests cannot run here. */
export const NO_BROWSER = PROGRAM === undefined ? "there is no Chromium on this machine" : false;

const KEY_CODES: { readonly [key: string]: number } = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ArrowUp: 38,
  ArrowDown: 40,
  F6: 117,
};

interface Report {
  readonly id?: number;
  readonly result?: {
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: unknown;
    readonly data?: string;
  };
  readonly method?: string;
  readonly params?: {
    readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
    readonly entry?: { readonly level: string; readonly text: string };
  };
}

/** A real headless browser, driven through its DevTools protocol. */
export class Browser implements AsyncDisposable {
  /** Errors in its pages. */
  readonly complaints: string[] = [];
  readonly #socket: WebSocket;
  readonly #end: () => Promise<void>;
  readonly #waiting = new Map<number, (message: Report) => void>();

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.#socket = socket;
    this.#end = end;
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data)) as Report));
  }

  static async open(): Promise<Browser> {
    const folder = mkdtempSync(join(tmpdir(), "hermes-browser-"));
    const child = spawn(
      PROGRAM!,
      [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        `--user-data-dir=${folder}`,
        "--remote-debugging-port=0",
        "about:blank",
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    const end = async (): Promise<void> => {
      if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    };
    try {
      const address = await new Promise<string>((resolve, reject) => {
        let output = "";
        child.stderr.on("data", (text: Buffer) => {
          output += text.toString();
          const found = /ws:\/\/([^/\s]+)\S*/.exec(output);
          if (found !== null) resolve(found[1]!);
        });
        child
          .on("error", reject)
          .on("exit", (status) => reject(new Error(`The browser ended with ${status}: ${output}`)));
      });
      const pages = (await (await fetch(`http://${address}/json`)).json()) as readonly {
        readonly type: string;
        readonly webSocketDebuggerUrl: string;
      }[];
      const socket = new WebSocket(pages.find(({ type }) => type === "page")!.webSocketDebuggerUrl);
      await once(socket, "open");
      const browser = new Browser(socket, end);
      for (const part of ["Page", "Runtime", "Log"]) await browser.#send(`${part}.enable`, {});
      return browser;
    } catch (error) {
      await end();
      throw error;
    }
  }

  async go(url: string): Promise<void> {
    await this.#send("Page.navigate", { url });
  }

  async size(width: number, height: number): Promise<void> {
    await this.#send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 500,
    });
  }

  /** Types into the focused element; `\r` is the Enter key. */
  async type(text: string): Promise<void> {
    for (const sign of text) {
      const key =
        sign === "\r"
          ? { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: sign }
          : { key: sign, text: sign };
      for (const type of ["keyDown", "keyUp"]) await this.#send("Input.dispatchKeyEvent", { type, ...key });
    }
  }

  /** Presses one key, such as `Escape` or `Tab`, with modifiers. */
  async press(key: string, { shift = false, alt = false }: { readonly shift?: boolean; readonly alt?: boolean } = {}) {
    const modifiers = (alt ? 1 : 0) + (shift ? 8 : 0);
    const known = { key, code: key, windowsVirtualKeyCode: KEY_CODES[key], modifiers };
    const text = key === "Enter" ? { text: "\r" } : {};
    await this.#send("Input.dispatchKeyEvent", { type: "keyDown", ...known, ...text });
    await this.#send("Input.dispatchKeyEvent", { type: "keyUp", ...known });
  }

  /** For pictures. */
  async hideScrollbars(): Promise<void> {
    await this.#send("Emulation.setScrollbarsHidden", { hidden: true });
  }

  /** The visible part of the page; default: as PNG. */
  async picture(
    options: { readonly format: "png" | "webp"; readonly quality?: number } = { format: "png" },
  ): Promise<Buffer> {
    const { result } = await this.#send("Page.captureScreenshot", options);
    return Buffer.from(result?.data ?? "", "base64");
  }

  async value(expression: string): Promise<unknown> {
    const { result } = await this.#send("Runtime.evaluate", { expression, awaitPromise: true });
    return result?.result?.value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    let text: unknown;
    await waitFor(
      async () => {
        if ((await this.value(expression)) === true) return true;
        text = await this.value("document.body.innerText");
        return false;
      },
      { what: `the page makes this true: ${expression}`, state: () => [text, ...this.complaints].join("\n") },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await this.#end();
  }

  #send(method: string, params: object): Promise<Report> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #next = 1;

  #receive(message: Report): void {
    if (message.id !== undefined) return this.#waiting.get(message.id)?.(message);
    if (message.method === "Runtime.exceptionThrown")
      this.complaints.push(message.params?.exceptionDetails?.exception?.description ?? "an exception");
    if (message.method === "Log.entryAdded" && message.params?.entry?.level === "error")
      this.complaints.push(message.params.entry.text);
  }
}
