import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { SlotName } from "../../contract/plugins/slot-name.ts";
import { isBridge } from "../tools/deferred-tools.ts";
import { nearName, nearOnes } from "../arguments/near-name.ts";
import type { Candidate } from "../arguments/near-name.ts";
import type { Offered } from "../tools/offered-tools.ts";
import type { ToolEntry } from "../ports.ts";
import type { Registered, Registry } from "../tools/registry.ts";

export interface ToolFinder {
  /** @param offered Nothing else is found; `undefined`: every tool. */
  (name: string, offered: Offered | undefined): Registered<ToolEntry> | undefined;
}

/** Finds a tool by its name, a former name, or the name that the model probably meant. */
export function toolFinder(tools: Registry<ToolEntry>): ToolFinder {
  let generation = -1;
  let aliases = new Map<string, string>();

  function formerName(name: string): string | undefined {
    if (generation !== tools.generation) {
      generation = tools.generation;
      aliases = new Map(
        tools.list().flatMap((entry) => entry.value.declaration.aliases.map((alias) => [alias, entry.name] as const)),
      );
    }
    return aliases.get(name);
  }

  function get(name: string | undefined, offered: Offered | undefined): Registered<ToolEntry> | undefined {
    if (name === undefined || (offered !== undefined && !offered.has(name))) return undefined;
    const value = tools.get(name);
    return value === undefined ? undefined : { name, value, owner: tools.owner(name) ?? "" };
  }

  return (name, offered) =>
    get(name, offered) ?? get(formerName(name), offered) ?? get(nearName(name, candidates(tools, offered)), offered);
}

const MAX_NEAR = 8;
const MAX_SHOWN = 40;

/**
 * The failure for an unknown tool, with similar names, or else some of all names. For a tool that was offered earlier,
 * it says that the tool is gone.
 */
export function unknownTool(
  name: string,
  tools: Registry<ToolEntry>,
  offered: Offered | undefined,
  filled: (slot: SlotName) => boolean = () => true,
): Extract<ToolOutcome, { kind: "failed" }> {
  const able = candidates(tools, offered).filter(
    ({ name: one }) => tools.get(one)?.declaration.slots?.every(filled) !== false,
  );
  const near = nearOnes(name, able)
    .slice(0, MAX_NEAR)
    .map((candidate) => candidate.name);
  const gone =
    offered?.has(name) === true
      ? "It was offered in this session but is gone: its plugin was removed, changed or failed. `hermes plugins list` says why."
      : "";
  const others =
    able.length === 0
      ? "No tools are offered here."
      : near.length === 0
        ? offered === undefined || gone !== ""
          ? ""
          : `Offered tools: ${some(able)}.`
        : `Offered tools with similar names: ${near.join(", ")}.`;
  const hint = [gone, others].filter((sentence) => sentence !== "").join(" ");
  const shown = name.length > 100 ? `${name.slice(0, 99)}…` : name;
  return {
    kind: "failed",
    code: "unknown_tool",
    message: name === "" ? "The call names no tool." : `Unknown tool: ${shown}`,
    hint: hint === "" ? undefined : hint,
  };
}

function some(able: readonly Candidate[]): string {
  const names = able.map(({ name }) => name).sort();
  return names.length <= MAX_SHOWN
    ? names.join(", ")
    : `${names.slice(0, MAX_SHOWN).join(", ")} and ${names.length - MAX_SHOWN} more`;
}

function candidates(tools: Registry<ToolEntry>, offered: Offered | undefined): readonly Candidate[] {
  return tools
    .list()
    .flatMap(({ name, value }) =>
      (offered === undefined ? !isBridge(name) : offered.has(name)) ? [{ name, effect: value.declaration.effect }] : [],
    );
}
