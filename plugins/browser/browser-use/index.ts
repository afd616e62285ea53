import type { Plugin } from "hermes-agent/plugin";
import { browserProvider } from "../browser-provider.ts";

/** Browser Use, by a key of one's own. */
const register: Plugin = (ctx) => {
  ctx.register_browser_provider(
    browserProvider(
      {
        name: "browser-use",
        label: "Browser Use",
        tag: "browsers in its cloud",
        needs: [
          {
            key: "BROWSER_USE_API_KEY",
            prompt: "Browser Use API key",
            url: "https://cloud.browser-use.com/new-api-key",
          },
        ],
        addressKeys: ["cdpUrl", "connectUrl"],
        aboutLimits: "The Browser Use dashboard shows the account's balance and session limit.",
        place: () => ({
          configured: "BROWSER_USE_BASE_URL",
          base: ctx.env("BROWSER_USE_BASE_URL") || "https://api.browser-use.com/api/v3",
          headers: { "x-browser-use-api-key": ctx.env("BROWSER_USE_API_KEY") ?? "" },
        }),
        async begin(ask) {
          const message = await ask("/browsers", {});
          if (message.status < 200 || message.status >= 300) throw message.refusal();
          return { answer: message.answer, features: { browser_use: true } };
        },
        end: (id) => ({ path: `/browsers/${id}`, method: "PATCH", body: { action: "stop" } }),
      },
      ctx,
    ),
  );
};

export default register;
