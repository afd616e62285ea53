import { ToolFailure, UserError, type ToolContext, type WebProvider } from "hermes-agent/plugin";

export type Ability = "search" | "extract";

/** Order of preference if several services can do it and none is configured. */
const ORDER = ["firecrawl", "parallel", "tavily", "exa", "searxng", "brave-free", "ddgs"];

/**
 * Chooses the service: the one that `web.search_backend` or `web.extract_backend` names, else the one that `web.backend`
 * names if it can do it, else the only one, else the first available one. `undefined` when none is.
 * @throws {ToolFailure} `unavailable` if a named service cannot be used: no other gets the query in its place.
 */
export async function chooseService(
  ability: Ability,
  call: Pick<ToolContext, "config" | "use">,
): Promise<WebProvider | undefined> {
  const named = [
    [`web.${ability}_backend`, call.config(`web.${ability}_backend`)],
    ["web.backend", call.config("web.backend")],
  ] as const;
  for (const [path, name] of named) {
    if (typeof name !== "string" || name === "") continue;
    const service = await call.use("web", name).catch((cause: unknown) => {
      throw unusable(path, name, cause);
    });
    if ((await service.is_available()) !== true) throw unusable(path, name);
    if (await can(service, ability)) return service;
    if (path !== "web.backend")
      throw new ToolFailure("unavailable", `${path} is "${name}", which ${CANNOT[ability]}.`, {
        hint: `Set ${path} to another service, or empty it.`,
      });
  }
  for (const id of [undefined, ...ORDER]) {
    const service = await call.use("web", id).catch(() => undefined);
    if (service !== undefined && (await service.is_available()) === true && (await can(service, ability)))
      return service;
  }
  return undefined;
}

const CANNOT = { search: "cannot search", extract: "only searches and cannot read pages" } as const;

function unusable(path: string, name: string, cause?: unknown): ToolFailure {
  const why =
    cause instanceof UserError
      ? ` ${cause.message}${cause.hint === undefined ? "" : ` ${cause.hint}`}`
      : " It lacks its key or its address.";
  return new ToolFailure("unavailable", `${path} is "${name}", which cannot be used.${why}`, {
    hint: "The user can set it up or choose another one with `hermes setup web`.",
    cause,
  });
}

async function can(service: WebProvider, ability: Ability): Promise<boolean> {
  return ability === "search"
    ? service.search !== undefined && (await service.supports_search?.()) !== false
    : service.extract !== undefined && (await service.supports_extract?.()) === true;
}
