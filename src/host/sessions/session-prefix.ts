import { existsSync } from "node:fs";
import { join } from "node:path";
import { TOOL_BRIDGE } from "../../contract/tools/deferred-tool.ts";
import type { ToolOffer } from "../../contract/providers/model.ts";
import type { SubagentTask } from "../../contract/conversation/subagent.ts";
import { definitions, type Definitions } from "../../engine/tools/definitions.ts";
import { deferTools, sourceOf } from "../../engine/tools/deferred-tools.ts";
import type { DispatchPorts, Prefix } from "../../engine/ports.ts";
import { buildPrefix } from "../../engine/transcript/prompt.ts";
import type { KnownMask } from "../../safety/secrets/known-values.ts";

export interface PrefixPorts {
  readonly dispatchPorts: DispatchPorts;
  readonly sources: PromptSources;
  readonly mask: KnownMask;
}

/** Sections of a new system prompt. */
export interface PromptSources {
  /** The agent's description from `SOUL.md`; undefined: our default text. */
  identity(): Promise<string | undefined>;
  /** Sections with what is remembered of the user. */
  remembered(sessionId: string, surface: string): Promise<readonly string[]>;
  /** The section that names skills; read if skills can be loaded. */
  skillIndex(
    offered: { readonly tools: ReadonlySet<string>; readonly toolsets: ReadonlySet<string> },
    surface: string,
  ): Promise<string>;
}

/** The inputs of a session's prefix, besides its model. */
export interface PrefixOf {
  readonly sessionId: string;
  /** Names of its tools. */
  readonly names: readonly string[];
  readonly remembering: boolean;
  /** A section that the chat or editor adds. */
  readonly place: string | undefined;
  /** Set for a subagent. */
  readonly task: SubagentTask | undefined;
}

/** The system prompt and the tools of a session. */
export async function buildSessionPrefix(
  ports: PrefixPorts,
  of: PrefixOf,
  {
    surface,
    prompter,
    contextTokens,
  }: { readonly surface: string; readonly prompter: boolean; readonly contextTokens?: number },
): Promise<Prefix> {
  const { clock, config, log } = ports.dispatchPorts;
  const timeZone = config("timezone");
  const day = { date: new Date(clock.now()), timeZone: typeof timeZone === "string" ? timeZone : undefined };
  const [{ offers, hidden }, own]: [Definitions, OwnSections] = await Promise.all([
    definitions(ports.dispatchPorts, { names: [...of.names, ...Object.values(TOOL_BRIDGE)], surface, prompter }),
    of.task === undefined ? ownSections(ports, of, surface) : { surface: SUBAGENT, identity: of.task.identity },
  ]);
  for (const { name, reason } of hidden) log.debug(`The tool "${name}" is not available: ${reason}`);
  const carried = deferTools(offers, {
    config,
    contextTokens,
    sourceOf: (name) => sourceOf(ports.dispatchPorts, name).source_name,
  });
  const ofTools =
    of.task === undefined && of.remembering
      ? await toolSections(
          ports,
          carried.map((offer) => offer.name),
        )
      : [];
  return buildPrefix({
    surface,
    ...own,
    extra: [...(await skillSections(ports, offers, surface)), ...(own.extra ?? []), ...ofTools],
    offers: carried,
    ...day,
  });
}

interface OwnSections {
  readonly surface?: string;
  readonly identity: string | undefined;
  readonly extra?: readonly string[];
}

/** The agent's description, the user's additions, and memories. */
async function ownSections(
  { sources, mask, dispatchPorts }: PrefixPorts,
  { sessionId, remembering, place }: PrefixOf,
  surface: string,
): Promise<OwnSections> {
  const [self, known] = await Promise.all([
    sources.identity(),
    remembering ? sources.remembered(sessionId, surface) : [],
  ]);
  const { config } = dispatchPorts;
  const extra = config("agent.system_prompt");
  const manner = config("display.personality");
  const chosen =
    typeof manner === "string" && manner !== ""
      ? (await import("../../contract/conversation/personality.ts")).chosenPersonality(config)
      : undefined;
  return {
    identity: self === undefined ? undefined : mask(self),
    extra: [
      ...(place === undefined || place === "" ? [] : [place]),
      ...(typeof extra === "string" && extra !== "" ? [extra] : []),
      ...(chosen === undefined ? [] : [chosen.prompt]),
      ...known,
    ].map((section) => mask(section)),
  };
}

/** Text from files that tools save in the home. Without such files, their code is not loaded. */
async function toolSections(
  { dispatchPorts, mask }: PrefixPorts,
  offered: readonly string[],
): Promise<readonly string[]> {
  const { tools, agentHome, config } = dispatchPorts;
  const asked = offered.filter(
    (name) => tools.get(name)?.declaration.promptFiles?.some((file) => existsSync(join(agentHome, file))) === true,
  );
  if (asked.length === 0) return [];
  const { promptSections } = await import("../../engine/transcript/prompt-sections.ts");
  return (await promptSections(dispatchPorts, asked, { agentHome, config })).map((section) => mask(section));
}

/** Without a tool that loads skills, the prompt names none. */
async function skillSections(
  { sources, mask, dispatchPorts: { tools } }: PrefixPorts,
  offers: readonly ToolOffer[],
  surface: string,
): Promise<readonly string[]> {
  if (!offers.some(({ name }) => tools.get(name)?.declaration.role === "skill")) return [];
  const names = offers.map(({ name }) => name);
  const index = await sources.skillIndex(
    { tools: new Set(names), toolsets: new Set(names.flatMap((name) => tools.get(name)?.declaration.toolset ?? [])) },
    surface,
  );
  return index === "" ? [] : [mask(index)];
}

/** The surface that a subagent's system prompt is written for. */
const SUBAGENT = "subagent";
