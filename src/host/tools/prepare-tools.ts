import type { DispatchPorts, ToolEntry } from "../../engine/ports.ts";
import { whenFree } from "../../engine/turn/when-free.ts";

/** The request is on its way by then, and a model that answers at once is not slowed down. */
const AFTER_MS = 10;

const prepared = new WeakSet<ToolEntry>();

/**
 * Once for each tool of this process, while a model takes its time. Disposing calls off what has not begun.
 * @param load Loads the code that runs calls.
 */
export function prepareTools(
  { tools, log }: Pick<DispatchPorts, "tools" | "log">,
  names: readonly string[],
  load: () => Promise<unknown>,
): Disposable {
  const entries = names.flatMap((name) => {
    const entry = tools.get(name);
    return entry?.declaration.prepares === true && !prepared.has(entry) ? [entry] : [];
  });
  if (entries.length === 0) return { [Symbol.dispose]() {} };
  const getting = whenFree(AFTER_MS, () => {
    load().catch((cause: unknown) => log.debug("The code that runs calls could not be loaded.", { cause }));
    for (const entry of entries) void prepare(entry, log);
  });
  getting.unref();
  return { [Symbol.dispose]: () => getting.stop() };
}

async function prepare(entry: ToolEntry, log: DispatchPorts["log"]): Promise<void> {
  if (prepared.has(entry)) return;
  prepared.add(entry);
  try {
    await (await entry.load()).prepare?.();
  } catch (cause) {
    // The first call meets the same trouble and tells it.
    log.debug(`The tool "${entry.declaration.name}" could not be prepared.`, { cause });
  }
}
