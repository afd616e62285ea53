import type { LogDetail, Logger } from "../../../contract/common/logger.ts";
import type { PluginSide } from "./plugin-side.ts";

/** What the plugin logs is written by the agent. @param name Of a part of it; "" for itself. */
export function logger(plugin: Pick<PluginSide, "options">, name: string): Logger {
  const write = (level: string) => (message: string, detail?: LogDetail) => {
    const { cause, ...data } = (detail ?? {}) as { readonly cause?: unknown };
    const stack =
      cause === undefined ? {} : { stack: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
    plugin.options.wire.notify("log", {
      plugin: plugin.options.key,
      level,
      message: name === "" ? message : `${name}: ${message}`,
      detail: { ...data, ...stack },
    });
  };
  return {
    debug: write("debug"),
    info: write("info"),
    warning: write("warning"),
    error: write("error"),
    child: (more) => logger(plugin, name === "" ? more : `${name}.${more}`),
  };
}
