import { defineTool, type EnvNeed, type Plugin } from "hermes-agent/plugin";

const NEEDS: readonly EnvNeed[] = [
  { name: "HASS_TOKEN", description: "Long-lived access token of Home Assistant, created on its profile page" },
];

/** Results are untrusted: media titles, mail subjects. */
const SHARED = {
  toolset: "homeassistant",
  emoji: "🏠",
  env: NEEDS,
  needsOneOf: ["env:HASS_TOKEN"],
  timeoutMs: 60_000,
  assess: () => ({ untrusted: { source: "Home Assistant" }, egress: [] }),
} as const;

/** Home Assistant tools over its REST API. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      ...SHARED,
      name: "ha_list_entities",
      description: "Lists smart home entities and their states.",
      input: {
        type: "object",
        properties: {
          domain: { type: "string", description: "light, sensor, climate …" },
          area: { type: "string", description: "Matches names" },
        },
      },
      effect: "read",
      execute: async (input, call) => (await import("./home-assistant.ts")).listEntities(input, call),
    }),
  );
  ctx.tool(
    defineTool({
      ...SHARED,
      name: "ha_get_state",
      description: "Shows a smart home entity with all attributes.",
      input: { type: "object", properties: { entity_id: { type: "string" } }, required: ["entity_id"] },
      effect: "read",
      execute: async ({ entity_id }, call) => (await import("./home-assistant.ts")).getState(entity_id, call),
    }),
  );
  ctx.tool(
    defineTool({
      ...SHARED,
      name: "ha_list_services",
      description: "Lists the services for ha_call_service, with their fields.",
      input: { type: "object", properties: { domain: { type: "string" } } },
      effect: "read",
      execute: async ({ domain }, call) => (await import("./home-assistant.ts")).listServices(domain, call),
    }),
  );
  ctx.tool(
    defineTool({
      ...SHARED,
      name: "ha_call_service",
      description: "Controls smart home devices.",
      input: {
        type: "object",
        properties: {
          domain: { type: "string" },
          service: { type: "string", description: "turn_on, set_temperature …" },
          entity_id: { type: "string" },
          data: { type: ["object", "string"], description: "As JSON" },
        },
        required: ["domain", "service"],
      },
      effect: "write",
      async assess(input) {
        const { riskOfService, reachOfService } = await import("./service-risk.ts");
        return {
          touches: [],
          untrusted: { source: "Home Assistant" },
          risk: riskOfService(input),
          egress: reachOfService(input),
        };
      },
      execute: async (input, call) => (await import("./home-assistant.ts")).callService(input, call),
    }),
  );
};

export default register;
