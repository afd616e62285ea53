import { Editor, getKeybindings, matchesKey, type EditorTheme, type TUI } from "@earendil-works/pi-tui";
import type { VimKeys, VimMode } from "./vim-keys.ts";

const PASTE = /^\x1b\[200~([^]*)\x1b\[201~$/;

interface Snapshot {
  readonly state: { readonly lines: readonly string[]; readonly cursorLine: number; readonly cursorCol: number };
  /** Texts behind the marks of long pastes. */
  readonly pastes: ReadonlyMap<number, string>;
  readonly pasteCounter: number;
}

/** Private members of the library's editor, which can neither redo nor place the cursor. */
interface Inner extends Snapshot {
  pushUndoSnapshot(): void;
  undo(): void;
  setCursorCol(column: number): void;
  cancelAutocomplete(): void;
}

export interface PromptEditorPorts {
  /** `display.vim_keys`. */
  vim(): boolean;
  /** Takes over a pasted text, such as the path of a dropped image. @returns whether it did. */
  pasted(text: string): boolean;
}

/** The editor of messages: redo, Vim keys, and dropped files. */
export class PromptEditor extends Editor {
  readonly #ports: PromptEditorPorts;
  /** Loaded at the first key, if Vim keys are on. */
  #vim: VimKeys | undefined;
  #loading: Promise<void> | undefined;
  #mode: VimMode = "insert";
  #undone: Snapshot[] = [];

  constructor(tui: TUI, theme: EditorTheme, ports: PromptEditorPorts) {
    super(tui, theme, { paddingX: 1, autocompleteMaxVisible: 8 });
    this.#ports = ports;
  }

  /** Escape changes Vim's mode now, so it stops nothing. */
  get takesEscape(): boolean {
    return this.#ports.vim() && (this.#mode === "insert" || this.#pending !== "");
  }

  closeCompletions(): void {
    this.#inner.cancelAutocomplete();
  }

  override handleInput(data: string): void {
    const keys = getKeybindings();
    const pasted = PASTE.exec(data)?.[1];
    if (pasted !== undefined && this.#ports.pasted(pasted)) return;
    if (pasted === undefined && this.#ports.vim() && this.#vimKey(data)) return;
    if (keys.matches(data, "tui.editor.redo")) return this.#redo();
    if (keys.matches(data, "tui.editor.undo")) return this.#undo();
    const before = this.getText();
    super.handleInput(data);
    const after = this.getText();
    if (after !== before) this.#undone = [];
    if (after === "" && before !== "" && keys.matches(data, "tui.input.submit")) this.#mode = "insert";
  }

  get #inner(): Inner {
    return this as unknown as Inner;
  }

  protected override renderTopBorder(width: number, hiddenLineCount: number): string {
    const border = super.renderTopBorder(width, hiddenLineCount);
    const sign = ` ${this.#mode}${this.#pending === "" ? "" : ` ${this.#pending}`} `;
    if (!this.#ports.vim() || hiddenLineCount > 0 || width < sign.length + 6) return border;
    return this.borderColor(`${"─".repeat(width - sign.length - 2)}${sign}──`);
  }

  get #pending(): string {
    return this.#vim?.pending ?? "";
  }

  /** @returns whether the key was Vim's. */
  #vimKey(data: string): boolean {
    void this.#load();
    if (matchesKey(data, "escape")) {
      if (this.isShowingAutocomplete() || !this.takesEscape) return false;
      this.#vim?.reset();
      if (this.#mode === "insert") this.#toNormal();
      return true;
    }
    if (this.#mode === "insert") return false;
    const redo = matchesKey(data, "ctrl+r");
    if (!redo && !/^[^\x00-\x1f\x7f]+$/u.test(data)) return false;
    const keys = redo ? ["\x12"] : [...data];
    if (this.#vim === undefined) void this.#waiting(keys);
    else for (const key of keys) this.#press(key, this.#vim);
    return true;
  }

  /** Keys that arrive before Vim's commands are loaded work afterwards, in their order. */
  async #waiting(keys: readonly string[]): Promise<void> {
    await this.#load();
    for (const key of keys) this.#press(key, this.#vim!);
    this.tui.requestRender();
  }

  #load(): Promise<void> {
    this.#loading ??= import("./vim-keys.ts").then(({ VimKeys: Keys }) => void (this.#vim = new Keys()));
    return this.#loading;
  }

  #press(key: string, vim: VimKeys): void {
    if (this.#mode === "insert") return super.handleInput(key);
    const { lines, cursorLine, cursorCol } = this.#inner.state;
    const at = lines.slice(0, cursorLine).reduce((sum, line) => sum + line.length + 1, 0) + cursorCol;
    const text = lines.join("\n");
    const result = vim.press(key, { text, at });
    if (result.kind === "undo") this.#undo();
    else if (result.kind === "redo") this.#redo();
    else if (result.kind === "changed") {
      this.#mode = result.mode;
      if (result.buffer.text !== text) {
        this.#inner.pushUndoSnapshot();
        this.#undone = [];
      }
      this.#put(result.buffer.text, result.buffer.at);
    }
  }

  #toNormal(): void {
    this.#mode = "normal";
    if (this.#inner.state.cursorCol > 0) super.handleInput("\x1b[D");
  }

  #put(text: string, at: number): void {
    const before = text.slice(0, at).split("\n");
    Object.assign(this.#inner.state, { lines: text.split("\n"), cursorLine: before.length - 1 });
    this.#inner.setCursorCol(before.at(-1)!.length);
    this.onChange?.(text);
  }

  #undo(): void {
    const now = this.#snapshot();
    this.#inner.undo();
    if (this.getText() !== now.state.lines.join("\n")) this.#undone.push(now);
  }

  #redo(): void {
    const next = this.#undone.pop();
    if (next === undefined) return;
    this.#inner.pushUndoSnapshot();
    Object.assign(this.#inner, { pastes: next.pastes, pasteCounter: next.pasteCounter });
    this.#put(next.state.lines.join("\n"), 0);
    Object.assign(this.#inner.state, next.state);
  }

  #snapshot(): Snapshot {
    const { state, pastes, pasteCounter } = this.#inner;
    return structuredClone({ state, pastes, pasteCounter });
  }
}
