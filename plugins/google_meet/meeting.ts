import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Browser } from "hermes-agent/browser";
import { ToolFailure, wordsOfHost, type PluginContext } from "hermes-agent/plugin";
import { LEAVE, lookAt, type Seen } from "./meet-page.ts";

interface Line {
  readonly at: number;
  readonly speaker: string;
  readonly text: string;
}

const LOOK_MS = 1_000;
/** How long to wait to be admitted. */
const LOBBY_MS = 10 * 60_000;

/** One call, from joining to its end. Reads its page once a second. */
export class Meeting {
  readonly id: string;
  readonly url: string;
  readonly file: string;
  readonly #browser: Browser;
  readonly #name: string;
  readonly #lines = new Map<string, Line>();
  #captioning = false;
  #inCall = false;
  #lobby = false;
  #joinedAt: number | undefined;
  #lastAt: number | undefined;
  #ended: string | undefined;
  #error: string | undefined;
  #unwritten: string | undefined;
  #looking: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #until = Date.now() + LOBBY_MS;
  #longestMs: number | undefined;

  private constructor(
    browser: Browser,
    id: string,
    url: string,
    file: string,
    name: string,
    longestMs: number | undefined,
  ) {
    this.#browser = browser;
    this.id = id;
    this.url = url;
    this.file = file;
    this.#name = name;
    this.#longestMs = longestMs;
  }

  /**
   * @throws {ToolFailure} if the call's page cannot be opened; the signal's reason if aborted, after the browser has
   * closed.
   */
  static async join(
    ctx: Pick<PluginContext, "proxy" | "socket" | "home">,
    {
      id,
      url,
      name,
      longestMs,
      signal,
    }: {
      readonly id: string;
      readonly url: string;
      readonly name: string;
      readonly longestMs: number | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<Meeting> {
    const folder = join(ctx.home, "workspace", "meetings", id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const browser = await Browser.open({ proxy: ctx.proxy, socket: ctx.socket, dialogs: () => "dismiss" });
    const stop = () => browser.tools.close("Joining the call was cancelled.");
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      const refused = await browser.judge(url);
      const error = refused ?? (await browser.page.navigate(url, 60_000));
      if (error !== undefined)
        throw new ToolFailure("unreachable", `Cannot open the call: ${browser.refusals.at(-1) ?? error}`, {
          from: wordsOfHost(url),
        });
      const meeting = new Meeting(browser, id, url, join(folder, "transcript.txt"), name, longestMs);
      await meeting.#look();
      if (signal.aborted) await meeting.leave("it was stopped");
      signal.throwIfAborted();
      return meeting;
    } catch (cause) {
      await browser[Symbol.asyncDispose]();
      throw signal.aborted ? signal.reason : cause;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  get over(): boolean {
    return this.#ended !== undefined;
  }

  status() {
    return {
      alive: !this.over,
      meetingId: this.id,
      url: this.url,
      inCall: this.#inCall,
      captioning: this.#captioning,
      lobbyWaiting: this.#lobby,
      joinedAt: this.#joinedAt ?? null,
      lastCaptionAt: this.#lastAt ?? null,
      transcriptLines: this.#lines.size,
      transcriptPath: this.file,
      error: this.#error ?? this.#unwritten ?? null,
      exited: this.over,
      leaveReason: this.#ended ?? null,
    };
  }

  lines(): readonly string[] {
    return [...this.#lines.values()].map(
      ({ at, speaker, text }) => `[${new Date(at).toTimeString().slice(0, 8)}] ${speaker}: ${text}`,
    );
  }

  /** Leaves the call and waits until its browser has closed. */
  async leave(reason: string): Promise<void> {
    clearTimeout(this.#timer);
    if (this.over) return;
    this.#ended = reason;
    this.#inCall = this.#lobby = this.#captioning = false;
    await this.#looking;
    await this.#browser.page.evaluate(LEAVE, 8_000).catch(() => undefined); // The page is closed, or not in a call.
    await this.#browser[Symbol.asyncDispose]();
  }

  async #look(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#looking = promise;
    let reason: string | undefined;
    try {
      const { value } = await this.#browser.page.evaluate(lookAt(this.#name), 10_000);
      reason = await this.#take(value as unknown as Seen);
    } catch (cause) {
      // Reading fails during a navigation, which is temporary, or because the browser has closed.
      if (!this.#browser.tools.open || this.#browser.pages.length === 0) {
        this.#error = (cause as Error).message;
        reason = "the browser closed";
      }
    } finally {
      resolve();
    }
    if (this.over) return;
    if (reason === undefined && Date.now() > this.#until)
      reason = this.#inCall ? "the requested duration is over" : "no one admitted it";
    if (reason === undefined) this.#timer = setTimeout(() => void this.#look(), LOOK_MS).unref();
    else await this.leave(reason);
  }

  /** @returns why the call is over, if it is. */
  async #take({ state, captioning, captions }: Seen): Promise<string | undefined> {
    if (this.over) return undefined;
    if (state === "denied") this.#error = "The call did not admit a guest with this name.";
    if (state === "denied" || state === "ended") return state === "denied" ? "it was not admitted" : "the call ended";
    if (state === "in" && !this.#inCall) {
      this.#joinedAt ??= Date.now();
      this.#until = this.#longestMs === undefined ? Number.POSITIVE_INFINITY : Date.now() + this.#longestMs;
    }
    this.#inCall = state === "in";
    this.#lobby = state === "asked";
    this.#captioning = captioning;
    let changed = false;
    for (const { row, speaker, text } of captions) {
      const known = this.#lines.get(row);
      if (known?.text === text) continue;
      this.#lines.set(row, { at: known?.at ?? Date.now(), speaker, text });
      changed = true;
    }
    if (changed) {
      this.#lastAt = Date.now();
      this.#unwritten = await writeFile(this.file, `${this.lines().join("\n")}\n`, { mode: 0o600 }).then(
        () => undefined,
        (cause: Error) => `Cannot write the transcript file; meet_transcript still has the text: ${cause.message}`,
      );
    }
    return undefined;
  }
}
