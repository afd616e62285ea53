import { element, fill } from "../element.ts";
import { say } from "../text.ts";

export interface AttachedFile {
  readonly name: string;
  /** Base64. */
  readonly data: string;
  readonly mediaType: string;
}

const MOST = 10;
const MAX_BYTES = 20 * 1024 * 1024;

/** Files that the next message carries, as removable chips. */
export class Attachments {
  readonly element = element("div", { class: "chips", role: "list", "aria-label": say("Attachments") });
  #files: readonly AttachedFile[] = [];
  readonly #refuse: (text: string) => void;

  /** @param refuse Shows why a file was not attached. */
  constructor(refuse: (text: string) => void) {
    this.#refuse = refuse;
    this.#draw();
  }

  get files(): readonly AttachedFile[] {
    return this.#files;
  }

  set files(files: readonly AttachedFile[]) {
    this.#files = files;
    this.#draw();
  }

  async add(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      if (this.#files.length >= MOST) return this.#refuse(say("A message can have at most {} attachments.", MOST));
      if (file.size > MAX_BYTES) this.#refuse(say("{} is larger than {} MB.", file.name, MAX_BYTES / 1024 / 1024));
      else if (file.size === 0) this.#refuse(say("{} is empty.", file.name));
      else
        this.files = [
          ...this.#files,
          { name: file.name === "" ? "file" : file.name, data: await base64Of(file), mediaType: file.type },
        ];
    }
  }

  #draw(): void {
    this.element.hidden = this.#files.length === 0;
    fill(
      this.element,
      this.#files.map((file) =>
        element(
          "span",
          { class: "chip", role: "listitem" },
          /^image\/(png|jpeg|gif|webp)$/.test(file.mediaType) &&
            element("img", { src: `data:${file.mediaType};base64,${file.data}`, alt: "" }),
          element("span", {}, file.name),
          element(
            "button",
            {
              type: "button",
              "aria-label": say("Remove {}", file.name),
              onclick: () => (this.files = this.#files.filter((one) => one !== file)),
            },
            "×",
          ),
        ),
      ),
    );
  }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error ?? new Error(file.name)));
    reader.readAsDataURL(file);
  });
}
