import { isObject } from "../../contract/common/is-object.ts";
import type { MediaBackend, MediaModel } from "../../contract/providers/media.ts";
import type { MediaAbout, MediaBackendInfo, MediaService, MediaSlot } from "../../contract/services/media-service.ts";
import type { PluginService } from "../../contract/services/plugin-service.ts";
import { bounded } from "../../engine/async/bounded.ts";
import type { SlotRegistry } from "../tools/slots.ts";
import { systemClock } from "../app/system-clock.ts";

/** How long a backend may take for each answer; some ask their service for its models. */
const SAY_MS = 15_000;

export function createMediaService(slots: SlotRegistry, plugins: Pick<PluginService, "list">): MediaService {
  return {
    async list(slot) {
      const all = slots.list(slot);
      const wanted = slots.chosen(slot);
      const chosen =
        wanted === undefined
          ? all.length === 1 && slots.filled(slot)
            ? all[0]?.id
            : undefined
          : (slots.get(slot, wanted)?.id ?? wanted);
      const there = all.map(({ id, label, owner }) => ({
        id,
        label: label ?? id,
        plugin: owner,
        chosen: id === chosen,
      }));
      const waiting = (await waitingFor(slot, plugins)).filter(({ id }) => !all.some((one) => one.id === id));
      return [...there, ...waiting.map((one) => ({ ...one, chosen: one.id === chosen }))];
    },
    setting: async (slot) => slots.setting(slot)!,
    look: (slot, id) => look(slots, slot, id),
    transcribe: async (file, signal) => (await import("../models/transcribe.ts")).transcribe(slots, file, signal),
  };
}

/** Backends of installed plugins that lack a key or are not selected by the setting. */
async function waitingFor(
  slot: MediaSlot,
  plugins: Pick<PluginService, "list">,
): Promise<readonly Omit<MediaBackendInfo, "chosen">[]> {
  const disabled = (await plugins.list()).filter(({ state, because }) => state === "disabled" && because !== "off");
  return disabled.flatMap(({ key, manifest, reason, registered }) =>
    registered.providers.flatMap((provider) => {
      const id = provider.slice(slot.length + 1);
      return provider.startsWith(`${slot}/`)
        ? [{ id, label: manifest.description.replace(/\.$/, ""), plugin: key, waits: reason! }]
        : [];
    }),
  );
}

async function look(slots: SlotRegistry, slot: MediaSlot, id: string): Promise<MediaAbout> {
  const backend: Partial<MediaBackend> | undefined = await slots.get(slot, id)?.load();
  const [models, preferred, schema] = await Promise.all([
    answerOf(backend?.list_models?.()),
    answerOf(backend?.default_model?.()),
    answerOf(backend?.get_setup_schema?.()),
  ]);
  return {
    models: Array.isArray(models)
      ? models.filter((model: unknown): model is MediaModel => isObject(model) && typeof model["id"] === "string")
      : [],
    preferred: typeof preferred === "string" && preferred !== "" ? preferred : undefined,
    env: isObject(schema) && Array.isArray(schema["env_vars"]) ? schema["env_vars"].flatMap(variableOf) : [],
  };
}

/** One that breaks or is too slow over a question has nothing to say to it. */
async function answerOf(answer: unknown): Promise<unknown> {
  try {
    const ended = await bounded(Promise.resolve(answer), SAY_MS, systemClock);
    return ended.kind === "value" ? ended.value : undefined;
  } catch {
    return undefined; // Setup goes on without a picker.
  }
}

function variableOf(given: unknown): MediaAbout["env"] {
  if (!isObject(given) || typeof given["key"] !== "string" || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(given["key"])) return [];
  const { key, prompt, url } = given;
  return [
    {
      name: key,
      prompt: typeof prompt === "string" ? prompt : key,
      url: typeof url === "string" && url !== "" ? url : undefined,
    },
  ];
}
