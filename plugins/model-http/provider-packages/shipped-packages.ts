/**
 * The packages of the four known wires, which ship with Hermes: in a container no one could approve an installation.
 * Each is loaded by the first request that needs it.
 */
const SHIPPED: { readonly [name: string]: () => Promise<unknown> } = {
  "@ai-sdk/anthropic": () => import("@ai-sdk/anthropic"),
  "@ai-sdk/google": () => import("@ai-sdk/google"),
  "@ai-sdk/openai": () => import("@ai-sdk/openai"),
  "@ai-sdk/openai-compatible": () => import("@ai-sdk/openai-compatible"),
};

/**
 * The exports of a package: of one that ships, or else of one that the user installed.
 *
 * @param installed Rejects with advice if the package is not installed.
 */
export function packageNamed(name: string, installed: (name: string) => Promise<unknown>): Promise<unknown> {
  return SHIPPED[name]?.() ?? installed(name);
}
