import { defineTool, ToolFailure, type Plugin } from "hermes-agent/plugin";
import { fetchWeather } from "./fetch-weather.ts";

export const weather = defineTool({
  name: "weather",
  toolset: "weather",
  description: "Get current weather for a location.",
  effect: "network",
  idempotent: true,
  emoji: "🌤️",
  timeoutMs: 30_000,
  env: [{ name: "WEATHER_API_KEY", description: "Key for weatherapi.com", secret: true }, { name: "WEATHER_BASE_URL" }],
  input: {
    type: "object",
    properties: {
      location: { type: "string", description: "City name or coordinates (e.g. 'London' or '51.5,-0.1')" },
      units: {
        type: "string",
        enum: ["metric", "imperial"],
        description: "Temperature units (default: metric)",
        default: "metric",
      },
    },
    required: ["location"],
  },
  available: (probe) =>
    probe.env("WEATHER_API_KEY") === undefined
      ? { ok: false, reason: "WEATHER_API_KEY is not set.", needs: ["WEATHER_API_KEY"] }
      : { ok: true },
  async execute({ location, units = "metric" }, call) {
    const key = call.env("WEATHER_API_KEY");
    if (key === undefined) throw new ToolFailure("unavailable", "WEATHER_API_KEY not configured");
    const found = await fetchWeather({ key, location, baseUrl: call.env("WEATHER_BASE_URL"), signal: call.signal });
    return { location: found.name, temp: units === "imperial" ? found.fahrenheit : found.celsius, units };
  },
});

const register: Plugin = (ctx) => {
  ctx.tool(weather);
};

export default register;
