import type { LogLevel } from "../../contract/common/logger.ts";
import type { Config } from "../config/open-config.ts";

/** How much is logged, and how large a log may become. */
export function logSettings(config: Config): {
  readonly level?: LogLevel;
  readonly maxBytes?: number;
  readonly backups?: number;
} {
  return { level: levelOf(config), ...logSize(config) };
}

function levelOf(config: Config): LogLevel | undefined {
  if (config.get("agent.verbose") === true && config.explain("logging.level").source === "default") return "debug";
  const level = config.get("logging.level");
  const word = typeof level === "string" ? level.toLowerCase() : undefined;
  return word === "debug" || word === "info" || word === "warning" || word === "error" ? word : undefined;
}

function logSize(config: Config): { readonly maxBytes?: number; readonly backups?: number } {
  const megabytes = config.get("logging.max_size_mb");
  const backups = config.get("logging.backup_count");
  return {
    maxBytes: typeof megabytes === "number" ? megabytes * 1_000_000 : undefined,
    backups: typeof backups === "number" ? backups : undefined,
  };
}
