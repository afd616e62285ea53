import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Entity {
  readonly entity_id: string;
  state: string;
  readonly attributes: { readonly [name: string]: unknown };
}

export const HASS_TOKEN = "token-of-the-house-1234";

/** Home Assistant's REST API over a small house. */
export async function startHomeAssistant() {
  const house: Entity[] = [
    { entity_id: "light.kitchen", state: "off", attributes: { friendly_name: "Kitchen light", brightness: 0 } },
    { entity_id: "sensor.cellar", state: "12.5", attributes: { friendly_name: "Cellar temperature", area: "Kitchen" } },
    { entity_id: "lock.front_door", state: "locked", attributes: { friendly_name: "Front door" } },
  ];
  const received: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];
  const http = createServer(async (request, reply) => {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const path = request.url ?? "/";
    const json = (status: number, value: unknown): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${HASS_TOKEN}`)
      return void reply.writeHead(401, { "content-type": "text/plain" }).end("401: Unauthorized");
    received.push({
      method: request.method ?? "",
      path,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    });
    const [, api, kind, ...rest] = path.split("/");
    if (api !== "api") return json(404, {});
    if (kind === "states" && rest.length === 0) return json(200, house);
    if (kind === "states") {
      const found = house.find(({ entity_id }) => entity_id === rest[0]);
      return found === undefined
        ? json(404, { message: "Entity not found." })
        : json(200, {
            ...found,
            last_changed: "2026-11-23T00:00:00+00:00",
            last_updated: "2026-11-23T00:00:01+00:00",
            context: { id: "x" },
          });
    }
    if (kind === "services" && request.method === "GET")
      return json(200, [
        {
          domain: "light",
          services: {
            turn_on: {
              name: "Turn on",
              description: "Turns it on.",
              fields: { brightness: { description: "How bright.", selector: {} } },
            },
          },
        },
        { domain: "shell_command", services: { reboot: {} } },
      ]);
    const [domain, service] = rest;
    if (service === "explode") return json(400, { message: "Service light.explode not found" });
    const ids = [
      (JSON.parse(text || "{}") as { readonly entity_id?: string | readonly string[] }).entity_id ?? [],
    ].flat();
    const touched = house.filter(({ entity_id }) => ids.includes(entity_id));
    for (const one of touched)
      one.state = service === "unlock" ? "unlocked" : service === "turn_on" ? "on" : `${domain}.${service}`;
    json(200, touched);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    received: received as readonly (typeof received)[number][],
    stateOf: (id: string) => house.find(({ entity_id }) => entity_id === id)?.state,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
