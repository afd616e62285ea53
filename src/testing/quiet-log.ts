import type { LogDetail, Logger, LogLevel } from "../contract/common/logger.ts";

export interface QuietLog extends Logger {
  /** Everything that was logged, by this log and its children. */
  readonly lines: readonly {
    readonly level: LogLevel;
    readonly name: string;
    readonly message: string;
    readonly detail?: LogDetail;
  }[];
}

/** Collects log lines and prints nothing. */
export function quietLog(): QuietLog {
  const lines: { level: LogLevel; name: string; message: string; detail?: LogDetail }[] = [];
  const named = (name: string): QuietLog => {
    const at = (level: LogLevel) => (message: string, detail?: LogDetail) =>
      void lines.push({ level, name, message, detail });
    return {
      lines,
      debug: at("debug"),
      info: at("info"),
      warning: at("warning"),
      error: at("error"),
      child: (child) => named(name === "" ? child : `${name}.${child}`),
    };
  };
  return named("");
}
