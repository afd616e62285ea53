/** A variable of `.env` as the page shows it: what it is for and whether it is set, never its value. */
export interface KeyShown {
  readonly name: string;
  readonly description: string;
  readonly url?: string;
  readonly secret: boolean;
  readonly group: "model" | "tools";
  readonly set: boolean;
  /** Where it was read, if it is set. */
  readonly where?: string;
}
