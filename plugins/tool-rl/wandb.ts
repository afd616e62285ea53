import { isObject, objectOf, ToolFailure, type Json, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { USUAL_WANDB, type Settings } from "./settings.ts";
import type { TrainingRun } from "./training-runs.ts";

/** The data of a run at Weights & Biases. */
export interface WandbRun {
  readonly url: string;
  readonly summary: JsonObject;
  readonly history: readonly Json[];
}

type Call = Pick<ToolContext, "env" | "fetch" | "signal">;

/** The original's default entity. */
const USUAL_ENTITY = "nousresearch";
const SAMPLES = 10;
const ANSWER_MS = 20_000;

const WHOSE = "query Whose { viewer { entity } }";
const RUNS = `query TrainingRun($entity: String!, $project: String!, $filters: JSONString, $samples: Int!) {
  project(name: $project, entityName: $entity) {
    runs(filters: $filters, first: 1, order: "-created_at") {
      edges { node { name displayName state summaryMetrics history(samples: $samples) } }
    }
  }
}`;

/**
 * Finds the run by its name, to which trainers append a suffix. Without a configured entity, tries the original's and
 * then the key's.
 * @throws {ToolFailure} with the reason if it is not available.
 */
export async function findWandbRun(
  run: Pick<TrainingRun, "wandb_project" | "wandb_run_name">,
  { wandbUrl, wandbEntity }: Settings,
  call: Call,
): Promise<WandbRun> {
  const own = wandbEntity === "" ? objectOf((await ask(WHOSE, {}, wandbUrl, call))["viewer"])["entity"] : undefined;
  const entities =
    wandbEntity === ""
      ? [...new Set([USUAL_ENTITY, ...(typeof own === "string" && own !== "" ? [own] : [])])]
      : [wandbEntity];
  const filters = JSON.stringify({ display_name: { $regex: `^${run.wandb_run_name.replaceAll(/[^\w-]/g, "\\$&")}` } });
  let refused = "";
  for (const entity of entities) {
    try {
      const { project } = await ask(
        RUNS,
        { entity, project: run.wandb_project, filters, samples: SAMPLES },
        wandbUrl,
        call,
      );
      const [edge] = (objectOf(objectOf(project)["runs"])["edges"] ?? []) as readonly Json[];
      const node = objectOf(objectOf(edge)["node"]);
      if (typeof node["name"] === "string")
        return reportedRun(
          node,
          `${wandbUrl === USUAL_WANDB ? "https://wandb.ai" : wandbUrl}/${entity}/${run.wandb_project}/runs/${node["name"]}`,
        );
    } catch (cause) {
      // The error for a project that the key may not see varies.
      if (!(cause instanceof ToolFailure) || cause.code !== "refused") throw cause;
      refused = ` ${cause.message}`;
    }
  }
  throw new ToolFailure(
    "not_found",
    `Weights & Biases has no run ${run.wandb_run_name} in ${entities.map((entity) => `${entity}/${run.wandb_project}`).join(" or ")} yet.${refused}`,
  );
}

function reportedRun({ history, summaryMetrics }: JsonObject, url: string): WandbRun {
  return {
    url,
    summary: objectOf(decoded(summaryMetrics)),
    history: (Array.isArray(history) ? (history as readonly Json[]) : []).map(decoded),
  };
}

async function ask(
  query: string,
  variables: JsonObject,
  base: string,
  { env, fetch, signal }: Call,
): Promise<JsonObject> {
  const reply = await fetch(`${base}/graphql`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`api:${env("WANDB_API_KEY") ?? ""}`).toString("base64")}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ query, variables }),
    setting: "wandb_base_url",
    maxRedirects: 0,
    timeoutMs: ANSWER_MS,
    signal,
  });
  const text = await reply.text();
  if (reply.status === 401) throw new ToolFailure("unavailable", "Weights & Biases rejected the key in WANDB_API_KEY.");
  const { data, errors } = objectOf(parsed(text));
  const message = Array.isArray(errors) ? objectOf((errors as readonly Json[])[0])["message"] : undefined;
  if (typeof message === "string")
    throw new ToolFailure(
      "refused",
      `Weights & Biases refused the request: ${message.replaceAll(/\s+/g, " ").slice(0, 300)}`,
    );
  if (reply.status !== 200) throw new ToolFailure("unreachable", `Weights & Biases answered ${reply.status}.`);
  if (!isObject(data)) throw new ToolFailure("unreachable", "Weights & Biases's response was not valid.");
  return data;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null; // An HTML page of a proxy.
  }
}

/** Parses its JSON text, which may have numbers that are not valid JSON. */
function decoded(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? null;
  try {
    return JSON.parse(
      value.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) =>
        found.startsWith('"') ? found : "null",
      ),
    ) as Json;
  } catch {
    return value.slice(0, 1_000);
  }
}
