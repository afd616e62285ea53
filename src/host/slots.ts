import { UserError } from "../contract/failure.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { Logger } from "../contract/logger.ts";
import { SLOT_POLICY, type SlotName, type Slots } from "../contract/slot.ts";
import { Registry } from "../engine/registry.ts";

/** A provider known by its data; its code comes when it is first used. */
export interface SlotEntry<S extends SlotName = SlotName> {
  readonly id: string;
  readonly label: string | undefined;
  /** What the provider says of itself that is data: `aliases`, `keyEnv`, `isolated`. */
  readonly data: JsonObject;
  /** Same promise every time. */
  load(): Promise<Slots[S]>;
}

/** Where configuration says which provider of a slot is in use. */
const CHOSEN_BY: { readonly [S in SlotName]?: { readonly path: string; readonly unless?: readonly string[] } } = {
  terminal: { path: "terminal.backend" },
  model: { path: "model.provider", unless: ["auto"] },
  memory: { path: "memory.provider" },
  context: { path: "context.engine" },
  image_gen: { path: "image_gen.provider" },
  video_gen: { path: "video_gen.provider" },
  web: { path: "web.backend" },
  browser: { path: "browser.cloud_provider" },
  tts: { path: "tts.provider" },
  stt: { path: "stt.provider" },
};

/** All providers by slot, and which one is in use. */
export class SlotDesk {
  readonly #registries: { readonly [S in SlotName]: Registry<SlotEntry<S>> };
  readonly #config: (path: string) => Json | undefined;

  constructor(ports: { readonly log: Logger; readonly config: (path: string) => Json | undefined }) {
    this.#config = ports.config;
    this.#registries = Object.fromEntries(Object.keys(SLOT_POLICY).map((slot) => [slot, new Registry(`${slot} provider`, ports.log)])) as never;
  }

  add<S extends SlotName>(slot: S, entry: SlotEntry<S>, owner: string): Disposable {
    if (!Object.hasOwn(this.#registries, slot)) throw new UserError(`There is no slot "${slot}".`, { hint: `Slots: ${Object.keys(SLOT_POLICY).join(", ")}.` });
    return this.#registries[slot].add(entry.id, entry, owner);
  }

  list<S extends SlotName>(slot: S): readonly (SlotEntry<S> & { readonly owner: string })[] {
    return this.#registries[slot].list().map(({ value, owner }) => ({ ...value, owner }));
  }

  /** By id or alias. */
  get<S extends SlotName>(slot: S, id: string): SlotEntry<S> | undefined {
    const wanted = id.toLowerCase();
    return this.#registries[slot].get(id) ?? this.#registries[slot].list().find(({ value }) => value.id.toLowerCase() === wanted || aliasesOf(value).includes(wanted))?.value;
  }

  /** What configuration picks; `undefined` when it leaves the choice open. */
  chosen(slot: SlotName): string | undefined {
    const by = CHOSEN_BY[slot];
    if (by === undefined) return undefined;
    const { path, unless } = by;
    const id = this.#config(path);
    return typeof id === "string" && id !== "" && !unless?.includes(id) ? id : undefined;
  }

  /**
   * The provider of that id, else the one configuration picks, else the only one.
   * Rejects with {@link UserError} that names what there is.
   */
  async use<S extends SlotName>(slot: S, id?: string): Promise<Slots[S]> {
    const all = this.#registries[slot].list();
    const wanted = id ?? this.chosen(slot);
    const names = all.length === 0 ? "none" : all.map(({ name }) => name).join(", ");
    if (wanted === undefined) {
      if (all.length === 1) return all[0]!.value.load();
      throw new UserError(`No ${slot} provider is chosen.`, { hint: CHOSEN_BY[slot] === undefined ? `Name one of: ${names}.` : `Set ${CHOSEN_BY[slot].path} to one of: ${names}.`, exitCode: 78 });
    }
    const entry = this.get(slot, wanted);
    if (entry === undefined) {
      const where = id === undefined ? ` (${CHOSEN_BY[slot]?.path})` : "";
      throw new UserError(`There is no ${slot} provider "${wanted}"${where}.`, { hint: `There is: ${names}.`, exitCode: 78 });
    }
    return entry.load();
  }
}

function aliasesOf(entry: SlotEntry): readonly string[] {
  const { aliases } = entry.data;
  return Array.isArray(aliases) ? aliases.map((alias) => String(alias).toLowerCase()) : [];
}
