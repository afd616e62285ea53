import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../../contract/services/app.ts";
import type { BackgroundEnd } from "../../../contract/services/agent-service.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import { textOf, type Part } from "../../../contract/conversation/part.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import { RunningCommands } from "../../shared/commands/running-commands.ts";
import type { BusyMode, SlashHost } from "../../shared/commands/slash-host.ts";
import { busyModeOf } from "../../shared/conversation/busy-mode.ts";
import type { LiveDisplay } from "../../shared/display/live-display.ts";
import type { Skins } from "../../shared/display/skins.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { rereadNotices } from "../../shared/process/notices.ts";
import type { FrontSession, Target } from "../conversation/front-session.ts";
import { editFile, textEditor } from "../input/text-editor.ts";
import type { dialogPrompter } from "./prompt/dialog-prompter.ts";
import type { InputHistory } from "./prompt/history-file.ts";
import { ShellLines, shellLineOf } from "./prompt/shell-lines.ts";
import type { Screen } from "./screen.ts";
import type { Theme } from "./view/theme.ts";
import { keyHelp } from "./keys/key-help.ts";
import type { KeybindingsManager } from "@earendil-works/pi-tui";
import { droppedImages } from "../../shared/conversation/dropped-images.ts";

/** The parts that one interactive session connects. */
export interface ConversationParts {
  readonly app: App;
  readonly screen: Screen;
  readonly fullScreen: boolean;
  readonly theme: Theme;
  readonly display: LiveDisplay;
  readonly skins: Skins;
  readonly front: FrontSession;
  readonly prompter: ReturnType<typeof dialogPrompter>;
  readonly history: InputHistory;
  /** The surface's name, for slash commands. */
  readonly surface: string;
  /** The configured model, for the status line. */
  readonly model: string;
  readonly keys: KeybindingsManager;
  readonly signal: AbortSignal;
}

/** What the user can do with the conversation on the screen: send, run slash commands, stop, switch, exit. */
export class ScreenConversation {
  readonly screen: Screen;
  readonly front: FrontSession;
  readonly commands = new RunningCommands();
  /** What Enter does while a turn runs. */
  busyMode: BusyMode;
  readonly #parts: ConversationParts;
  readonly #shellLines: ShellLines;
  readonly #ended = Promise.withResolvers<number>();
  #known: readonly Notice[] = [];

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#shellLines = new ShellLines(parts.app.tools);
    this.screen = parts.screen;
    this.front = parts.front;
    this.busyMode = busyModeOf(parts.app);
  }

  /** Resolves with the exit code when the user or a signal ends the session. */
  get ended(): Promise<number> {
    return this.#ended.promise;
  }

  end(exitCode: number): void {
    this.#ended.resolve(exitCode);
  }

  /** Stops what runs. Messages that wait are not sent: the user edits them, before the text that is being typed. */
  stop(): void {
    this.commands.stop();
    this.#giveBack(this.front.session.withdraw());
    this.front.session.interrupt("stopped by you").then(
      () => this.screen.tui.requestRender(),
      (error: unknown) => this.fail(error),
    );
  }

  /** Takes the newest message that waits back into the editor. */
  editQueued(): void {
    this.#giveBack(this.front.session.withdraw({ newest: true }));
    this.screen.tui.requestRender();
  }

  /** Puts messages before the text that is being typed. */
  #giveBack(waited: readonly (readonly Part[])[]): void {
    if (waited.length === 0) return;
    const { editor, images } = this.screen;
    const draft = editor.getExpandedText();
    editor.setText([...waited.map(textOf), ...(draft === "" ? [] : [draft])].join("\n"));
    for (const part of waited.flat()) if (part.type === "image") images.add({ name: "image", part });
  }

  /** Attaches the images whose paths a terminal pastes for dropped files. @returns whether the text is such paths. */
  dropped(text: string): boolean {
    const paths = droppedImages(text, this.front.session.cwd);
    if (paths.length === 0) return false;
    const attach = async (): Promise<void> => {
      const { attachFile } = await import("../../shared/commands/images.ts");
      for (const path of paths) await attachFile(path, this.slashHost());
      this.screen.tui.requestRender();
    };
    attach().catch((error: unknown) => {
      this.screen.editor.insertTextAtCursor(text);
      this.fail(error);
    });
    return true;
  }

  /** Runs a slash command and shows what it returns. */
  async run(line: string): Promise<void> {
    await this.#runCommand(line);
  }

  /** Stops the turn because the terminal closes, and ends. */
  terminate(): void {
    void this.front.session
      .interrupt("the terminal is closing")
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.end(EXIT.interrupted));
  }

  /** Resumes a turn that a crash or a closed terminal interrupted. */
  async resumeTurn(): Promise<void> {
    for (const line of this.front.session.interrupted()) this.note(line, this.#parts.theme.warn);
    await this.front.session.resume();
    this.screen.tui.requestRender();
  }

  /** Sends what the user entered, or runs it as a slash command. */
  async submit(entered: string): Promise<void> {
    const text = entered.trim();
    if (text === "") return;
    const { app, history } = this.#parts;
    this.screen.toEnd();
    this.screen.editor.addToHistory(text);
    history.add(text).catch((error: unknown) => app.log.warning("Cannot write the input history", { cause: error }));
    if (isSlashCommand(text)) return this.#runCommand(text);
    const shellLine = shellLineOf(text);
    if (shellLine !== undefined) return this.#shellLines.run(shellLine, this.front.session);
    await this.reread();
    await this.front.refresh();
    const added = [...this.#shellLines.take(), ...this.screen.images.take()];
    await this.front.session.send(added.length === 0 ? text : [{ type: "text", text }, ...added], {
      mode: this.front.session.busy ? this.busyMode : "queue",
    });
    this.screen.tui.requestRender();
  }

  /** Opens the text of the editor in the user's own editor, and takes over what they saved. */
  async editOutside(): Promise<void> {
    const editor = textEditor();
    const folder = await mkdtemp(join(tmpdir(), "hermes-input-"));
    try {
      const file = join(folder, "message.md");
      await writeFile(file, this.screen.editor.getExpandedText());
      await this.screen.whileLeft(() => editFile(editor, file));
      this.screen.editor.setText((await readFile(file, "utf8")).trimEnd());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    this.screen.tui.requestRender();
  }

  async readOutput(): Promise<void> {
    const { readOutputs } = await import("./view/read-outputs.ts");
    const { theme, display } = this.#parts;
    if (!(await readOutputs(this.screen, theme, display.get().pager))) this.note("No call has an output to read.");
  }

  /** Lets the user search what they entered in this and earlier sessions. */
  async searchHistory(): Promise<void> {
    const { history, prompter, signal } = this.#parts;
    const lines = [...new Set(history.lines.toReversed())];
    if (lines.length === 0) return this.note("No earlier input.");
    const items = lines.map((value) => ({ value, label: value }));
    const list = { title: "Earlier input", items, preview: (value: string) => value };
    const line = await prompter.browse(list, "clarify_widget", signal);
    if (line !== undefined) this.screen.editor.setText(line);
    this.screen.tui.requestRender();
  }

  /** Reads `.env` and `config.yaml` again, and shows the new notices. */
  async reread(): Promise<void> {
    this.showNotices(await rereadNotices(this.#parts.app, this.#known));
    this.#parts.display.reread();
  }

  showNotices(notices: readonly Notice[]): void {
    const { theme } = this.#parts;
    this.#known = [...this.#known, ...notices];
    for (const { level, text, hint } of notices)
      this.note(asTyped(hint === undefined ? text : `${text}\n${hint}`), level === "info" ? theme.dim : theme.warn);
  }

  note(text: string, style?: (text: string) => string): void {
    this.screen.conversation.note(text, style);
    this.screen.tui.requestRender();
  }

  fail(error: unknown): void {
    this.#parts.app.log.error("A turn failed", { cause: error });
    this.note(asTyped(error instanceof Error ? error.message : String(error)), this.#parts.theme.bad);
  }

  /** What slash commands can use here. */
  slashHost(): SlashHost {
    const { app, screen, fullScreen, display, skins, front, prompter, surface, keys, signal } = this.#parts;
    const { tui, status, conversation } = screen;
    return {
      app,
      surface,
      signal,
      terminal: true,
      keys: keyHelp(keys, fullScreen),
      columns: () => tui.terminal.columns - 2,
      showsWaiting: true,
      session: () => front.session,
      switchSession: (target) => this.#switchTo(target),
      pick: (text, choices, of) =>
        prompter.pick(text, choices, of === "model" ? "model_picker_widget" : "clarify_widget", signal),
      browse: (list) => prompter.browse(list, "model_picker_widget", signal),
      notify: (text) => this.note(text),
      background: { opening: () => front.opening, announce: (end) => this.#announce(end) },
      draft: (text) => {
        if (screen.editor.getExpandedText() === "") screen.editor.setText(text);
      },
      attach: (image) => screen.images.add(image),
      display,
      skins,
      statusbar: { get: () => !status.hidden, set: (on) => void (status.hidden = !on) },
      reload: () => this.reread(),
      copy: (text) => tui.terminal.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`),
      busyMode: { get: () => this.busyMode, set: (mode) => (this.busyMode = mode) },
      yolo: {
        get: () => front.yolo,
        set: (on) => void front.setYolo(on).catch((error: unknown) => this.fail(error)),
      },
      titled: (title) => status.rename(title),
      redraw: () => (tui.invalidate(), tui.requestRender(true)),
      clear: () => conversation.reset(),
      quit: () => this.end(EXIT.ok),
    };
  }

  /** Shows how a background session ended. */
  async #announce(end: BackgroundEnd): Promise<void> {
    const { backgroundText } = await import("../../shared/commands/agents.ts");
    const { theme, display } = this.#parts;
    this.note(backgroundText(end), end.reason === "failed" ? theme.bad : (shown) => shown);
    if (display.get().bell) this.screen.ring();
  }

  async #runCommand(line: string): Promise<void> {
    const { theme } = this.#parts;
    using _ = this.screen.move();
    const { ok, text } = await this.commands.run(line, this.slashHost());
    if (text === "") return;
    this.note(`› ${line}`, theme.dim);
    this.note(text, ok ? (shown) => shown : theme.warn);
  }

  async #switchTo(target: Target): Promise<void> {
    const { waiting, conversation, status } = this.screen;
    const before = this.front.session.id;
    await this.front.switchTo(target);
    status.open(this.front.session, this.#parts.model);
    if (this.front.session.id === before) return;
    waiting.clear();
    conversation.reset();
    conversation.replay(this.front.session.view());
    void this.resumeTurn().catch((error: unknown) => this.fail(error));
  }
}
