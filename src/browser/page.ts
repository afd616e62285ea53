import { ToolFailure } from "../contract/common/failure.ts";
import type { Json, JsonObject } from "../contract/common/json.ts";
import type { DevTools, DevToolsEvent } from "./dev-tools.ts";
import { definedFields } from "../contract/common/defined-fields.ts";

export interface ConsoleLine {
  readonly type: string;
  readonly text: string;
  readonly source: string;
}

export interface Dialog {
  readonly id: string;
  /** `alert`, `confirm`, `prompt`, `beforeunload`. */
  readonly type: string;
  readonly message: string;
  readonly default_prompt: string;
}

/** How to handle a dialog that a page opens: an answer at once, or `wait` for one. */
export type DialogRule = (dialog: Dialog) => "accept" | "dismiss" | "wait";

/** Lines that are kept of what a page prints. */
const MAX_LINES = 200;
const MAX_CHARS = 2_000;
const MOMENT_MS = 50;
const LOADS_MS = 15_000;
/** Wait this long for requests that a loaded page still makes. */
const QUIET_MS = 1_500;
const DIALOG_MS = 300_000;

/** One tab: where it is, what it prints, and how to act in it. */
export class Page {
  readonly sessionId: string;
  readonly targetId: string;
  readonly #tools: DevTools;
  readonly #rule: DialogRule;
  readonly #dialogMs: number;
  readonly #waiters = new Set<() => void>();
  readonly consoleLines: ConsoleLine[] = [];
  readonly jsErrors: { readonly message: string; readonly source: "exception" }[] = [];
  readonly answeredDialogs: (Dialog & { readonly answer: string })[] = [];
  /** Grows with each document that the tab shows. */
  documents = 0;
  dialog: Dialog | undefined;
  closed: string | undefined;
  #loading = false;
  #quiet = true;
  #dialogs = 0;

  constructor(tools: DevTools, sessionId: string, targetId: string, rule: DialogRule, dialogMs: number = DIALOG_MS) {
    this.#tools = tools;
    this.sessionId = sessionId;
    this.targetId = targetId;
    this.#rule = rule;
    this.#dialogMs = dialogMs;
  }

  /** @throws {ToolFailure} `unavailable` once the tab is closed or has crashed. */
  send(method: string, params: JsonObject = {}, timeoutMs?: number): Promise<JsonObject> {
    if (this.closed !== undefined) return Promise.reject(new ToolFailure("unavailable", this.closed));
    return this.#tools.send(method, params, this.sessionId, timeoutMs);
  }

  /** One event of this tab. */
  receive({ method, params }: DevToolsEvent): void {
    const main = params["frameId"] === this.targetId;
    if (method === "Page.frameStartedLoading" && main) this.#loading = true;
    else if (method === "Page.frameStoppedLoading" && main) this.#loading = false;
    else if (method === "Page.frameRequestedNavigation" && main && params["disposition"] === "currentTab")
      this.#loading = true;
    else if (method === "Page.lifecycleEvent" && main && params["name"] === "networkAlmostIdle") this.#quiet = true;
    else if (method === "Page.frameNavigated" && (params["frame"] as JsonObject)["id"] === this.targetId)
      this.#arrived();
    else if (method === "Page.javascriptDialogOpening") this.#opened(params);
    else if (method === "Page.javascriptDialogClosed") this.dialog = undefined;
    else if (method === "Inspector.targetCrashed") this.closed = "The page crashed.";
    else if (method === "Runtime.consoleAPICalled")
      keep(this.consoleLines, {
        type: String(params["type"]),
        text: short((params["args"] as readonly JsonObject[]).map(shown).join(" ")),
        source: "console",
      });
    else if (method === "Log.entryAdded") {
      const { level, text, source } = params["entry"] as JsonObject;
      keep(this.consoleLines, { type: String(level), text: short(String(text)), source: String(source) });
    } else if (method === "Runtime.exceptionThrown") {
      keep(this.jsErrors, {
        message: short(thrown(params["exceptionDetails"] as JsonObject)),
        source: "exception" as const,
      });
    } else return;
    this.#look();
  }

  gone(reason: string): void {
    this.closed ??= reason;
    this.#look();
  }

  /**
   * Asks for an address and waits until what is there has loaded, or long enough. @returns what went wrong, in the
   * browser's words.
   */
  async navigate(url: string, timeoutMs: number): Promise<string | undefined> {
    const { errorText } = await this.send("Page.navigate", { url }, timeoutMs);
    if (typeof errorText === "string" && errorText !== "") return errorText;
    await this.loaded(timeoutMs);
    return undefined;
  }

  /**
   * Does something to the page, and waits for what it sets off: another page, or a dialog. @throws {ToolFailure}
   * `timeout` where the page does not answer in that time.
   */
  async act(action: () => Promise<unknown>, timeoutMs: number): Promise<void> {
    let done = false;
    const ended = (): void => {
      done = true;
      this.#look();
    };
    // Behind a moment of the page's own, what a click begins has been announced, however slow the machine is.
    const doing = action().then(() =>
      this.send("Runtime.evaluate", {
        expression: `new Promise((resolve) => setTimeout(resolve, ${MOMENT_MS}))`,
        awaitPromise: true,
      }).catch(() => undefined),
    );
    doing.then(ended, ended);
    // A dialog may block it forever.
    const answered = await this.until(() => done || this.dialog !== undefined || this.closed !== undefined, timeoutMs);
    if (!answered)
      throw new ToolFailure(
        "timeout",
        `The page did not answer within ${timeoutMs / 1000} s; the action may still be running.`,
      );
    if (done) await doing;
    await this.loaded(LOADS_MS);
  }

  /** Waits until the page and the first requests of its scripts are loaded, but not longer than this. */
  async loaded(timeoutMs: number): Promise<void> {
    const held = () => this.dialog !== undefined || this.closed !== undefined;
    if (await this.until(() => !this.#loading || held(), timeoutMs))
      await this.until(() => this.#quiet || held(), QUIET_MS);
  }

  /** Where the tab is, and what it calls itself. */
  async where(): Promise<{ readonly url: string; readonly title: string }> {
    const { currentIndex, entries } = (await this.send("Page.getNavigationHistory")) as unknown as {
      readonly currentIndex: number;
      readonly entries: readonly { readonly url: string; readonly title: string }[];
    };
    const { url, title } = entries[currentIndex]!;
    return { url, title: title === url.replace(/^https?:\/\//, "") ? "" : title };
  }

  /** @returns whether it came true in that time. Looked at with each event of the tab. */
  async until(test: () => boolean, timeoutMs: number): Promise<boolean> {
    if (test()) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const look = () => void (test() && resolve(true));
    const timer = setTimeout(() => resolve(false), timeoutMs);
    this.#waiters.add(look);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(look);
    }
  }

  /**
   * The value of an expression in the page, or what a promise comes to. @throws {ToolFailure} `failed` with what it
   * throws.
   */
  async evaluate(
    expression: string,
    timeoutMs?: number,
  ): Promise<{ readonly value: Json | undefined; readonly type: string }> {
    // With `replMode` alone it may say `await` itself, and with it a promise that it ends with is not waited for.
    // Compiling runs nothing.
    const replMode =
      /\bawait\b/.test(expression) &&
      (await this.send("Runtime.compileScript", { expression, sourceURL: "", persistScript: false }, timeoutMs))[
        "exceptionDetails"
      ] !== undefined;
    const { result, exceptionDetails } = await this.send(
      "Runtime.evaluate",
      definedFields({
        expression,
        returnByValue: true,
        awaitPromise: true,
        replMode,
        timeout: timeoutMs,
      }),
      timeoutMs,
    );
    return valueOf(result as JsonObject, exceptionDetails as JsonObject | undefined);
  }

  /** Calls a function, `function (a, b) { … }` as text, with the element as `this`. */
  async callOn(backendNodeId: number, code: string, ...args: readonly Json[]): Promise<Json | undefined> {
    const { object } = await this.send("DOM.resolveNode", { backendNodeId });
    const { objectId } = object as JsonObject;
    try {
      const { result, exceptionDetails } = await this.send("Runtime.callFunctionOn", {
        objectId: objectId!,
        functionDeclaration: code,
        arguments: args.map((value) => ({ value })),
        returnByValue: true,
        userGesture: true,
      });
      return valueOf(result as JsonObject, exceptionDetails as JsonObject | undefined).value;
    } finally {
      await this.send("Runtime.releaseObject", { objectId: objectId! }).catch(() => undefined); // It went with its page.
    }
  }

  async answer(dialog: Dialog, accept: boolean, text?: string): Promise<void> {
    keep(this.answeredDialogs, { ...dialog, answer: accept ? "accept" : "dismiss" });
    this.dialog = undefined;
    await this.send("Page.handleJavaScriptDialog", definedFields({ accept, promptText: text }));
  }

  #look(): void {
    for (const look of this.#waiters) look();
  }

  /** Another document: what the one before it printed is of no more use. */
  #arrived(): void {
    this.documents += 1;
    this.#quiet = false;
    this.consoleLines.length = 0;
    this.jsErrors.length = 0;
  }

  #opened({ type, message, defaultPrompt }: JsonObject): void {
    const dialog: Dialog = {
      id: `d${(this.#dialogs += 1)}`,
      type: String(type),
      message: short(String(message)),
      default_prompt: short(String(defaultPrompt ?? "")),
    };
    this.dialog = dialog;
    const rule = this.#rule(dialog);
    const answer = (accept: boolean): void => void this.answer(dialog, accept).catch(() => undefined); // It went with its page.
    if (rule !== "wait") answer(rule === "accept");
    else setTimeout(() => void (this.dialog === dialog && answer(false)), this.#dialogMs).unref();
  }
}

function keep<Line>(lines: Line[], line: Line): void {
  lines.push(line);
  if (lines.length > MAX_LINES) lines.shift();
}

/** A copy: a slice would keep all of what it was cut from. */
function short(text: string): string {
  return text.length > MAX_CHARS ? `${Buffer.from(text.slice(0, MAX_CHARS)).toString()}…` : text;
}

function shown({ type, value, description, unserializableValue }: JsonObject): string {
  if (type === "string") return String(value);
  return String(description ?? unserializableValue ?? JSON.stringify(value) ?? type);
}

function thrown({ exception, text }: JsonObject): string {
  const { description, value } = (exception ?? {}) as JsonObject;
  return String(description ?? value ?? text);
}

function valueOf(
  result: JsonObject,
  exception: JsonObject | undefined,
): { readonly value: Json | undefined; readonly type: string } {
  if (exception !== undefined) throw new ToolFailure("failed", `The page threw: ${short(thrown(exception))}`);
  return {
    value:
      result["value"] ??
      (result["unserializableValue"] as Json | undefined) ??
      (result["subtype"] === "null" ? null : undefined),
    type: String(result["type"]),
  };
}
