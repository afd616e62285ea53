import type { MemorySetup } from "../../contract/services/app.ts";
import type { MemoryField, MemoryProvider } from "../../contract/providers/memory.ts";
import { bounded } from "../../engine/async/bounded.ts";
import { systemClock } from "../app/system-clock.ts";
import type { MemoryEntry } from "./open-memory.ts";

/** How long a provider may take to say what it needs. */
const SAY_MS = 10_000;

/** The values that a provider needs before it works, whether it is available yet or not. */
export async function memorySetup(entry: MemoryEntry, home: string): Promise<MemorySetup> {
  const provider: MemoryProvider = await entry.load();
  const text = await bounded(Promise.resolve(provider.get_config_schema?.()), SAY_MS, systemClock);
  const list: unknown = text.kind === "value" ? text.value : [];
  return {
    plugin: entry.owner,
    fields: Array.isArray(list) ? list.flatMap(fieldOf) : [],
    save: async (values) => void (await provider.save_config?.(values, home)),
  };
}

/** Only what can be asked for; a provider of Python may say `None` for what it leaves out. */
function fieldOf(given: unknown): readonly MemoryField[] {
  if (typeof given !== "object" || given === null) return [];
  const field = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as {
    readonly [name: string]: unknown;
  };
  if (typeof field["key"] !== "string" || field["key"] === "") return [];
  const { key, description, url, env_var, when, choices } = field;
  return [
    {
      key,
      required: field["required"] === true,
      secret: field["secret"] === true,
      description: typeof description === "string" ? description : undefined,
      url: typeof url === "string" ? url : undefined,
      env_var: typeof env_var === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(env_var) ? env_var : undefined,
      default: ["string", "number", "boolean"].includes(typeof field["default"])
        ? (field["default"] as string)
        : undefined,
      choices: Array.isArray(choices) && choices.length > 0 ? choices.map(String) : undefined,
      when: typeof when === "object" && when !== null ? (when as MemoryField["when"]) : undefined,
    },
  ];
}
