import type { PluginStorage } from "../../contract/plugins/plugin.ts";

/** Made once; what could not be made is tried again when it is asked for again. */
export function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  const failed = (cause: unknown): never => {
    made = undefined;
    throw cause;
  };
  return () => (made ??= make().catch(failed));
}

/** Opened by the first key that is read or written. */
export function lazyStorage(open: () => Promise<PluginStorage>): PluginStorage {
  const storage = lazily(open);
  return {
    get: async (key) => (await storage()).get(key),
    set: async (key, value) => (await storage()).set(key, value),
    delete: async (key) => (await storage()).delete(key),
    keys: async () => (await storage()).keys(),
  };
}
