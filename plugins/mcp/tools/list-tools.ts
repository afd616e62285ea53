import type { Client } from "@modelcontextprotocol/client";
import type { Json, JsonObject } from "hermes-agent/plugin";
import { ask } from "../server/server-prompts.ts";
import { cleanDefinition, plainText, type ListedTool } from "./clean-definition.ts";

/** The tools, resources and prompts that a server offers. */
export interface Listing {
  readonly tools: readonly ListedTool[];
  readonly has: readonly ("resources" | "prompts")[];
  /** Tools that cannot be offered, each with its reason. */
  readonly refused: readonly string[];
}

const MAX_TOOLS = 200;
const MAX_PAGES = 50;
/** Maximum number of skipped tools that are reported one by one. */
const MAX_REPORTED = 10;

/** Reads all pages and checks each tool separately, so that an invalid one does not affect the others. */
export async function listOffer(client: Client, pageMs: number): Promise<Listing> {
  const offered = client.getServerCapabilities();
  const has = (["resources", "prompts"] as const).filter((each) => offered?.[each] !== undefined);
  if (offered?.tools === undefined) return { tools: [], has, refused: [] };
  const tools = new Map<string, ListedTool>();
  const refused: string[] = [];
  let over = 0;
  let cursor: Json | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = (await ask(
      client,
      "tools/list",
      cursor === undefined ? {} : { cursor },
      AbortSignal.timeout(pageMs),
    )) as JsonObject | null;
    for (const given of Array.isArray(answer?.["tools"]) ? answer["tools"] : []) {
      const cleaned = cleanDefinition(given);
      if (cleaned.kind === "refused") refused.push(`"${cleaned.name}": ${cleaned.reason}`);
      else if (tools.size >= MAX_TOOLS && !tools.has(cleaned.tool.name)) over += 1;
      else {
        if (isOther(tools.get(cleaned.tool.name), cleaned.tool))
          refused.push(`the first "${plainText(cleaned.tool.name, 60)}": it is listed twice`);
        tools.set(cleaned.tool.name, cleaned.tool);
      }
    }
    cursor = answer?.["nextCursor"];
    if (typeof cursor !== "string" || cursor === "") break;
  }
  const more = refused.length - MAX_REPORTED;
  const message = [
    ...refused.slice(0, MAX_REPORTED),
    ...(more > 0 ? [`${more} more invalid tools`] : []),
    ...(over > 0 ? [`${over} tools beyond the first ${MAX_TOOLS}`] : []),
  ];
  return { tools: [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), has, refused: message };
}

function isOther(before: ListedTool | undefined, now: ListedTool): boolean {
  return before !== undefined && JSON.stringify(before) !== JSON.stringify(now);
}
