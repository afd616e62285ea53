import type { AnyTool } from "../../contract/tools/tool.ts";
import { onAbort } from "../async/on-abort.ts";

interface Loadable {
  load(): Promise<AnyTool>;
}

/** Interval of progress messages to those who wait. */
const REPORT_MS = 2_000;
const loadedOnce = new WeakSet<Loadable>();

/**
 * Loads the tool's code. The first import of its plugin may take long: callers get progress messages and may stop
 * waiting.
 */
export async function loadTool(
  entry: Loadable,
  name: string,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<AnyTool> {
  if (loadedOnce.has(entry)) return entry.load();
  // Not performance.now: the global costs a millisecond at its first use.
  const began = process.hrtime.bigint();
  const telling = setInterval(
    () => report(`The plugin of "${name}" is loading (${(process.hrtime.bigint() - began) / 1_000_000_000n} s)`),
    REPORT_MS,
  );
  const stopped = Promise.withResolvers<never>();
  using _ = onAbort(signal, () => stopped.reject(signal.reason));
  try {
    const tool = await Promise.race([entry.load(), stopped.promise]);
    loadedOnce.add(entry);
    return tool;
  } finally {
    clearInterval(telling);
  }
}
