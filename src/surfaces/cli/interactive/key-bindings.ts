import { matchesKey } from "@earendil-works/pi-tui";
import type { RunningCommands } from "../../shared/commands/running-commands.ts";
import type { BusyMode } from "../../shared/commands/slash-host.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import type { FrontSession } from "../conversation/front-session.ts";
import type { Screen } from "./screen.ts";

const ESCAPE = "\x1b";

/** The keys, for `/help`. */
export const KEYS = [
  ["Enter", "Send; Alt-Enter, Ctrl-J or \\ before Enter starts a new line"],
  ["Esc", "Stop the running turn or command, or deny the request"],
  ["Ctrl-C", "Like Esc; also clears the line; twice exits"],
  ["Ctrl-D", "Exit"],
  ["Up, Down", "Browse the input history, including earlier sessions"],
  ["Tab", "Complete a command or path; Enter sends the typed text, or the choice made with the arrows"],
  ["Ctrl-O", "Show all of what the calls did, or only the beginning"],
  ["Ctrl-R", "Search the input of this and earlier sessions"],
  ["Ctrl-G", "Write the message in $EDITOR"],
  ["@", "Complete a file of the project by some of its letters"],
  ["!", "Run a shell command yourself; the model sees it with your next message, with !! it does not"],
  ["Ctrl-L", "Repaint the screen"],
  ["Ctrl-Z", "Suspend; the shell's fg continues"],
] as const;

/** What the keys act on. */
interface KeyTarget {
  readonly screen: Screen;
  readonly front: FrontSession;
  readonly commands: RunningCommands;
  readonly busyMode: BusyMode;
  /** Stops the running turn and commands, and gives back the messages that wait. */
  stop(): void;
  /** Opens the message in the user's own editor. */
  editOutside(): Promise<void>;
  /** Searches the input history. */
  searchHistory(): Promise<void>;
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
    const { screen, front, commands } = this.#target;
    const { tui, editor } = screen;
    screen.keyPressed();
    if (matchesKey(data, "ctrl+c")) return (this.#onInterrupt(), { consume: true });
    this.#endsOnInterrupt = false;
    if (matchesKey(data, "ctrl+d") && (editor.getText() === "" || screen.dialog !== undefined))
      return (this.#target.end(EXIT.ok), { consume: true });
    if (matchesKey(data, "ctrl+z")) return (screen.suspend(), { consume: true });
    if (screen.dialog === undefined) {
      if (matchesKey(data, "ctrl+g")) return this.#start(this.#target.editOutside());
      if (matchesKey(data, "ctrl+r")) return this.#start(this.#target.searchHistory());
    }
    if (matchesKey(data, "ctrl+o")) return (screen.toggleCards(), { consume: true });
    if (matchesKey(data, "ctrl+l")) return (tui.requestRender(true), { consume: true });
    if (
      matchesKey(data, "enter") &&
      !this.#choosing &&
      editor.isShowingAutocomplete() &&
      editor.getText().startsWith("/")
    )
      editor.handleInput(ESCAPE);
    this.#choosing = editor.isShowingAutocomplete() && (matchesKey(data, "up") || matchesKey(data, "down"));
    if (
      matchesKey(data, "escape") &&
      (front.session.busy || commands.any) &&
      screen.dialog === undefined &&
      !editor.isShowingAutocomplete()
    )
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

  #start(work: Promise<void>): { readonly consume: boolean } {
    work.catch((error: unknown) => this.#target.fail(error));
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

const BUSY_WORDS: { readonly [mode in BusyMode]: string } = {
  queue: "queues",
  steer: "steers",
  interrupt: "interrupts",
};
