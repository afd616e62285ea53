const SHOWN = 5;

const WORDS = {
  secret: (files: string, label: string) =>
    `Not sent, since it holds secrets or is kept for the agent alone: ${files} (${label}). terminal.credential_files declares what may go.`,
  large: (files: string, label: string) => `Not synced, since it is larger than 64 MB: ${files} (${label}).`,
  refused: (files: string, label: string) =>
    `Changed in the place and not taken over here, since it is a protected name: ${files} (${label}).`,
  blocked: (files: string, label: string) =>
    `Changed in the place and not written here, since something else stands there or it may not be written: ${files} (${label}).`,
} as const;

/** What a person should know of one sync, each thing once. */
export class SyncNotes {
  readonly #label: string;
  readonly #told: Set<string>;
  readonly #files = new Map<keyof typeof WORDS, string[]>();
  readonly #texts: string[] = [];

  /** @param told What was told before; grows. */
  constructor(label: string, message: Set<string>) {
    this.#label = label;
    this.#told = message;
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
    {
      here,
      there,
      kept: saved,
    }: { readonly here: boolean; readonly there: boolean; readonly kept: string | undefined },
  ): void {
    const what =
      here && there
        ? "was changed here and in the place"
        : here
          ? "was changed here and removed in the place"
          : "was removed here and changed in the place";
    const copy = saved === undefined ? "" : ` The place's version is kept in ${saved}.`;
    this.#texts.push(
      `CONFLICT: ${JSON.stringify(path)} (${this.#label}) ${what}; neither was touched.${copy} The side that changes it again decides.`,
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
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}
