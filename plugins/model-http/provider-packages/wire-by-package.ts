import type { ModelSettings } from "hermes-agent/plugin";

export type OwnWire = "chat_completions" | "anthropic_messages";
/** Of another package than these four wires have: its name. */
export type PackageWire = OwnWire | "codex_responses" | "gemini_generate_content" | { readonly package: string };

/** The wire that a provider package is to speak: since our own client does not know it, or since a person wants the package. */
export function wireByPackage(
  own: OwnWire,
  { apiMode, client, baseUrl, package: named }: Pick<ModelSettings, "apiMode" | "client" | "baseUrl" | "package">,
): PackageWire | undefined {
  if (named !== undefined) return { package: named };
  if (apiMode === "codex_responses" || apiMode === "gemini_generate_content") return apiMode;
  if (apiMode === undefined && own === "chat_completions" && isGooglesOwn(baseUrl)) return "gemini_generate_content";
  return client === "package" ? own : undefined;
}

/** Google's address without its OpenAI-compatible door. */
function isGooglesOwn(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  const { hostname, pathname } = new URL(baseUrl);
  return hostname === "generativelanguage.googleapis.com" && !/\/openai\/?$/.test(pathname);
}
