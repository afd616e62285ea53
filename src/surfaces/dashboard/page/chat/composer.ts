import { element, fill } from "../element.ts";
import { carryOut, noticeBox } from "../parts-of-page.ts";
import { say } from "../text.ts";
import { Attachments, type AttachedFile } from "./attachments.ts";
import { Completion } from "./completion.ts";

export interface ComposedMessage {
  readonly text: string;
  readonly attachments: readonly AttachedFile[];
  readonly mode: "queue" | "steer";
}

/** A message that was taken back. */
export interface TakenBack {
  readonly text: string;
  readonly images: readonly { readonly mediaType: string; readonly data: string }[];
}

interface ComposerPorts {
  readonly notes: HTMLElement;
  chat(): string;
  /** Rejects if the message was not stored: it comes back into the editor. */
  send(message: ComposedMessage): Promise<void>;
  stop(): Promise<void>;
  /** Takes the newest queued message back. @returns whether there is one. */
  editQueued(): boolean;
}

/** The editor of a chat: text, attachments, slash commands, and how a message reaches a running turn. */
export class Composer {
  readonly element: HTMLElement;
  readonly #ports: ComposerPorts;
  readonly #editor: HTMLTextAreaElement;
  readonly #attachments: Attachments;
  readonly #completion: Completion;
  readonly #mode: HTMLSelectElement;
  readonly #modeBox: HTMLElement;
  readonly #stop: HTMLButtonElement;
  readonly #send: HTMLButtonElement;
  #busy = false;

  constructor(ports: ComposerPorts) {
    this.#ports = ports;
    this.#editor = element("textarea", {
      id: "message",
      rows: 1,
      "aria-label": say("Message"),
      placeholder: say("Message, or / for commands"),
      oninput: () => (this.#grow(), void this.#completion.look()),
      onkeydown: (event) => this.#key(event as KeyboardEvent),
      onpaste: (event) => this.#take(event, (event as ClipboardEvent).clipboardData),
      onblur: () => this.#completion.close(),
    });
    this.#attachments = new Attachments((text) => ports.notes.append(noticeBox("bad", text)));
    this.#completion = new Completion(this.#editor, () => ports.chat());
    const picker = element("input", {
      type: "file",
      multiple: true,
      hidden: true,
      onchange: () => void this.#attachments.add([...(picker.files ?? [])]).then(() => (picker.value = "")),
    });
    this.#mode = element(
      "select",
      { "aria-label": say("Send during a turn") },
      element("option", { value: "queue" }, say("after this turn")),
      element("option", { value: "steer" }, say("into this turn")),
    );
    this.#modeBox = element("span", { class: "mode", hidden: true }, this.#mode);
    this.#stop = element(
      "button",
      { type: "button", class: "danger", hidden: true, onclick: () => void this.#stopTurn() },
      say("Stop"),
    );
    this.#send = element("button", { class: "main" }, say("Send"));
    this.element = element(
      "form",
      {
        class: "composer",
        onsubmit: (event) => (event.preventDefault(), void this.#submit()),
        ondragover: (event) => event.preventDefault(),
        ondrop: (event) => this.#take(event, (event as DragEvent).dataTransfer),
      },
      this.#completion.element,
      this.#attachments.element,
      this.#editor,
      element(
        "div",
        { class: "tools" },
        picker,
        element(
          "button",
          {
            type: "button",
            "aria-label": say("Attach files"),
            title: say("Attach files"),
            onclick: () => picker.click(),
          },
          "+",
        ),
        this.#modeBox,
        element("span", { class: "space" }),
        this.#stop,
        this.#send,
      ),
    );
  }

  get isEmpty(): boolean {
    return this.#editor.value === "" && this.#attachments.files.length === 0;
  }

  focus(): void {
    this.#editor.focus();
  }

  /** Puts a text into the editor, before what is there. */
  draft({ text, images }: TakenBack): void {
    const before = this.#editor.value;
    this.#editor.value = before === "" ? text : `${text}\n${before}`;
    this.#attachments.files = [
      ...this.#attachments.files,
      ...images.map(({ mediaType, data }, at) => ({ name: `${say("Image")} ${at + 1}`, mediaType, data })),
    ];
    this.#grow();
    this.focus();
  }

  busy(busy: boolean, mode: "queue" | "steer" | undefined): void {
    if (busy && !this.#busy && mode !== undefined) this.#mode.value = mode;
    this.#busy = busy;
    this.#stop.hidden = !busy;
    this.#modeBox.hidden = !busy;
  }

  /** Grows with its text, up to a third of the page. */
  #grow(): void {
    this.#editor.rows = Math.min(Math.max(this.#editor.value.split("\n").length, 1), 10);
  }

  #key(event: KeyboardEvent): void {
    // Enter ends the composition of a word in Chinese or Japanese.
    if (event.isComposing) return;
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (!shiftKey && !altKey && this.#completion.key(key)) return event.preventDefault();
    const plain = !shiftKey && !altKey && !ctrlKey && !metaKey;
    if (key === "Enter" && !shiftKey && !altKey && (plain ? !onTouch() : true)) {
      event.preventDefault();
      void this.#submit();
    } else if (key === "Escape" && plain && this.#busy) {
      event.preventDefault();
      void this.#stopTurn();
    } else if (key === "ArrowUp" && (altKey || this.isEmpty) && this.#ports.editQueued()) event.preventDefault();
  }

  #take(event: Event, given: DataTransfer | null): void {
    const files = [...(given?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#attachments.add(files);
  }

  async #submit(): Promise<void> {
    const text = this.#editor.value.trim();
    const attachments = this.#attachments.files;
    if (text === "" && attachments.length === 0) return;
    this.#completion.close();
    this.#editor.value = "";
    this.#attachments.files = [];
    this.#grow();
    const mode = this.#busy && this.#mode.value === "steer" ? "steer" : "queue";
    let stored = false;
    await carryOut(undefined, this.#ports.notes, async () => {
      await this.#ports.send({ text, attachments, mode });
      stored = true;
    });
    if (stored) return;
    this.#editor.value = this.#editor.value === "" ? text : `${text}\n${this.#editor.value}`;
    this.#attachments.files = [...attachments, ...this.#attachments.files];
    this.#grow();
  }

  async #stopTurn(): Promise<void> {
    fill(this.#ports.notes);
    await carryOut(this.#stop, this.#ports.notes, () => this.#ports.stop());
    this.focus();
  }
}

/** A screen keyboard has no Shift-Enter: Enter begins a line there, and the button sends. */
function onTouch(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}
