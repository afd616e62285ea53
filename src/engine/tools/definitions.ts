import type { Availability, Probe } from "../../contract/common/availability.ts";
import type { Clock } from "../../contract/common/clock.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { ToolOffer } from "../../contract/providers/model.ts";
import type { SlotName } from "../../contract/plugins/slot-name.ts";
import type { AnyTool } from "../../contract/tools/tool.ts";
import { bounded } from "../async/bounded.ts";
import type { ToolEntry } from "../ports.ts";
import { offeredSchema } from "./offered-schema.ts";
import type { Registered, Registry } from "./registry.ts";

export interface DefinitionPorts {
  readonly tools: Registry<ToolEntry>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether a slot has a provider. Absent: all have. */
  filled?(slot: SlotName): boolean;
  probe(owner: string, surface: { readonly name: string; readonly prompter: boolean }): Probe;
}

export interface Definitions {
  /** Sorted by name; equal registries give equal bytes. */
  readonly offers: readonly ToolOffer[];
  /** Known tools that are left out, and why. */
  readonly hidden: readonly { readonly name: string; readonly reason: string }[];
}

const CHECK_MS = 10_000;

/**
 * The tools of `names` that a model is offered: known, available here, and interactive only if a user is connected.
 * Never rejects. Checks run on every build, a check shared by several tools of a plugin once; all else is computed once
 * per tool.
 */
export async function definitions(
  ports: DefinitionPorts,
  options: { readonly names: Iterable<string>; readonly surface: string; readonly prompter: boolean },
): Promise<Definitions> {
  const wanted = new Set(options.names);
  const hidden: { name: string; reason: string }[] = [];
  const known = ports.tools.list().filter(({ name, value }) => {
    if (!wanted.has(name)) return false;
    if (!value.declaration.interactive || options.prompter) return true;
    hidden.push({ name, reason: "It needs a user to answer, but no one can be asked here." });
    return false;
  });
  const check = availabilityChecks(ports, { name: options.surface, prompter: options.prompter });
  const verdicts = await Promise.all(known.map((entry) => (mayLack(entry) ? check(entry) : AVAILABLE)));
  const survivors = known.filter((entry, at) => {
    const verdict = verdicts[at]!;
    if (!verdict.ok) hidden.push({ name: entry.name, reason: verdict.reason });
    return verdict.ok;
  });
  const offered: ReadonlySet<string> = new Set(survivors.map(({ name }) => name));
  const offers: ToolOffer[] = [];
  for (const entry of survivors) {
    const { dynamicDescription, mentions } = entry.value.declaration;
    if (!dynamicDescription)
      offers.push(
        mentions === undefined
          ? staticOffer(entry.value)
          : mentioning(
              staticOffer(entry.value),
              mentions.filter((name) => offered.has(name)),
            ),
      );
    else {
      const described = await dynamicOffer(entry, offered);
      if (typeof described !== "string") offers.push(described);
      else {
        ports.log.warning(
          `The description of the tool "${entry.name}" of "${entry.owner}" could not be built: ${described}`,
        );
        hidden.push({ name: entry.name, reason: described });
      }
    }
  }
  return { offers, hidden: hidden.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Availability of one tool as `definitions` sees it; for listings and for dispatch. Never rejects. */
export async function availabilityOf(
  ports: DefinitionPorts,
  entry: Registered<ToolEntry>,
  surface: { readonly name: string; readonly prompter: boolean },
): Promise<Availability> {
  return mayLack(entry) ? availabilityChecks(ports, surface)(entry) : AVAILABLE;
}

function mayLack({ value: { declaration } }: Registered<ToolEntry>): boolean {
  return (
    declaration.conditional ||
    declaration.slots !== undefined ||
    declaration.programs !== undefined ||
    declaration.needsOneOf !== undefined
  );
}

const AVAILABLE: Availability = { ok: true };

function availabilityChecks(
  ports: DefinitionPorts,
  surface: { readonly name: string; readonly prompter: boolean },
): (entry: Registered<ToolEntry>) => Promise<Availability> {
  const shared = new Map<string, Map<NonNullable<AnyTool["available"]>, Promise<Availability>>>();
  return async (entry) => {
    // Known without its code.
    const empty = entry.value.declaration.slots?.find((slot) => ports.filled?.(slot) === false);
    if (empty !== undefined) return { ok: false, reason: `No plugin provides ${empty}.` };
    const missing = await missingProgram(entry.value.declaration.programs ?? [], () =>
      ports.probe(entry.owner, surface),
    );
    if (missing !== undefined) return { ok: false, reason: `There is no ${missing} on PATH.`, needs: [missing] };
    const lacking = await noneOf(
      entry.value.declaration.needsOneOf,
      () => ports.probe(entry.owner, surface),
      (slot) => ports.filled?.(slot as SlotName) !== false,
    );
    if (lacking !== undefined) return { ok: false, reason: entry.value.declaration.needsHint ?? lacking };
    if (!entry.value.declaration.conditional) return AVAILABLE;
    try {
      const tool = await entry.value.load();
      if (tool.available === undefined) return AVAILABLE;
      const ofOwner = shared.get(entry.owner) ?? new Map<NonNullable<AnyTool["available"]>, Promise<Availability>>();
      shared.set(entry.owner, ofOwner);
      const running = ofOwner.get(tool.available) ?? ask(ports, tool, ports.probe(entry.owner, surface));
      ofOwner.set(tool.available, running);
      return await running;
    } catch (cause) {
      return { ok: false, reason: cause instanceof Error ? cause.message : String(cause) };
    }
  };
}

/** A remote environment's programs are known only when it is used. */
async function missingProgram(programs: readonly string[], probe: () => Probe): Promise<string | undefined> {
  if (programs.length === 0) return undefined;
  const { which, config } = probe();
  if (!["local", "", undefined].includes(config("terminal.backend") as string | undefined)) return undefined;
  for (const program of programs) if ((await which(program)) === undefined) return program;
  return undefined;
}

/** Why none of them is there, in words. */
async function noneOf(
  needs: readonly string[] | undefined,
  probe: () => Probe,
  filled: (slot: string) => boolean,
): Promise<string | undefined> {
  if (needs === undefined) return undefined;
  const { which, config, env } = probe();
  const there: { readonly [kind: string]: (name: string) => boolean | Promise<boolean> } = {
    setting: (path) => saysSomething(config(path)),
    env: (name) => env(name) !== undefined,
    slot: (slot) => filled(slot),
    program: async (name) => (await which(name)) !== undefined,
  };
  const named = needs.map(
    (need) =>
      /^(?:(?<kind>setting|env|slot):)?(?<name>.*)$/s.exec(need)!.groups as {
        readonly kind?: string;
        readonly name: string;
      },
  );
  for (const { kind = "program", name } of named) if (await there[kind]!(name)) return undefined;
  const unset = named.flatMap(({ kind, name }) =>
    kind === undefined ? [] : [kind === "slot" ? `no plugin provides ${name}` : `${name} is not set`],
  );
  const programs = named.flatMap(({ kind, name }) => (kind === undefined && !name.startsWith("/") ? [name] : []));
  const reasons = [...(programs.length === 0 ? [] : [`There is no ${programs.join(" or ")} on PATH`]), ...unset];
  const text = reasons.length < 2 ? reasons.join("") : `${reasons.slice(0, -1).join(", ")}, and ${reasons.at(-1)}`;
  return `${text.replace(/^no /, "No ")}.`;
}

function saysSomething(setting: Json | undefined): boolean {
  return isObject(setting) || Array.isArray(setting)
    ? Object.keys(setting).length > 0
    : ![undefined, null, "", false].includes(setting as string | undefined);
}

async function ask(ports: DefinitionPorts, tool: AnyTool, probe: Probe): Promise<Availability> {
  try {
    const answer = tool.available!(probe);
    if (!(answer instanceof Promise)) return answer;
    const ended = await bounded(answer, CHECK_MS, ports.clock);
    return ended.kind === "value"
      ? ended.value
      : { ok: false, reason: `Its availability check gave no answer within ${CHECK_MS / 1000} s.` };
  } catch (cause) {
    ports.log.warning(`The availability check of the tool "${tool.name}" threw; the tool counts as unavailable.`, {
      cause,
    });
    return {
      ok: false,
      reason: `Its availability check failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    };
  }
}

const staticOffers = new WeakMap<ToolEntry, ToolOffer>();

function staticOffer(entry: ToolEntry): ToolOffer {
  const known = staticOffers.get(entry);
  if (known !== undefined) return known;
  const { name, description, input } = entry.declaration;
  const offer = { name, description, parameters: offeredSchema(input) };
  staticOffers.set(entry, offer);
  return offer;
}

function mentioning(offer: ToolOffer, names: readonly string[]): ToolOffer {
  return { ...offer, description: offer.description.replace("%tools%", names.join(", ") || "none") };
}

async function dynamicOffer(entry: Registered<ToolEntry>, offered: ReadonlySet<string>): Promise<ToolOffer | string> {
  try {
    const { description } = await entry.value.load();
    const text = typeof description === "function" ? description(offered) : description;
    return { ...staticOffer(entry.value), description: text };
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
