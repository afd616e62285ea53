import { Container, ScrollView, Spacer, TuiAltScreen, VStack, type Component, type TUI } from "@earendil-works/pi-tui";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import type { Display } from "../../shared/display/display.ts";
import { ConversationView } from "./view/conversation-view.ts";
import type { DialogHost } from "./prompt/dialog-prompter.ts";
import type { Dialog } from "./prompt/dialogs.ts";
import { PromptEditor } from "./editor/prompt-editor.ts";
import { FittedScreen } from "./view/fitted-screen.ts";
import { ImageBar } from "./view/image-bar.ts";
import { PatientTerminal } from "./terminal/patient-terminal.ts";
import { Banner, type BannerRows } from "./view/banner.ts";
import { backgroundOf, type Background } from "./terminal/background.ts";
import { Suspension, type Suspendable } from "./terminal/suspension.ts";
import { MIN_COLUMNS, narrowWindow } from "./view/narrow-window.ts";
import { callUser } from "../../shared/process/call-user.ts";
import { arranged, type ScreenLayout, type ScreenPart } from "./screen-layout.ts";
import { StatusLine, type StatusPorts } from "./view/status-line.ts";
import type { Theme } from "./view/theme.ts";
import { Ticker } from "./view/ticker.ts";
import { WaitingInputs } from "./prompt/queued-inputs.ts";

/** A dialog takes the keyboard this long after it appears, or this long after the last key if the user is typing. */
const SETTLE_MS = 300;
/** A timer that is this late shows that the process stood still. */
const STALL_MS = 100;
const QUIET_MS = 800;
const COLOURS_MS = 100;
/** Between two drawings of text that streams: as smooth as reading needs. Keys are drawn at once. */
const STREAM_FRAME_MS = 33;

export interface ScreenOptions {
  /** Uses the alternate screen and restores the terminal; otherwise the terminal's scrollback. */
  readonly fullScreen: boolean;
  readonly layout: ScreenLayout;
  /** Inside the home, which other users cannot read. */
  readonly logFolder: string;
  toolOf(name: string): ToolDeclaration | undefined;
  readonly status: Omit<StatusPorts, "redraw">;
  display(): Display;
  /** Takes over a pasted text, such as the path of a dropped image. @returns whether it did. */
  pasted(text: string): boolean;
}

/**
 * The screen: banner, conversation, queued messages, a dialog or the editor, and the status line, in the order of its
 * layout.
 */
export class Screen implements DialogHost, Suspendable, Disposable {
  readonly tui: TUI;
  readonly conversation: ConversationView;
  readonly waiting: WaitingInputs;
  readonly editor: PromptEditor;
  readonly status: StatusLine;
  readonly images: ImageBar;
  readonly #head = new Banner();
  readonly #dialogs = {
    approval_widget: new Container(),
    secret_widget: new Container(),
    clarify_widget: new Container(),
    model_picker_widget: new Container(),
  };
  readonly #bottom = new Container();
  readonly #ticker: Ticker;
  readonly #full: TuiAltScreen | undefined;
  readonly #scrolling: FittedScreen | undefined;
  /** While the screen has the terminal. */
  #suspension: Suspension | undefined;
  /** While a dialog is open, or until the next key. */
  #calling: Disposable | undefined;
  #until: "answer" | "key" = "answer";
  readonly #display: () => Display;
  #dialog: Dialog | undefined;
  #cover: { close(): void } | undefined;
  #handOver: NodeJS.Timeout | undefined;
  #streamFrame: NodeJS.Timeout | undefined;
  #lastKeyAt = 0;

  constructor(theme: Theme, { fullScreen, layout, logFolder, toolOf, status, display, pasted }: ScreenOptions) {
    const terminal = new PatientTerminal();
    this.#display = display;
    this.#full = fullScreen ? new TuiAltScreen(terminal, undefined, undefined, { mouse: true }) : undefined;
    this.#scrolling = this.#full === undefined ? new FittedScreen(terminal, logFolder) : undefined;
    this.tui = (this.#full ?? this.#scrolling)!;
    this.#ticker = new Ticker(
      () => this.tui.requestRender(),
      () => display().indicator,
    );
    this.conversation = new ConversationView(theme, this.#ticker, toolOf, display);
    this.waiting = new WaitingInputs(theme);
    this.editor = new PromptEditor(this.tui, theme.editor, { vim: () => display().vimKeys, pasted });
    this.status = new StatusLine(theme, { ...status, redraw: () => this.tui.requestRender() }, display);
    this.images = new ImageBar(theme);
    this.#bottom.addChild(this.editor);
    const parts = {
      banner: this.#head,
      conversation: this.conversation,
      waiting_inputs: this.waiting,
      ...this.#dialogs,
      spacer: new Spacer(1),
      image_bar: this.images,
      input_area: this.#bottom,
      status_bar: this.status,
    };
    const order = arranged(layout, parts);
    // A question may be longer than the screen, so it scrolls with the conversation.
    if (this.#full === undefined) for (const part of order) this.tui.addChild(part);
    else
      this.#full.setLayoutRoot(
        rooms(
          order,
          Math.max(...[parts.conversation, ...Object.values(this.#dialogs)].map((part) => order.indexOf(part))),
        ),
      );
    this.tui.setFocus(this.editor);
  }

  /** The dialog that is open, whether or not it has the keyboard yet. */
  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  /** On a full screen, scrolls to the end. */
  toEnd(): void {
    this.#full?.scrollToBottom();
  }

  title(rows: BannerRows): void {
    this.#head.set(rows);
  }

  /** Draws everything again, also what has not changed. */
  redraw(): void {
    this.tui.invalidate();
    this.tui.requestRender();
  }

  /** Draws streamed text, soon and together with what arrives until then. */
  redrawSoon(): void {
    this.#streamFrame ??= setTimeout(() => {
      this.#streamFrame = undefined;
      this.tui.requestRender();
    }, STREAM_FRAME_MS);
  }

  /** Covers the screen with a component that takes all keys, until it closes itself or a dialog opens. */
  cover(make: (close: () => void) => Component): void {
    const close = (): void => {
      this.#cover = undefined;
      overlay.hide();
    };
    const overlay = this.tui.showOverlay(make(close), { row: 0, col: 0, width: "100%", maxHeight: "100%" });
    this.#cover = { close };
  }

  /** The screen is covered. */
  get covered(): boolean {
    return this.#cover !== undefined;
  }

  /** Shows more of what the calls did, or less again. */
  toggleCards(): void {
    this.conversation.expandMore();
    this.tui.requestRender();
  }

  /** Draws what has changed. */
  draw(): void {
    this.tui.requestRender();
  }

  /** The height of the terminal. */
  rows(): number {
    return this.tui.terminal.rows;
  }

  /** The answer of the user that the session waits for; "" if none. */
  get question(): string {
    if (this.#dialog?.title === undefined) return "";
    return this.#dialog.part === "approval_widget" ? "your approval" : "your answer";
  }

  /** Calls the user back to a turn that has ended, until the next key. */
  callBack(what: string): void {
    this.#call(what);
    this.#until = "key";
  }

  #call(what: string): void {
    this.#calling?.[Symbol.dispose]();
    this.#calling = callUser((data) => this.tui.terminal.write(data), what);
    this.#until = "answer";
  }

  ring(): void {
    this.tui.terminal.write("\x07");
  }

  /** Takes the terminal, until `stop`. */
  start(): void {
    this.#suspension = new Suspension(this);
    this.tui.start();
  }

  /** Asks the terminal for its colours, without waiting. A late reply counts, too, and is never taken for input. */
  detectBackground(found: (background: Background) => void): void {
    if (process.env.NO_COLOR) return;
    const take = ({ background }: { readonly background?: Parameters<typeof backgroundOf>[0] }): void => {
      if (background === undefined) return;
      found(backgroundOf(background));
      this.redraw();
    };
    void this.tui.queryTerminalColors({ timeoutMs: COLOURS_MS, onLateReply: take }).then(take);
  }

  stop(): void {
    this.#suspension?.[Symbol.dispose]();
    this.#calling?.[Symbol.dispose]();
    this.#calling = undefined;
    this.tui.stop();
  }

  suspend(): void {
    this.#suspension?.suspend();
  }

  /** Leaves the terminal to another program until its work ends. */
  async whileLeft(work: () => Promise<void>): Promise<void> {
    this.leave();
    try {
      await work();
    } finally {
      this.enter();
    }
  }

  leave(): void {
    this.tui.stop();
  }

  enter(): void {
    this.tui.start();
    // At once: the base class forgets a drawing that was requested before it left the terminal.
    if (this.#scrolling === undefined) this.tui.renderNow(true);
    else this.#scrolling.redrawBelow();
  }

  /** Called for every key, so that a dialog knows when the user has stopped typing. */
  keyPressed(): void {
    this.#lastKeyAt = performance.now();
    if (this.#until !== "key") return;
    this.#calling?.[Symbol.dispose]();
    this.#calling = undefined;
  }

  open(dialog: Dialog, atOnce = false): void {
    const typing = performance.now() - this.#lastKeyAt < QUIET_MS && this.editor.getText() !== "";
    this.#cover?.close();
    this.#dialog = dialog;
    this.#dialogs[dialog.part].addChild(dialog.body);
    if (dialog.title !== undefined && this.#display().notify !== "off") this.#call(dialog.title);
    this.toEnd();
    this.tui.requestRender();
    if (atOnce) return this.#giveKeyboard(dialog);
    this.#handOverIn(dialog, typing ? QUIET_MS : SETTLE_MS);
  }

  close(dialog: Dialog): void {
    if (this.#dialog !== dialog) return;
    clearTimeout(this.#handOver);
    this.#calling?.[Symbol.dispose]();
    this.#calling = undefined;
    this.#dialog = undefined;
    this.#dialogs[dialog.part].clear();
    this.#bottom.clear();
    this.#bottom.addChild(this.editor);
    this.tui.setFocus(this.editor);
    this.tui.requestRender();
  }

  move(): Disposable {
    return this.#ticker.start();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#handOver);
    clearTimeout(this.#streamFrame);
    this.#calling?.[Symbol.dispose]();
    this.#ticker.stop();
  }

  #handOverIn(dialog: Dialog, ms: number, stalled = false): void {
    const due = performance.now() + ms;
    // On a busy machine, keys may be waiting when the timer fires. They were typed before and are not meant for the
    // dialog.
    this.#handOver = setTimeout(() => setImmediate(() => this.#handOverTo(dialog, due, stalled)), ms);
  }

  #handOverTo(dialog: Dialog, due: number, stalled: boolean): void {
    if (this.#dialog !== dialog) return;
    // The process stood still: keys typed meanwhile may still be on their way from the terminal. Once is enough.
    if (!stalled && performance.now() - due > STALL_MS) return this.#handOverIn(dialog, SETTLE_MS, true);
    const quiet = performance.now() - this.#lastKeyAt;
    if (this.editor.getText() !== "" && quiet < QUIET_MS) return this.#handOverIn(dialog, QUIET_MS - quiet);
    this.#giveKeyboard(dialog);
  }

  #giveKeyboard(dialog: Dialog): void {
    this.#bottom.clear();
    this.tui.setFocus(dialog.focus);
    dialog.ready();
    this.tui.requestRender();
  }
}

/** Parts up to the last growing one scroll; the rest stay in place. */
function rooms(order: readonly ScreenPart[], last: number): Component {
  const above = new Container();
  for (const part of order.slice(0, last + 1)) above.addChild(part);
  const scroll = new ScrollView(above, { follow: "end", primary: true, scrollbar: "auto" });
  const visible = ({ width }: { readonly width: number }): boolean => width >= MIN_COLUMNS;
  return new VStack([
    { component: scroll, grow: 1, shrink: 1, minSize: 1, visible },
    ...order.slice(last + 1).map((component) => ({ component, shrink: 0, visible })),
    { component: narrowWindow, shrink: 0, visible: ({ width }) => width < MIN_COLUMNS },
  ]);
}
