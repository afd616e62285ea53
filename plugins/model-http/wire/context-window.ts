import { isObject, type JsonObject, type MeasuredWindow } from "hermes-agent/plugin";
import { addressOf, askedOf, headersOf, type Connection } from "./connection.ts";
import { send } from "./http.ts";
import { readJson } from "./read-json.ts";

/** What Ollama is asked to reserve for a model whose files name nothing smaller. It decides whether it does. */
const OLLAMA_NUM_CTX = 32_768;
const CONNECT_MS = 1_000;

/**
 * The window that a server really has for a model, asked in the ways of the common local servers: Ollama (`/api/ps`,
 * `/api/show`), LM Studio (`/api/v1/models`, `/api/v0/models`), llama.cpp (`/props`), and those that name it in
 * `/v1/models` (vLLM, SGLang and others). `undefined` if it says nothing.
 */
export async function contextWindow(connection: Connection, signal: AbortSignal): Promise<MeasuredWindow | undefined> {
  const ask = (path: string, body?: JsonObject) => asked(connection, path, body, signal);
  const { model } = connection.settings;
  const listed = await ask("/v1/models");
  const row = rowOf(model, listed);
  const kind = KINDS[connection.row.id] ?? KINDS[String(row?.["owned_by"])];
  // Only what the listing leaves open is asked.
  if (kind === "listing") return ofListing(row);
  const wants = (one: Kind): boolean => kind === undefined || kind === one;
  const [running, props, studio] = await Promise.all([
    wants("ollama") ? ask("/api/ps") : undefined,
    wants("llama.cpp") ? ask("/props") : undefined,
    wants("LM Studio") ? ask("/api/v1/models").then((answer) => answer ?? ask("/api/v0/models")) : undefined,
  ]);
  if (Array.isArray(running?.["models"])) return ofOllama(model, running["models"], await ask("/api/show", { model }));
  return ofLmStudio(model, studio) ?? ofLlamaCpp(props) ?? ofListing(row);
}

type Kind = "ollama" | "llama.cpp" | "LM Studio" | "listing";

/** By our names of services, and by the owners that servers put into their listings. */
const KINDS: { readonly [name: string]: Kind | undefined } = {
  ollama: "ollama",
  library: "ollama",
  llamacpp: "llama.cpp",
  lmstudio: "LM Studio",
  organization_owner: "LM Studio",
  vllm: "listing",
  sglang: "listing",
};

function rowOf(model: string, listed: JsonObject | undefined): JsonObject | undefined {
  const rows = (Array.isArray(listed?.["data"]) ? listed["data"] : []).filter(isObject);
  return rows.find(({ id }) => id === model) ?? (rows.length === 1 ? rows[0] : undefined);
}

function ofOllama(
  model: string,
  running: readonly unknown[],
  shown: JsonObject | undefined,
): MeasuredWindow | undefined {
  const info = isObject(shown?.["model_info"]) ? shown["model_info"] : {};
  const trained = Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  const longest = count(trained);
  const named = count(/^\s*num_ctx\s+(\d+)/m.exec(String(shown?.["parameters"] ?? ""))?.[1]);
  const loaded = running
    .filter(isObject)
    .find((row) => [row["model"], row["name"]].some((name) => sameModel(String(name), model)));
  const allocated = count(loaded?.["context_length"]);
  const tokens = allocated ?? named ?? longest;
  if (tokens === undefined) return undefined;
  return {
    tokens,
    // What is not loaded yet gets the server's default, which nothing tells.
    measured: allocated !== undefined || named !== undefined,
    advice: `Start Ollama with OLLAMA_CONTEXT_LENGTH=${Math.min(longest ?? OLLAMA_NUM_CTX, OLLAMA_NUM_CTX)}, or set num_ctx in the model's Modelfile, for more.`,
    options: { options: { num_ctx: named ?? Math.min(longest ?? OLLAMA_NUM_CTX, OLLAMA_NUM_CTX) } },
  };
}

/** `llama3` is `llama3:latest` there. */
function sameModel(name: string, wanted: string): boolean {
  const whole = (text: string): string => (text.includes(":") ? text : `${text}:latest`).toLowerCase();
  return whole(name) === whole(wanted);
}

function ofLmStudio(model: string, answer: JsonObject | undefined): MeasuredWindow | undefined {
  const rows = answer?.["models"] ?? answer?.["data"];
  if (!Array.isArray(rows)) return undefined;
  const row = rows.filter(isObject).find((one) => [one["key"], one["id"], one["model_key"]].includes(model));
  if (row === undefined) return undefined;
  const instances = Array.isArray(row["loaded_instances"]) ? row["loaded_instances"].filter(isObject) : [];
  const loaded = instances
    .map((one) => count(one["context_length"]) ?? count(isObject(one["config"]) && one["config"]["context_length"]))
    .filter((tokens) => tokens !== undefined);
  const allocated = loaded.length > 0 ? Math.min(...loaded) : count(row["loaded_context_length"]);
  const tokens = allocated ?? count(row["max_context_length"]);
  if (tokens === undefined) return undefined;
  return {
    tokens,
    measured: allocated !== undefined,
    advice: "Load the model in LM Studio with a larger context length for more.",
  };
}

/** `n_ctx` of a slot is the window of one request. */
function ofLlamaCpp(props: JsonObject | undefined): MeasuredWindow | undefined {
  const settings = props?.["default_generation_settings"];
  const tokens = count(isObject(settings) && settings["n_ctx"]) ?? count(props?.["n_ctx"]);
  return tokens === undefined
    ? undefined
    : { tokens, measured: true, advice: "Start llama-server with a larger --ctx-size, or fewer --parallel slots." };
}

const NAMES = ["max_model_len", "loaded_context_length", "context_length", "context_window", "max_context_length"];

function ofListing(row: JsonObject | undefined): MeasuredWindow | undefined {
  const meta = isObject(row?.["meta"]) ? row["meta"] : {};
  const tokens = count(meta["n_ctx"]) ?? NAMES.map((name) => count(row?.[name])).find((found) => found !== undefined);
  return tokens === undefined
    ? undefined
    : { tokens, measured: true, advice: "Start the server with a longer context (vLLM: --max-model-len) for more." };
}

function count(value: unknown): number | undefined {
  const tokens = typeof value === "string" ? Number(value) : value;
  return typeof tokens === "number" && Number.isInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/** The object that the server answers at a path below its root; `undefined` for anything else. Never rejects. */
async function asked(
  connection: Connection,
  path: string,
  body: JsonObject | undefined,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const key = connection.settings.apiKey?.trim() ?? "";
  const result = await send({
    service: askedOf(connection, "").service,
    method: body === undefined ? "GET" : "POST",
    url: addressOf(connection, (root) => `${root.replace(/\/(v1|api)(\/chat\/completions)?$/, "")}${path}`),
    headers: headersOf(connection, {
      accept: "application/json",
      ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    }),
    body: body === undefined ? undefined : JSON.stringify(body),
    connectMs: CONNECT_MS,
    signal,
    proxy: connection.proxy,
  });
  if (result.kind === "failure") return undefined;
  if (result.reply.status !== 200) {
    result.reply.release(true);
    return undefined;
  }
  try {
    const answer = await readJson(result.reply);
    return isObject(answer) ? answer : undefined;
  } catch {
    return undefined; // A page, or another service.
  }
}
