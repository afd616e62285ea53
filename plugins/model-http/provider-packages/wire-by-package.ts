import type { ModelSettings } from "hermes-agent/plugin";

export type OwnWire = "chat_completions" | "anthropic_messages";
/** A wire that a package implements: one of four known wires, or another package by name. */
export type PackageWire = OwnWire | "codex_responses" | "gemini_generate_content" | { readonly package: string };

/**
 * The wire for a provider package: because our own client does not support it, or because the user chose the package.
 */
export function wireByPackage(
  own: OwnWire,
  { apiMode, client, baseUrl, package: named }: Pick<ModelSettings, "apiMode" | "client" | "baseUrl" | "package">,
): PackageWire | undefined {
  if (named !== undefined) return { package: named };
  if (apiMode === "codex_responses" || apiMode === "gemini_generate_content") return apiMode;
  if (apiMode === undefined && own === "chat_completions" && isGooglesOwn(baseUrl)) return "gemini_generate_content";
  return client === "package" ? own : undefined;
}

/** Whether this is Google's address without its OpenAI-compatible path. */
function isGooglesOwn(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false;
  const { hostname, pathname } = new URL(baseUrl);
  return hostname === "generativelanguage.googleapis.com" && !/\/openai\/?$/.test(pathname);
}
