import { getKeybindings } from "@earendil-works/pi-tui";
import type { RunningCommands } from "../../../shared/commands/running-commands.ts";
import type { BusyMode } from "../../../shared/commands/slash-host.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import type { FrontSession } from "../../conversation/front-session.ts";
import type { Screen } from "../screen.ts";
import type { AppAction } from "./actions.ts";

const ESCAPE = "\x1b";

/** The keys act on these parts. */
interface KeyTarget {
  readonly screen: Screen;
  readonly front: FrontSession;
  readonly commands: RunningCommands;
  readonly busyMode: BusyMode;
  /** Stops the running turn and commands, and gives back the messages that wait. */
  stop(): void;
  /** Takes the newest waiting message back into the editor. */
  editQueued(): void;
  /** Opens the message in the user's own editor. */
  editOutside(): Promise<void>;
  /** Shows the output of the calls in a pager. */
  readOutput(): Promise<void>;
  /** Searches the input history. */
  searchHistory(): Promise<void>;
  /** Runs a slash command. */
  run(line: string): Promise<void>;
  fail(error: unknown): void;
  /** Ends the interactive session. */
  end(exitCode: number): void;
}

/** The keys of the interactive session that the editor does not handle. */
export class KeyBindings {
  readonly #target: KeyTarget;
  #endsOnInterrupt = false;
  /** The user moved to a completion with the arrows: Enter accepts it. */
  #choosing = false;

  constructor(target: KeyTarget) {
    this.#target = target;
  }

  onKey(data: string): { readonly consume: boolean } | undefined {
    const { screen } = this.#target;
    const { editor } = screen;
    const keys = getKeybindings();
    screen.keyPressed();
    if (screen.covered) return undefined;
    if (keys.matches(data, "app.interrupt")) return (this.#onInterrupt(), { consume: true });
    this.#endsOnInterrupt = false;
    if (keys.matches(data, "app.exit") && (editor.getText() === "" || screen.dialog !== undefined))
      return (this.#target.end(EXIT.ok), { consume: true });
    const work = ALWAYS.find(([action]) => keys.matches(data, action))?.[1];
    if (work !== undefined) return this.#start(work);
    if (screen.dialog !== undefined) return undefined;
    const withoutDialog = WITHOUT_DIALOG.find(([action]) => keys.matches(data, action))?.[1];
    if (withoutDialog !== undefined) return this.#start(withoutDialog);
    if (
      keys.matches(data, "tui.input.submit") &&
      !this.#choosing &&
      editor.isShowingAutocomplete() &&
      editor.getText().startsWith("/")
    )
      editor.closeCompletions();
    this.#choosing =
      editor.isShowingAutocomplete() && (keys.matches(data, "tui.select.up") || keys.matches(data, "tui.select.down"));
    if (keys.matches(data, "app.stop") && this.#runs() && !editor.isShowingAutocomplete() && !editor.takesEscape)
      return (this.#target.stop(), { consume: true });
    return undefined;
  }

  /** The keys that do something now, for the status line. */
  hints(): readonly string[] {
    const { screen, front, commands, busyMode } = this.#target;
    // An open dialog shows its keys itself.
    if (screen.dialog !== undefined) return [];
    if (front.session.busy) return [`Esc stops · Enter ${BUSY_WORDS[busyMode]}`];
    if (commands.slow) return ["Esc stops"];
    return this.#endsOnInterrupt ? ["Ctrl-C again exits"] : [];
  }

  #runs(): boolean {
    return this.#target.front.session.busy || this.#target.commands.any;
  }

  #start(work: (target: KeyTarget) => void | Promise<void>): { readonly consume: boolean } {
    void work(this.#target)?.catch((error: unknown) => this.#target.fail(error));
    return { consume: true };
  }

  /** Stops a running turn or command, else clears the line, else exits on the second press. */
  #onInterrupt(): void {
    const { screen, front, commands } = this.#target;
    const hadText = screen.editor.getText() !== "";
    if (front.session.busy) this.#target.stop();
    else if (screen.dialog !== undefined) screen.dialog.focus.handleInput?.(ESCAPE);
    else if (commands.any && commands.stop()) return;
    else if (hadText) screen.editor.setText("");
    else if (this.#endsOnInterrupt) return this.#target.end(EXIT.ok);
    this.#endsOnInterrupt = !hadText;
    screen.tui.requestRender();
  }
}

type Work = (target: KeyTarget) => void | Promise<void>;

/** Also while a dialog is open. */
const ALWAYS: readonly (readonly [AppAction, Work])[] = [
  ["app.suspend", ({ screen }) => screen.suspend()],
  ["app.toggleCards", ({ screen }) => screen.toggleCards()],
  ["app.repaint", ({ screen }) => screen.tui.requestRender(true)],
];

const WITHOUT_DIALOG: readonly (readonly [AppAction, Work])[] = [
  ["app.editOutside", (target) => target.editOutside()],
  ["app.readOutput", (target) => target.readOutput()],
  ["app.searchHistory", (target) => target.searchHistory()],
  ["app.editQueued", (target) => target.editQueued()],
  ["app.pasteImage", (target) => target.run("/paste")],
  ["app.pickModel", (target) => target.run("/model")],
  ["app.pickSession", (target) => target.run("/resume")],
];

const BUSY_WORDS: { readonly [mode in BusyMode]: string } = {
  queue: "queues",
  steer: "steers",
  interrupt: "interrupts",
};
