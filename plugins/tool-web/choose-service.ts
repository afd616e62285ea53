import type { ToolContext, WebProvider } from "hermes-agent/plugin";

export type Ability = "search" | "extract";

/** Where several could and none was chosen. */
const ORDER = ["firecrawl", "parallel", "tavily", "exa", "searxng", "brave-free", "ddgs"];

/**
 * The service for this: the one that `web.search_backend` or `web.extract_backend` names, else `web.backend`, else the only one, else the first
 * that can. One that is named and cannot is passed over. `undefined` when none can.
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
