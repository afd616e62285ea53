import type { McpServer } from "@agentclientprotocol/sdk/unstable";

/**
 * A notice about MCP servers that the editor passes: Hermes uses a server's tools only after the owner has consented to
 * them, and an editor cannot consent for the owner.
 */
export function serversUnused(servers: readonly McpServer[] = []): readonly string[] {
  if (servers.length === 0) return [];
  const names = servers.map(({ name }) => `"${name}"`).join(", ");
  return [
    `Hermes does not use the editor's MCP ${servers.length === 1 ? "server" : "servers"} ${names}. Add ${servers.length === 1 ? "it" : "them"} to Hermes and consent to the tools: \`hermes mcp add NAME\`.`,
  ];
}
