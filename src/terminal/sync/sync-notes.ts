const SHOWN = 5;

const WORDS = {
  secret: (files: string, label: string) =>
    `Not sent because it contains secrets or is private to the agent: ${files} (${label}). List files to send in terminal.credential_files.`,
  large: (files: string, label: string) => `Not synced because it is larger than 64 MB: ${files} (${label}).`,
  refused: (files: string, label: string) =>
    `Changed in the terminal backend but not copied here because the name is protected: ${files} (${label}).`,
  blocked: (files: string, label: string) =>
    `Changed in the terminal backend but not written here because another file is there or writing is not permitted: ${files} (${label}).`,
} as const;

/** Notes for the user about one sync, each once. */
export class SyncNotes {
  readonly #label: string;
  readonly #reported: Set<string>;
  readonly #files = new Map<keyof typeof WORDS, string[]>();
  readonly #texts: string[] = [];

  /** @param reported What was reported before; grows. */
  constructor(label: string, reported: Set<string>) {
    this.#label = label;
    this.#reported = reported;
  }

  add(kind: keyof typeof WORDS, path: string, version: string | undefined): void {
    if (this.#isNew(`${kind} ${version ?? ""} ${path}`))
      this.#files.set(kind, [...(this.#files.get(kind) ?? []), path]);
  }

  /** About the tree as a whole. */
  whole(key: string, text: string): void {
    if (this.#isNew(key)) this.#texts.push(text);
  }

  conflict(
    path: string,
    { here, there, saved }: { readonly here: boolean; readonly there: boolean; readonly saved: string | undefined },
  ): void {
    const what =
      here && there
        ? "was changed here and in the terminal backend"
        : here
          ? "was changed here and removed in the terminal backend"
          : "was removed here and changed in the terminal backend";
    const copy = saved === undefined ? "" : ` The terminal backend's version is saved in ${saved}.`;
    this.#texts.push(
      `CONFLICT: ${JSON.stringify(path)} (${this.#label}) ${what}; Hermes left both as they are.${copy} The next change on either side wins.`,
    );
  }

  texts(): readonly string[] {
    const grouped = [...this.#files].map(([kind, paths]) => {
      paths.sort();
      const shown = paths
        .slice(0, SHOWN)
        .map((path) => JSON.stringify(path))
        .join(", ");
      return WORDS[kind](paths.length > SHOWN ? `${shown} and ${paths.length - SHOWN} more` : shown, this.#label);
    });
    return [...this.#texts, ...grouped];
  }

  #isNew(key: string): boolean {
    if (this.#reported.has(key)) return false;
    this.#reported.add(key);
    return true;
  }
}
