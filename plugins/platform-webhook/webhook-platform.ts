import type { Platform, PlatformConfig, PluginContext } from "hermes-agent/plugin";
import { platformSettings } from "hermes-agent/platform";

/** The members of the plugin context that it uses. */
export type WebhookContext = Pick<PluginContext, "env" | "fetch" | "home" | "log" | "chats" | "skills">;

export function webhookPlatform(ctx: WebhookContext): Platform {
  const env = (name: string): string | undefined => ctx.env(name);
  return {
    name: "webhook",
    label: "Webhooks",
    async adapter_factory({ extra, message, webhooks }: PlatformConfig) {
      const [{ WebhookAdapter }, { WebhookRoutes }] = await Promise.all([
        import("./webhook-adapter.ts"),
        import("./webhook-routes.ts"),
      ]);
      const settings = platformSettings(env, extra);
      const port = settings.number("WEBHOOK_PORT", "port", -1, 65_535);
      return new WebhookAdapter(
        {
          host: settings.text("", "host") || undefined,
          port: port < 0 ? undefined : port,
          maxBytes: settings.number("", "max_body_bytes", 1_048_576),
          rateLimit: settings.number("", "rate_limit", 30),
          githubToken: env("GITHUB_TOKEN") ?? "",
          githubUrl: settings.text("", "github_url", "https://api.github.com"),
        },
        {
          message,
          webhooks,
          routes: new WebhookRoutes(ctx.home, extra, settings.text("WEBHOOK_SECRET", "secret")),
          fetch: ctx.fetch,
          log: ctx.log,
          chats: () => ctx.chats(),
          async skill(name) {
            const found = (await ctx.skills.all()).find((one) => one.name === name && one.hidden === undefined);
            if (found === undefined) return undefined;
            const { readFile } = await import("node:fs/promises");
            return (await ctx.skills.head(await readFile(`${found.folder}/SKILL.md`, "utf8"))).body;
          },
        },
      );
    },
    env_enablement_fn: () => (platformSettings(env, {}).flag("WEBHOOK_ENABLED", "", false) ? {} : null),
    authenticates_senders: true,
    unattended: true,
    offers: ["pushed"],
    emoji: "🪝",
    first_step: "Add a route with `hermes webhook subscribe NAME`.",
    platform_hint:
      "A service sent an event. No user reads along or can answer questions. Your last message goes where the route delivers it.",
  };
}
