/** A line below a call: what it did, found or printed. */
export interface PreviewLine {
  readonly kind: "added" | "removed" | "done" | "current" | "plain";
  readonly text: string;
}
