import { UserError } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { nearest } from "../../contract/common/nearest.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Slots } from "../../contract/plugins/slot.ts";
import { IS_PAID, SLOT_POLICY, type SlotName } from "../../contract/plugins/slot-name.ts";
import { Registry } from "../../engine/tools/registry.ts";

/** A provider known by its data; its code comes when it is first used. */
export interface SlotEntry<S extends SlotName = SlotName> {
  readonly id: string;
  readonly label: string | undefined;
  /** Data of the provider: `aliases`, `keyEnv`, `isolated`. */
  readonly data: JsonObject;
  /** Returns the same promise on every call. */
  load(): Promise<Slots[S]>;
}

interface ChosenBy {
  readonly path: string;
  /** The path without a provider. */
  readonly unless?: readonly string[];
  /** Without a choice the first of these that is there is in use, and no other, be it the only one. */
  readonly first?: readonly string[];
  /** In use only where there is no other, and without it nothing is the only one. */
  readonly last?: string;
}

/** Where configuration says which provider of a slot is in use. */
const CHOSEN_BY: { readonly [S in SlotName]?: ChosenBy } = {
  terminal: { path: "terminal.backend" },
  model: { path: "model.provider", unless: ["auto"] },
  memory: { path: "memory.provider" },
  context: { path: "context.engine" },
  image_gen: { path: "image_gen.provider" },
  video_gen: { path: "video_gen.provider" },
  web: { path: "web.backend", last: "ddgs" },
  // A session costs money, and the key of others may be there for something else.
  browser: { path: "browser.cloud_provider", unless: ["local"], first: ["browser-use", "browserbase"] },
  tts: { path: "tts.provider" },
  stt: { path: "stt.provider" },
};

export interface SlotPorts {
  readonly log: Logger;
  config(path: string): Json | undefined;
  /** Why the plugin that would give the provider (`browser/browserbase`) does not run, if there is such a plugin. */
  waiting?(provider: string): string | undefined;
}

/** Wraps a provider so that each of its paid requests has a row in the ledger. */
export type BillProvider = <S extends SlotName>(
  slot: S,
  id: string,
  provider: Slots[S],
) => Promise<Slots[S]> | Slots[S];

/** All providers by slot, and which one is in use. */
export class SlotRegistry {
  readonly #registries: { readonly [S in SlotName]: Registry<SlotEntry<S>> };
  readonly #config: SlotPorts["config"];
  readonly #waiting: NonNullable<SlotPorts["waiting"]>;
  #bill: BillProvider | undefined;

  constructor(ports: SlotPorts) {
    this.#config = ports.config;
    this.#waiting = ports.waiting ?? (() => undefined);
    this.#registries = Object.fromEntries(
      Object.keys(SLOT_POLICY).map((slot) => [slot, new Registry(`${slot} provider`, ports.log)]),
    ) as never;
  }

  add<S extends SlotName>(slot: S, entry: SlotEntry<S>, owner: string): Disposable {
    if (!Object.hasOwn(this.#registries, slot))
      throw new UserError(`There is no slot "${slot}".`, { hint: `Slots: ${Object.keys(SLOT_POLICY).join(", ")}.` });
    return this.#registries[slot].add(entry.id, this.#billed(slot, entry), owner);
  }

  /** From now on, providers are handed out as `bill` returns them. */
  billBy(bill: BillProvider): void {
    this.#bill = bill;
  }

  /** The entry with a provider that enters its paid requests into the ledger. */
  #billed<S extends SlotName>(slot: S, entry: SlotEntry<S>): SlotEntry<S> {
    if (!IS_PAID[slot]) return entry;
    const billed = new WeakMap<Promise<Slots[S]>, Promise<Slots[S]>>();
    return {
      ...entry,
      load: () => {
        const loading = entry.load();
        const bill = this.#bill;
        if (bill === undefined) return loading;
        let loaded = billed.get(loading);
        if (loaded === undefined)
          billed.set(loading, (loaded = loading.then((provider) => bill(slot, entry.id, provider))));
        return loaded;
      },
    };
  }

  list<S extends SlotName>(slot: S): readonly (SlotEntry<S> & { readonly owner: string })[] {
    return this.#registries[slot].list().map(({ value, owner }) => ({ ...value, owner }));
  }

  /** The plugin that gives it. */
  ownerOf(slot: SlotName, id: string): string | undefined {
    return Object.hasOwn(this.#registries, slot) ? this.#registries[slot].owner(id) : undefined;
  }

  /** Finds a provider of a slot by id or alias. */
  get<S extends SlotName>(slot: S, id: string): SlotEntry<S> | undefined {
    const wanted = id.toLowerCase();
    return (
      this.#registries[slot].get(id) ??
      this.#registries[slot]
        .list()
        .find(({ value }) => value.id.toLowerCase() === wanted || aliasesOf(value).includes(wanted))?.value
    );
  }

  /** The configured provider; `undefined` when the configuration leaves it open. */
  chosen(slot: SlotName): string | undefined {
    const by = CHOSEN_BY[slot];
    if (by === undefined) return undefined;
    const { path, unless, first } = by;
    const id = this.#config(path);
    if (typeof id === "string" && unless?.includes(id.toLowerCase()) === true) return undefined;
    return typeof id === "string" && id !== "" ? id : first?.find((one) => this.get(slot, one) !== undefined);
  }

  /** The setting that chooses, and the word for none. */
  setting(slot: SlotName): { readonly path: string; readonly none?: string } | undefined {
    const { path, unless: [none] = [] } = CHOSEN_BY[slot] ?? {};
    return path === undefined ? undefined : { path, none };
  }

  /** Settings that name a provider which is not there, before anything fails for it. */
  misnamed(explain: (path: string) => { readonly source: string; readonly where?: string }): readonly Notice[] {
    return NAMED_ONLY.flatMap((slot) => {
      const [id, path] = [this.chosen(slot), CHOSEN_BY[slot]?.path ?? ""];
      const { source, where } = explain(path);
      if (id === undefined || source === "default" || this.get(slot, id) !== undefined) return [];
      const names = this.#registries[slot].list().map(({ name }) => name);
      const hint =
        this.#waiting(`${slot}/${id}`) ??
        `${meantHint(nearest(id, names))}Available: ${names.length === 0 ? "none" : names.join(", ")}.`;
      return [
        {
          level: "warning",
          text: `"${path}" is "${id}"${where === undefined ? "" : ` (${where})`}, but there is no such ${slot} provider.`,
          hint,
        },
      ];
    });
  }

  /** Whether there is one to be used: where none is by being the only one, the one that is chosen. */
  filled(slot: SlotName): boolean {
    if (CHOSEN_BY[slot]?.first === undefined) return this.list(slot).length > 0;
    const id = this.chosen(slot);
    return id !== undefined && this.get(slot, id) !== undefined;
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
      const others = all.length > 1 ? all.filter(({ name }) => name !== CHOSEN_BY[slot]?.last) : all;
      if (others.length === 1 && CHOSEN_BY[slot]?.first === undefined) return others[0]!.value.load();
      throw new UserError(`No ${slot} provider is selected.`, {
        hint:
          CHOSEN_BY[slot] === undefined ? `Name one of: ${names}.` : `Set ${CHOSEN_BY[slot].path} to one of: ${names}.`,
        exitCode: 78,
      });
    }
    const entry = this.get(slot, wanted);
    if (entry === undefined) {
      const where = id === undefined ? ` (${CHOSEN_BY[slot]?.path})` : "";
      const waits = this.#waiting(`${slot}/${wanted}`);
      throw new UserError(`There is no ${slot} provider "${wanted}"${where}.`, {
        hint: `${waits === undefined ? "" : `${waits}. `}Available: ${names}.`,
        exitCode: 78,
      });
    }
    return entry.load();
  }
}

/** Slots whose setting can only name a provider, and which no other code checks at startup. */
const NAMED_ONLY = ["terminal", "context", "browser"] as const;

function meantHint(meant: string | undefined): string {
  return meant === undefined ? "" : `Did you mean "${meant}"? `;
}

function aliasesOf(entry: SlotEntry): readonly string[] {
  const { aliases } = entry.data;
  return Array.isArray(aliases) ? aliases.map((alias) => String(alias).toLowerCase()) : [];
}
