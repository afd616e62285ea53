import { UserError } from "hermes-agent/plugin";
import { claudeMarketplaceSource } from "./claude-marketplace.ts";
import { clawhubSource } from "./clawhub.ts";
import { githubSource } from "./github.ts";
import { lobehubSource } from "./lobehub.ts";
import { SOURCE_IDS, type SkillSource, type SourceId, type SourcePorts } from "./skill-source.ts";

/** The enabled sources (`skills.sources`), in display order. */
export function allSources(ports: SourcePorts): readonly SkillSource[] {
  const github = githubSource(ports);
  const all = [github, claudeMarketplaceSource(ports, github), clawhubSource(ports), lobehubSource(ports)];
  const chosen = ports.settings["sources"];
  return Array.isArray(chosen) ? all.filter(({ id }) => chosen.includes(id)) : all;
}

/** The one that an identifier belongs to. @throws {UserError} where it is switched off. */
export function sourceFor(identifier: string, ports: SourcePorts): SkillSource {
  const id = prefixed(identifier) ?? "github";
  const source = allSources(ports).find((one) => one.id === id);
  if (source === undefined)
    throw new UserError(`Source ${id} is disabled: skills.sources does not include it.`, { exitCode: 78 });
  return source;
}

/** `clawhub/…` means ClawHub; a repository of an owner with that name needs its full address. */
function prefixed(identifier: string): SourceId | undefined {
  return SOURCE_IDS.find((id) => id !== "github" && identifier.startsWith(`${id}/`));
}
