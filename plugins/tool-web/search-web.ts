import { ToolFailure, objectOf, type Json, type ToolContext } from "hermes-agent/plugin";
import { chooseService } from "./choose-service.ts";

export interface Found {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly position: number;
}

/** The results of a search service, in its order, each truncated. */
export async function searchWeb(
  query: string,
  limit: number | undefined,
  call: Pick<ToolContext, "config" | "use" | "found">,
): Promise<{ readonly success: true; readonly data: { readonly web: readonly Found[] } }> {
  const failed = (code: string, message: string, hint?: string): ToolFailure =>
    new ToolFailure(code, message, { data: { success: false }, hint });
  if (query.trim() === "") throw failed("bad_arguments", "query is empty.");
  const service = await chooseService("search", call);
  if (service === undefined)
    throw failed("unavailable", "No web service can search.", "The user can set one up with `hermes setup web`.");
  const most = Math.min(100, Math.max(1, Math.trunc(limit ?? 5)));
  const answer = objectOf(await service.search!(query, { limit: most }));
  if (answer["success"] === false)
    throw failed(
      "failed",
      `The search by "${service.name}" failed: ${typeof answer["error"] === "string" ? answer["error"] : "it gave no reason."}`,
    );
  const { web } = objectOf(answer["data"]);
  if (!Array.isArray(web))
    throw failed("failed", `The web service "${service.name}" did not return a list of results.`);
  const found = (web as readonly Json[])
    .map(objectOf)
    .filter(({ url }) => typeof url === "string" && url !== "")
    .slice(0, most);
  // A service whose model writes the addresses could be made to write the query into one.
  if ((await service.composes_addresses?.()) !== true) call.found?.(found.map(({ url }) => url as string));
  return {
    success: true,
    data: {
      web: found.map(({ title, url, description }, at) => ({
        title: short(title, 300),
        url: short(url, 2_000),
        description: short(description, 1_000),
        position: at + 1,
      })),
    },
  };
}

function short(value: Json | undefined, chars: number): string {
  const text = typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
  return text.length > chars ? `${text.slice(0, chars - 1).toWellFormed()}…` : text;
}
