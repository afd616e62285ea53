export interface Notice {
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  readonly hint?: string;
}
