import type { JsonObject } from "./json.ts";

export type LogLevel = "debug" | "info" | "warning" | "error";

/**
 * Writes to `~/.hermes/logs/agent.log`, redacted. Never to the terminal: messages for the user are events or errors.
 */
export interface Logger {
  debug(message: string, detail?: LogDetail): void;
  info(message: string, detail?: LogDetail): void;
  warning(message: string, detail?: LogDetail): void;
  error(message: string, detail?: LogDetail): void;
  /** A logger for the same log whose lines carry a further name, such as the plugin's id. */
  child(name: string): Logger;
}

/** `cause` is logged with its stack. */
export type LogDetail =
  | (JsonObject & { readonly cause?: never })
  | { readonly cause: unknown; readonly [key: string]: unknown };
