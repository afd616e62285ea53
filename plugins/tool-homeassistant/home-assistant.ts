import {
  definedFields,
  ToolFailure,
  objectOf,
  type Json,
  type JsonObject,
  type ToolContext,
  parseExact,
} from "hermes-agent/plugin";

export type HomeCall = Pick<ToolContext, "config" | "env" | "fetch" | "signal">;

const ENTITY = /^[a-z_][a-z0-9_]*\.[a-z0-9_]+$/;
const WORD = /^[a-z][a-z0-9_]*$/;
/** Domains whose services run arbitrary commands, code or requests on the Home Assistant machine. */
const BLOCKED: ReadonlySet<string> = new Set([
  "shell_command",
  "command_line",
  "python_script",
  "pyscript",
  "hassio",
  "rest_command",
]);

/** Sends one REST API request to the configured server. @throws {ToolFailure} for every refusal. */
async function ask(path: string, call: HomeCall, body?: JsonObject): Promise<Json> {
  const base = String(call.config("homeassistant.url") ?? "").replace(/\/+$/, "");
  const reply = await call.fetch(`${base}/api/${path}`, {
    headers: definedFields({
      authorization: `Bearer ${call.env("HASS_TOKEN") ?? ""}`,
      accept: "application/json",
      "content-type": body === undefined ? undefined : "application/json",
    }),
    body: body === undefined ? undefined : JSON.stringify(body),
    setting: "url",
    maxRedirects: 0,
    signal: call.signal,
  });
  if (reply.status >= 200 && reply.status < 300) return (await reply.json()) as Json;
  const output = await reply.text().catch(() => "");
  if (reply.status === 401 || reply.status === 403)
    throw new ToolFailure("unavailable", "Home Assistant rejected the token in HASS_TOKEN.", {
      hint: "The user can create a long-lived access token in the Home Assistant profile.",
    });
  throw new ToolFailure(
    reply.status === 404 ? "not_found" : "refused",
    `Home Assistant answered ${reply.status}${wordsOf(output)}`,
  );
}

export async function listEntities(
  { domain, area }: { readonly domain?: string | undefined; readonly area?: string | undefined },
  call: HomeCall,
): Promise<JsonObject> {
  const wanted = area?.trim().toLowerCase() ?? "";
  const named = (text: Json | undefined): boolean => typeof text === "string" && text.toLowerCase().includes(wanted);
  const entities = listOf(await ask("states", call)).filter(({ entity_id, attributes }) => {
    const { friendly_name, area: inArea } = objectOf(attributes);
    return (
      typeof entity_id === "string" &&
      (domain === undefined || entity_id.startsWith(`${domain.trim().toLowerCase()}.`)) &&
      (wanted === "" || named(friendly_name) || named(inArea))
    );
  });
  return { result: { count: entities.length, entities: entities.map(shortOf) } };
}

export async function getState(id: string, call: HomeCall): Promise<JsonObject> {
  const entity = entityOf(id);
  try {
    const { entity_id, state, attributes, last_changed, last_updated } = objectOf(await ask(`states/${entity}`, call));
    return {
      result: {
        entity_id: entity_id ?? entity,
        state: state ?? null,
        attributes: attributes ?? {},
        last_changed: last_changed ?? null,
        last_updated: last_updated ?? null,
      },
    };
  } catch (cause) {
    if (!(cause instanceof ToolFailure) || cause.code !== "not_found") throw cause;
    throw new ToolFailure("not_found", `Home Assistant has no entity "${entity}".`, {
      hint: "ha_list_entities lists the entities.",
      cause,
    });
  }
}

export async function listServices(domain: string | undefined, call: HomeCall): Promise<JsonObject> {
  const wanted = domain?.trim().toLowerCase();
  const domains = listOf(await ask("services", call)).filter(
    (one) =>
      typeof one["domain"] === "string" &&
      !BLOCKED.has(one["domain"]) &&
      (wanted === undefined || one["domain"] === wanted),
  );
  return {
    result: {
      count: domains.length,
      domains: domains.map((one) => ({
        domain: one["domain"]!,
        services: Object.fromEntries(
          Object.entries(objectOf(one["services"])).map(([name, service]) => [name, serviceOf(service)]),
        ),
      })),
    },
  };
}

export interface ServiceInput {
  readonly domain: string;
  readonly service: string;
  readonly entity_id?: string | undefined;
  readonly data?: Json | undefined;
}

export async function callService(input: ServiceInput, call: HomeCall): Promise<JsonObject> {
  const { domain, service, data } = readService(input);
  const changed = await ask(`services/${domain}/${service}`, call, data);
  return {
    result: { success: true, service: `${domain}.${service}`, affected_entities: listOf(changed).map(shortOf) },
  };
}

/** Checks the arguments. @throws {ToolFailure} for invalid ones and for services that may never be called. */
export function readService(input: ServiceInput): {
  readonly domain: string;
  readonly service: string;
  readonly data: JsonObject;
} {
  const [domain, service] = [input.domain.trim(), input.service.trim()];
  if (!WORD.test(domain) || !WORD.test(service))
    throw new ToolFailure("bad_arguments", `"${domain}.${service}" is not a Home Assistant service.`, {
      hint: "Example: domain light, service turn_on. ha_list_services lists the services.",
    });
  if (BLOCKED.has(domain))
    throw new ToolFailure(
      "blocked",
      `Services of ${domain} run commands on the Home Assistant machine, so this tool never calls them.`,
    );
  const data = dataOf(input.data);
  return {
    domain,
    service,
    data:
      input.entity_id === undefined || input.entity_id.trim() === ""
        ? data
        : { ...data, entity_id: entityOf(input.entity_id) },
  };
}

/** Entity IDs in `data` count like `entity_id`. */
function dataOf(given: Json | undefined): JsonObject {
  if (given === undefined || given === null || given === "") return {};
  let data: Json = given;
  if (typeof given === "string") {
    try {
      data = parseExact(given) as Json;
    } catch (cause) {
      throw new ToolFailure("bad_arguments", "data is not valid JSON.", {
        hint: 'Example: {"brightness": 120}',
        cause,
      });
    }
  }
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw new ToolFailure("bad_arguments", "data is not a JSON object.", { hint: 'Example: {"brightness": 120}' });
  const ids = (data as JsonObject)["entity_id"];
  if (ids === undefined) return data as JsonObject;
  return {
    ...(data as JsonObject),
    entity_id: (Array.isArray(ids) ? (ids as readonly Json[]) : String(ids).split(",")).map((id) =>
      entityOf(String(id)),
    ),
  };
}

function entityOf(id: string): string {
  const entity = id.trim();
  if (!ENTITY.test(entity))
    throw new ToolFailure("bad_arguments", `"${entity.slice(0, 100)}" is not an entity ID.`, {
      hint: "Example: light.kitchen. ha_list_entities lists the entities.",
    });
  return entity;
}

function shortOf({ entity_id, state, attributes }: JsonObject): JsonObject {
  const { friendly_name } = objectOf(attributes);
  return { entity_id: entity_id ?? "", state: state ?? null, friendly_name: friendly_name ?? "" };
}

function serviceOf(service: Json | undefined): JsonObject {
  const { description, fields } = objectOf(service);
  const reported = Object.entries(objectOf(fields)).map(
    ([name, field]) => [name, objectOf(field)["description"] ?? ""] as const,
  );
  return definedFields({
    description: description ?? "",
    fields: reported.length === 0 ? undefined : Object.fromEntries(reported),
  });
}

function wordsOf(output: string): string {
  let message: Json | undefined;
  try {
    message = objectOf(JSON.parse(output) as Json)["message"];
  } catch {
    message = output.startsWith("<") ? undefined : output; // Home Assistant may refuse in plain text; an HTML page comes from a proxy.
  }
  return typeof message === "string" && message.trim() !== ""
    ? `: ${message.replaceAll(/\s+/g, " ").trim().slice(0, 300)}`
    : ".";
}

function listOf(value: Json): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).map(objectOf) : [];
}
