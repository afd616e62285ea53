/** A variable of `.env` as the page shows it: its purpose and whether it is set, never its value. */
export interface KeyShown {
  readonly name: string;
  readonly description: string;
  readonly url?: string;
  readonly secret: boolean;
  readonly group: "model" | "tools";
  readonly set: boolean;
  /** Where the value comes from, if it is set. */
  readonly where?: string;
}
