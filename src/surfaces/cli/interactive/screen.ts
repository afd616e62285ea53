import { Container, Editor, ProcessTerminal, Spacer, Text, TuiMainScreen, type TUI } from "@earendil-works/pi-tui";
import type { ToolDeclaration } from "../../../contract/tool.ts";
import type { Display } from "../../display.ts";
import { ConversationView } from "./conversation-view.ts";
import type { Dialog, DialogPlace } from "./dialog-person.ts";
import { FooterLine } from "./footer-line.ts";
import type { Theme } from "./theme.ts";
import { Ticker } from "./ticker.ts";
import { WaitingInputs } from "./waiting-inputs.ts";

/** A dialog takes the keyboard this long after it appears, or after the last key of somebody who is typing. */
const SETTLE_MS = 300;
const QUIET_MS = 800;

/** The screen from top to bottom: banner, conversation, what waits, a dialog or the editor, the footer. In the terminal's own scrollback. */
export class Screen implements DialogPlace, Disposable {
  readonly tui: TUI = new TuiMainScreen(new ProcessTerminal());
  readonly conversation: ConversationView;
  readonly waiting: WaitingInputs;
  readonly editor: Editor;
  readonly footer: FooterLine;
  readonly #head = new Text("", 1, 1);
  readonly #dialogs = new Container();
  readonly #bottom = new Container();
  readonly #ticker: Ticker;
  #dialog: Dialog | undefined;
  #handOver: NodeJS.Timeout | undefined;
  #lastKeyAt = 0;

  constructor(theme: Theme, toolOf: (name: string) => ToolDeclaration | undefined, now: () => readonly string[], display: () => Display) {
    this.#ticker = new Ticker(() => this.tui.requestRender(), () => display().indicator);
    this.conversation = new ConversationView(theme, this.#ticker, toolOf, display);
    this.waiting = new WaitingInputs(theme);
    this.editor = new Editor(this.tui, theme.editor, { paddingX: 1, autocompleteMaxVisible: 8 });
    this.footer = new FooterLine(theme, now, display);
    this.#bottom.addChild(this.editor);
    for (const child of [this.#head, this.conversation, this.waiting, this.#dialogs, new Spacer(1), this.#bottom, this.footer]) this.tui.addChild(child);
    this.tui.setFocus(this.editor);
  }

  /** The dialog that is open, whether or not it has the keyboard yet. */
  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  title(text: string): void {
    this.#head.setText(text);
  }

  ring(): void {
    this.tui.terminal.write("\x07");
  }

  /** Called with every key, so that a dialog knows when the person is not typing. */
  keyPressed(): void {
    this.#lastKeyAt = performance.now();
  }

  open(dialog: Dialog): void {
    const typing = performance.now() - this.#lastKeyAt < QUIET_MS && this.editor.getText() !== "";
    this.#dialog = dialog;
    this.#dialogs.addChild(dialog.body);
    this.ring();
    this.tui.requestRender();
    this.#handOverIn(dialog, typing ? QUIET_MS : SETTLE_MS);
  }

  close(dialog: Dialog): void {
    if (this.#dialog !== dialog) return;
    clearTimeout(this.#handOver);
    this.#dialog = undefined;
    this.#dialogs.clear();
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
    this.#ticker.stop();
  }

  #handOverIn(dialog: Dialog, ms: number): void {
    this.#handOver = setTimeout(() => {
      const quiet = performance.now() - this.#lastKeyAt;
      if (this.editor.getText() !== "" && quiet < QUIET_MS) return this.#handOverIn(dialog, QUIET_MS - quiet);
      this.#bottom.clear();
      this.tui.setFocus(dialog.focus);
      dialog.ready();
      this.tui.requestRender();
    }, ms);
  }
}
