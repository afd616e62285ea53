import type { ToolContext, WebProvider } from "hermes-agent/plugin";

export type Ability = "search" | "extract";

/** Order of preference if several services can do it and none is configured. */
const ORDER = ["firecrawl", "parallel", "tavily", "exa", "searxng", "brave-free", "ddgs"];

/**
 * Chooses the service: the one that `web.search_backend` or `web.extract_backend` names, else `web.backend`, else the
 * only one, else the first available one. Skips a configured service that is not available. `undefined` when none is.
 */
export async function chooseService(
  ability: Ability,
  call: Pick<ToolContext, "config" | "use">,
): Promise<WebProvider | undefined> {
  const named = [call.config(`web.${ability}_backend`), call.config("web.backend")].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
  for (const id of [...named, undefined, ...ORDER]) {
    const service = await call.use("web", id).catch(() => undefined);
    if (service !== undefined && (await can(service, ability))) return service;
  }
  return undefined;
}

async function can(service: WebProvider, ability: Ability): Promise<boolean> {
  if ((await service.is_available()) !== true) return false;
  return ability === "search"
    ? service.search !== undefined && (await service.supports_search?.()) !== false
    : service.extract !== undefined && (await service.supports_extract?.()) === true;
}
