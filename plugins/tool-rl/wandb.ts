import { objectOf, ToolFailure, type Json, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { USUAL_WANDB, type Settings } from "./settings.ts";
import type { TrainingRun } from "./training-runs.ts";

/** What Weights & Biases knows of a run. */
export interface WandbRun {
  readonly url: string;
  readonly summary: JsonObject;
  readonly history: readonly Json[];
}

type Call = Pick<ToolContext, "env" | "fetch" | "signal">;

/** Where runs of the original go when nobody says. */
const USUAL_ENTITY = "nousresearch";
const SAMPLES = 10;
const ANSWER_MS = 20_000;

const QUERY = `query TrainingRun($entity: String!, $project: String!, $filters: JSONString, $samples: Int!) {
  viewer { entity }
  project(name: $project, entityName: $entity) {
    runs(filters: $filters, first: 1, order: "-created_at") {
      edges { node { name displayName state summaryMetrics history(samples: $samples) } }
    }
  }
}`;

/**
 * The run by its name; trainers put something behind it. Without an entity of the settings, that of the original and then that of the key.
 * @throws {ToolFailure} In words why it is not told.
 */
export async function findWandbRun(run: Pick<TrainingRun, "wandb_project" | "wandb_run_name">, { wandbUrl, wandbEntity }: Settings, call: Call): Promise<WandbRun> {
  const first = wandbEntity === "" ? USUAL_ENTITY : wandbEntity;
  const told = await ask(run, first, wandbUrl, call);
  const own = told.viewer;
  const second = told.node === undefined && wandbEntity === "" && own !== undefined && own !== first ? own : undefined;
  const { node } = second === undefined ? told : await ask(run, second, wandbUrl, call);
  if (node === undefined) throw new ToolFailure("not_found", `Weights & Biases has no run ${run.wandb_run_name} in ${[first, ...(second === undefined ? [] : [second])].map((entity) => `${entity}/${run.wandb_project}`).join(" or ")} yet.`);
  const rows = Array.isArray(node["history"]) ? (node["history"] as readonly Json[]) : [];
  const shown = wandbUrl === USUAL_WANDB ? "https://wandb.ai" : wandbUrl;
  return { url: `${shown}/${second ?? first}/${run.wandb_project}/runs/${String(node["name"])}`, summary: objectOf(decoded(node["summaryMetrics"])), history: rows.map(decoded) };
}

async function ask({ wandb_project: project, wandb_run_name: name }: Pick<TrainingRun, "wandb_project" | "wandb_run_name">, entity: string, base: string, { env, fetch, signal }: Call): Promise<{ readonly node: JsonObject | undefined; readonly viewer: string | undefined }> {
  const filters = JSON.stringify({ display_name: { $regex: `^${name.replaceAll(/[^\w-]/g, "\\$&")}` } });
  const reply = await fetch(`${base}/graphql`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`api:${env("WANDB_API_KEY") ?? ""}`).toString("base64")}`, "content-type": "application/json" },
    body: JSON.stringify({ query: QUERY, variables: { entity, project, filters, samples: SAMPLES } }),
    setting: "wandb_base_url",
    maxRedirects: 0,
    timeoutMs: ANSWER_MS,
    signal,
  });
  if (reply.status === 401 || reply.status === 403) throw new ToolFailure("unavailable", "Weights & Biases does not accept the key in WANDB_API_KEY.");
  if (reply.status !== 200) throw new ToolFailure("unreachable", `Weights & Biases answered ${reply.status}.`);
  const { data, errors } = objectOf(await reply.json());
  const said = Array.isArray(errors) ? objectOf((errors as readonly Json[])[0])["message"] : undefined;
  if (data === undefined || data === null) throw new ToolFailure("unreachable", typeof said === "string" ? `Weights & Biases refuses: ${said.slice(0, 300)}` : "Weights & Biases did not answer with what was asked.");
  const { viewer, project: found } = objectOf(data);
  const [edge] = (objectOf(objectOf(found)["runs"])["edges"] ?? []) as readonly Json[];
  const node = objectOf(edge)["node"];
  const own = objectOf(viewer)["entity"];
  return { node: node === undefined ? undefined : objectOf(node), viewer: typeof own === "string" && own !== "" ? own : undefined };
}

/** It sends JSON as text, with numbers that no JSON has. */
function decoded(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? null;
  try {
    return JSON.parse(value.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (found) => (found.startsWith('"') ? found : "null"))) as Json;
  } catch {
    return value.slice(0, 1_000);
  }
}
