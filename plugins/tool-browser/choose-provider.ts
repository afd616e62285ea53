import type { BrowserProvider, PluginContext } from "hermes-agent/plugin";

export type Chosen =
  /** The agent's browsers run on this machine. */
  | { readonly kind: "none" }
  | { readonly kind: "provider"; readonly name: string; readonly provider: BrowserProvider }
  /** One is named, and there is none of that name. */
  | { readonly kind: "missing"; readonly name: string; readonly reason: string };

/**
 * The service that runs the agent's browsers: the one that `browser.cloud_provider` names, else Browser Use or
 * Browserbase where its key is there, else none. `local` is none. One that is named is asked whether it can be used or
 * not, and says what it lacks.
 */
export async function chooseProvider(ctx: Pick<PluginContext, "setting" | "use">): Promise<Chosen> {
  const setting = ctx.setting("browser.cloud_provider");
  const named = typeof setting === "string" ? setting.trim() : "";
  if (named.toLowerCase() === "local") return { kind: "none" };
  try {
    const provider = await ctx.use("browser", named === "" ? undefined : named);
    if (named === "" && (await provider.is_available()) !== true) return { kind: "none" };
    return { kind: "provider", name: provider.display_name ?? provider.name, provider };
  } catch (cause) {
    const { message, hint } = cause as { readonly message: string; readonly hint?: string };
    return named === ""
      ? { kind: "none" }
      : { kind: "missing", name: named, reason: `${message}${hint === undefined ? "" : ` ${hint}`}` };
  }
}
