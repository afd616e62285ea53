import type { Clock } from "../../contract/common/clock.ts";
import type { LogDetail, Logger, LogLevel } from "../../contract/common/logger.ts";
import type { Home } from "../environment/home.ts";
import { isFolder } from "../environment/make-folder.ts";
import { LogFile } from "./log-file.ts";
import { atLeast, writeLine } from "./log-line.ts";

/** The process's log: `logs/agent.log`, and what is serious once more in `logs/errors.log`. */
export interface RootLogger extends Logger, AsyncDisposable {
  /** Resolves when every line so far is on disk. */
  flush(): Promise<void>;
  /** The configured settings, once they are read; earlier lines are logged at INFO. */
  configure(options: { readonly level?: LogLevel; readonly maxBytes?: number; readonly backups?: number }): void;
}

export interface LoggerOptions {
  readonly home: Home;
  readonly clock: Pick<Clock, "now">;
  /** Masks secrets in each text of a line. */
  redact(text: string): string;
  readonly level?: LogLevel;
  /** Default 5 000 000. */
  readonly maxBytes?: number;
  /** Default 3. */
  readonly backups?: number;
  /** `HERMES_PLUGINS_DEBUG`: everything about plugins is logged, and said here too as `[plugins] LEVEL message`. */
  readonly debugPlugins?: (text: string) => void;
}

/**
 * Opens the log. Nothing is made on disk before the first line is written out; the end of the process writes what still
 * waits.
 */
export function openLogger(options: LoggerOptions): RootLogger {
  const size = {
    makeFolder: logFolder(options.home),
    maxBytes: options.maxBytes ?? 5_000_000,
    backups: options.backups ?? 3,
  };
  const all = new LogFile({ file: options.home.file("logs", "agent.log"), ...size });
  const serious = new LogFile({ file: options.home.file("logs", "errors.log"), ...size });
  let least = options.level ?? "info";
  const atExit = (): void => {
    all.flushSync();
    serious.flushSync();
  };
  process.on("exit", atExit);

  const write = (name: string, level: LogLevel, message: string, detail: LogDetail | undefined): void => {
    const ofPlugins = name === PLUGINS || name.startsWith(`${PLUGINS}.`);
    const debugged = ofPlugins && options.debugPlugins !== undefined;
    if (!debugged && !atLeast(level, least)) return;
    const {
      time: _time,
      level: _level,
      name: _name,
      message: _message,
      ...rest
    } = (detail ?? {}) as { readonly [key: string]: unknown };
    const time = new Date(options.clock.now()).toISOString();
    const line = writeLine({ time, level, name, message, ...rest }, options.redact);
    all.write(line);
    if (atLeast(level, "warning")) serious.write(line);
    if (debugged) {
      const stack = rest["cause"] instanceof Error ? `\n${rest["cause"].stack}` : "";
      options.debugPlugins!(
        options.redact(
          `[plugins] ${level.toUpperCase()} ${name === PLUGINS ? "" : `${name.slice(PLUGINS.length + 1)}: `}${message}${stack}`,
        ),
      );
    }
  };

  return {
    ...named("hermes"),
    flush: async () => {
      await Promise.all([all.flush(), serious.flush()]);
    },
    configure({ level, ...size }) {
      least = level ?? least;
      all.configure(size);
      serious.configure(size);
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", atExit);
      await Promise.all([all[Symbol.asyncDispose](), serious[Symbol.asyncDispose]()]);
    },
  };

  function named(name: string): Logger {
    return {
      debug: (message, detail) => write(name, "debug", message, detail),
      info: (message, detail) => write(name, "info", message, detail),
      warning: (message, detail) => write(name, "warning", message, detail),
      error: (message, detail) => write(name, "error", message, detail),
      child: (further) => named(name === "hermes" ? further : `${name}.${further}`),
    };
  }
}

const PLUGINS = "plugins";

/** A home that was there and is gone was removed: a log does not bring it back. */
function logFolder(home: Home): () => boolean {
  let seen = isFolder(home.path);
  return () => {
    if (seen && !isFolder(home.path)) return false;
    home.folder("logs");
    seen = true;
    return true;
  };
}
