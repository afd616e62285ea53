import { readFileSync } from "node:fs";
import { UserError } from "../../../contract/common/failure.ts";
import type { Json } from "../../../contract/common/json.ts";
import type { PluginStorage } from "../../../contract/plugins/plugin.ts";
import { withFileLock } from "../../config/file-lock.ts";
import { writeAtomically } from "../../config/write-atomically.ts";
import type { Home } from "../../environment/home.ts";

/** Larger values belong in the plugin's own files. */
const MAX_BYTES = 4 << 20;

/**
 * A plugin's stored values: one JSON file below `plugin-data/`, read and written whole under a lock, so that concurrent
 * processes lose nothing.
 */
export function openStorage(home: Home, plugin: string): PluginStorage {
  const file = (): string => home.file("plugin-data", `${plugin.replaceAll("/", "__")}.json`);

  function read(): Map<string, Json> {
    let text: string;
    try {
      text = readFileSync(file(), "utf8");
    } catch {
      return new Map(); // Nothing is stored yet.
    }
    try {
      return new Map(Object.entries(JSON.parse(text) as { readonly [key: string]: Json }));
    } catch (cause) {
      throw new UserError(`The storage of the plugin "${plugin}" in ${file()} is not valid JSON.`, {
        hint: "Fix the file or move it away.",
        cause,
      });
    }
  }

  async function change<T>(make: (values: Map<string, Json>) => T): Promise<T> {
    home.folder("plugin-data");
    let made!: T;
    await withFileLock(file(), () => {
      const values = read();
      made = make(values);
      const text = `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`;
      if (text.length > MAX_BYTES)
        throw new UserError(`The storage of the plugin "${plugin}" would exceed ${MAX_BYTES >> 20} MB.`, {
          hint: "Store large data in files.",
        });
      writeAtomically(file(), text);
    });
    return made;
  }

  return {
    get: async (key) => read().get(key),
    set: (key, value) => change((values) => void values.set(key, value)),
    delete: (key) => change((values) => values.delete(key)),
    keys: async () => [...read().keys()],
  };
}
