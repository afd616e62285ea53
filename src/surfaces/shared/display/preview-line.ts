/** A line below a call: what it did, found or printed. */
export interface PreviewLine {
  readonly kind: "added" | "removed" | "done" | "current" | "plain";
  readonly text: string;
  /** The text from `at` on is code of this language; before it, a line number. */
  readonly code?: { readonly at: number; readonly language: string };
  /** Parts of the text that the call looked for: start and end. */
  readonly found?: readonly (readonly [number, number])[];
  /** A sentence: it wraps. Other lines are cut at the width of the screen. */
  readonly wraps?: true;
}

/** The language of a file's code: its extension, or a name such as `Dockerfile`; "" for a file without one. */
export function languageOf(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return (/\.([\w+#-]+)$/.exec(name)?.[1] ?? (/^(?:Dockerfile|Makefile)$/.test(name) ? name : "")).toLowerCase();
}
