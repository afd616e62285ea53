import type { Json, JsonObject } from "../../contract/common/json.ts";
import { judgeHop, MAX_REDIRECTS } from "../urls/judge-hop.ts";
import { type Answerer, textOf, WrongQuestion } from "./question.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/**
 * `{url, resolve?: {host: [[ip, …], …]}, redirects?: {url: location}, secrets?: […]}` →
 * `{verdict: allowed | blocked, reason, pinned?}`: would it be fetched, every redirect followed? Each look-up of a host
 * takes its next list of addresses, and the last one stays. Without `resolve` names are judged by their text alone.
 */
export const answerUrl: Answerer = async (question) => {
  const redirects = mapOf(question["redirects"], "redirects");
  const policy = { secrets: listOf(question["secrets"], "secrets") };
  const lookup =
    question["resolve"] === undefined || question["resolve"] === null
      ? undefined
      : takeInTurn(mapOf(question["resolve"], "resolve"));
  let location = textOf(question, "url")!;
  let from: URL | undefined;
  for (let hops = 0; ; hops++) {
    const hop = await judgeHop(location, policy, lookup, from);
    if (hop.kind === "blocked")
      return {
        verdict: "blocked",
        reason: from === undefined ? hop.reason : `After a redirect by ${from.host}: ${hop.reason}`,
        key: hop.key,
      };
    const next = redirects[location] ?? redirects[hop.url.href] ?? redirects[hop.url.href.replace(/\/$/, "")];
    if (typeof next !== "string") return definedFields({ verdict: "allowed", reason: "", pinned: hop.pinned });
    if (hops >= MAX_REDIRECTS)
      return { verdict: "blocked", reason: `It redirects more than ${MAX_REDIRECTS} times.`, key: "redirects" };
    location = next;
    from = hop.url;
  }
};

function takeInTurn(answers: JsonObject): (host: string) => readonly string[] {
  const byHost = new Map(
    Object.entries(answers).map(([host, lists]) => [host.toLowerCase().replace(/\.$/, ""), lists] as const),
  );
  const asked = new Map<string, number>();
  return (host) => {
    const lists = byHost.get(host);
    if (!Array.isArray(lists)) return [];
    const turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    // `["1.2.3.4"]` for `[["1.2.3.4"]]`: one list that stays.
    if (lists.every((item) => typeof item === "string")) return lists as readonly string[];
    return listOf((lists as readonly Json[]).at(Math.min(turn, lists.length - 1)), "resolve");
  };
}

function mapOf(value: Json | undefined, field: string): JsonObject {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new WrongQuestion(`"${field}" must be a map`);
  return value as JsonObject;
}

function listOf(value: Json | undefined, field: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    throw new WrongQuestion(`"${field}" must be a list of texts`);
  return value as readonly string[];
}
