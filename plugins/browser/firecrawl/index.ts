import type { Plugin } from "hermes-agent/plugin";
import { browserProvider } from "../browser-provider.ts";

const DEFAULT_SECONDS = 300;

/** Firecrawl's browsers. Its key is one of its web search too, so they are used only where the settings name them. */
const register: Plugin = (ctx) => {
  ctx.register_browser_provider(
    browserProvider(
      {
        name: "firecrawl",
        label: "Firecrawl",
        tag: "browsers in its cloud, five minutes each by default",
        needs: [
          { key: "FIRECRAWL_API_KEY", prompt: "Firecrawl API key", url: "https://www.firecrawl.dev/app/api-keys" },
        ],
        addressKeys: ["cdpUrl"],
        aboutLimits: "The Firecrawl plan limits open sessions. FIRECRAWL_BROWSER_TTL sets how long one lasts.",
        place: () => ({
          configured: "FIRECRAWL_API_URL",
          base: ctx.env("FIRECRAWL_API_URL") || "https://api.firecrawl.dev",
          headers: { authorization: `Bearer ${ctx.env("FIRECRAWL_API_KEY") ?? ""}` },
        }),
        async begin(ask) {
          const seconds = Number.parseInt(ctx.env("FIRECRAWL_BROWSER_TTL") ?? "", 10);
          const message = await ask("/v2/browser", {
            ttl: seconds > 0 ? Math.min(3_600, Math.max(30, seconds)) : DEFAULT_SECONDS,
          });
          if (message.status < 200 || message.status >= 300) throw message.refusal();
          return { answer: message.answer, features: { firecrawl: true } };
        },
        end: (id) => ({ path: `/v2/browser/${id}`, method: "DELETE" }),
      },
      ctx,
    ),
  );
};

export default register;
