import type { LogLevel } from "./logger.ts";

export interface LogQuery {
  readonly name: "agent" | "errors";
  readonly lines: number;
  /** Lowest level to show. */
  readonly level?: LogLevel;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** One line of a log. */
export interface LogLine {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly level: LogLevel;
  /** The part of Hermes that wrote the line: `plugins.weather`. */
  readonly name: string;
  readonly message: string;
  /** Details. */
  readonly [key: string]: unknown;
}
