import type { LogDetail, Logger } from "../../../contract/common/logger.ts";
import type { PluginSide } from "./plugin-side.ts";

/**
 * Sends log entries of the plugin to the agent, which writes them.
 * @param name Of a child logger; "" for the plugin itself.
 */
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
