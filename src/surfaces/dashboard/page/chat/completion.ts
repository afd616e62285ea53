import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { say } from "../text.ts";

interface Command {
  readonly name: string;
  readonly description: string;
  readonly argsHint: string;
  readonly completes: boolean;
}

interface Option {
  /** The text that replaces the editor's. */
  readonly text: string;
  readonly label: string;
  readonly about: string;
}

const MOST = 8;
const WAIT_MS = 120;

/** Slash commands and their arguments below the editor, as a list box that the editor controls. */
export class Completion {
  readonly element = element("div", { class: "completion", role: "listbox", id: "completion", hidden: true });
  readonly #editor: HTMLTextAreaElement;
  readonly #chat: () => string;
  #commands: Promise<readonly Command[]> | undefined;
  #options: readonly Option[] = [];
  #at = 0;
  #asked = 0;

  constructor(editor: HTMLTextAreaElement, chat: () => string) {
    this.#editor = editor;
    this.#chat = chat;
    this.element.setAttribute("aria-label", say("Commands"));
    for (const [name, value] of [
      ["aria-autocomplete", "list"],
      ["aria-controls", "completion"],
      ["aria-haspopup", "listbox"],
    ] as const)
      editor.setAttribute(name, value);
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Shows what fits the text. */
  async look(): Promise<void> {
    const asked = ++this.#asked;
    const text = this.#editor.value;
    const options = text.startsWith("/") && !text.includes("\n") ? await this.#fitting(text, asked) : [];
    if (asked !== this.#asked) return;
    this.#options = options;
    this.#at = 0;
    this.#draw();
  }

  close(): void {
    this.#asked++;
    this.#options = [];
    this.#draw();
  }

  /** @returns whether the key was for the list. */
  key(key: string): boolean {
    if (!this.isOpen) return false;
    if (key === "ArrowDown" || key === "ArrowUp") {
      this.#at = (this.#at + (key === "ArrowDown" ? 1 : -1) + this.#options.length) % this.#options.length;
      this.#draw();
      return true;
    }
    if (key === "Escape") {
      this.close();
      return true;
    }
    if (key !== "Tab" && key !== "Enter") return false;
    const option = this.#options[this.#at];
    if (option === undefined) return false;
    // A whole command is sent with Enter, not completed.
    if (key === "Enter" && option.text.trimEnd() === this.#editor.value.trimEnd()) {
      this.close();
      return false;
    }
    this.#take(option);
    return true;
  }

  async #fitting(text: string, asked: number): Promise<readonly Option[]> {
    const chat = encodeURIComponent(this.#chat());
    const [, name = "", args] = /^\/(\S*)(?:\s([^]*))?$/.exec(text) ?? [];
    this.#commands ??= ask<readonly Command[]>("GET", `/api/chats/${chat}/commands`);
    const commands = await this.#commands.catch((): readonly Command[] => {
      this.#commands = undefined; // The next key tries again.
      return [];
    });
    if (args === undefined)
      return commands
        .filter((one) => one.name.startsWith(name.toLowerCase()))
        .slice(0, MOST)
        .map((one) => ({
          text: `/${one.name}${one.argsHint === "" ? "" : " "}`,
          label: `/${one.name} ${one.argsHint}`.trimEnd(),
          about: one.description,
        }));
    if (commands.find((one) => one.name === name)?.completes !== true) return [];
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (asked !== this.#asked) return [];
    const found = await ask<readonly string[]>("GET", `/api/chats/${chat}/complete?line=${encodeURIComponent(text)}`);
    return found.slice(0, MOST).map((value) => ({ text: `/${name} ${value}`, label: value, about: "" }));
  }

  #take({ text }: Option): void {
    this.#editor.value = text;
    this.#editor.setSelectionRange(text.length, text.length);
    void this.look();
  }

  #draw(): void {
    const open = this.#options.length > 0 && this.#options[0]?.text !== this.#editor.value;
    this.element.hidden = !open;
    if (open) this.#editor.setAttribute("aria-activedescendant", `completion-${this.#at}`);
    else this.#editor.removeAttribute("aria-activedescendant");
    fill(
      this.element,
      open &&
        this.#options.map((option, at) =>
          element(
            "div",
            {
              class: "option",
              role: "option",
              id: `completion-${at}`,
              "aria-selected": String(at === this.#at),
              // The editor keeps the focus.
              onmousedown: (event) => (event.preventDefault(), this.#take(option)),
            },
            element("span", { class: "mono" }, option.label),
            option.about !== "" && element("span", { class: "quiet small" }, option.about),
          ),
        ),
    );
  }
}
