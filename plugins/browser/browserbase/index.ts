import type { JsonObject, Plugin } from "hermes-agent/plugin";
import { browserProvider } from "../browser-provider.ts";
import { definedFields } from "hermes-agent/plugin";

/** Browserbase. If the plan does not include `keepAlive` or `proxies`, the session opens without it. */
const register: Plugin = (ctx) => {
  const on = (name: string, otherwise: boolean): boolean =>
    (ctx.env(name) || String(otherwise)).trim().toLowerCase() === "true";
  ctx.register_browser_provider(
    browserProvider(
      {
        name: "browserbase",
        label: "Browserbase",
        tag: "browsers with proxies and stealth",
        needs: [
          { key: "BROWSERBASE_API_KEY", prompt: "Browserbase API key", url: "https://www.browserbase.com/settings" },
          {
            key: "BROWSERBASE_PROJECT_ID",
            prompt: "Browserbase project ID",
            url: "https://www.browserbase.com/settings",
          },
        ],
        addressKeys: ["connectUrl"],
        aboutLimits:
          "The Browserbase plan limits open sessions. BROWSERBASE_KEEP_ALIVE=false and BROWSERBASE_PROXIES=false switch paid features off.",
        place: () => ({
          configured: "BROWSERBASE_BASE_URL",
          base: ctx.env("BROWSERBASE_BASE_URL") || "https://api.browserbase.com",
          headers: { "x-bb-api-key": ctx.env("BROWSERBASE_API_KEY") ?? "" },
        }),
        async begin(ask) {
          const wanted = {
            keepAlive: on("BROWSERBASE_KEEP_ALIVE", true),
            proxies: on("BROWSERBASE_PROXIES", true),
            advancedStealth: on("BROWSERBASE_ADVANCED_STEALTH", false),
          };
          const timeout = timeoutIn(ctx.env("BROWSERBASE_SESSION_TIMEOUT"));
          const bodyOf = ({ keepAlive, proxies, advancedStealth }: typeof wanted): JsonObject =>
            definedFields({
              projectId: ctx.env("BROWSERBASE_PROJECT_ID") ?? "",
              keepAlive: keepAlive || undefined,
              timeout,
              proxies: proxies || undefined,
              browserSettings: advancedStealth ? { advancedStealth } : undefined,
            });
          let message = await ask("/v1/sessions", bodyOf(wanted));
          for (const paid of ["keepAlive", "proxies"] as const) {
            if (message.status !== 402 || !wanted[paid]) continue;
            ctx.log.warning(`The Browserbase plan does not include ${paid}; opening the session without it.`);
            wanted[paid] = false;
            message = await ask("/v1/sessions", bodyOf(wanted));
          }
          if (message.status < 200 || message.status >= 300) throw message.refusal();
          return {
            answer: message.answer,
            features: {
              basic_stealth: true,
              proxies: wanted.proxies,
              advanced_stealth: wanted.advancedStealth,
              keep_alive: wanted.keepAlive,
              custom_timeout: timeout !== undefined,
            },
          };
        },
        end: (id) => ({
          path: `/v1/sessions/${id}`,
          method: "POST",
          body: { projectId: ctx.env("BROWSERBASE_PROJECT_ID") ?? "", status: "REQUEST_RELEASE" },
        }),
      },
      ctx,
    ),
  );
};

/** Seconds, as the service takes them. */
function timeoutIn(text: string | undefined): number | undefined {
  const seconds = Number.parseInt(text ?? "", 10);
  return seconds > 0 ? Math.min(21_600, Math.max(60, seconds)) : undefined;
}

export default register;
