import type { McpServer } from "@agentclientprotocol/sdk/unstable";

/**
 * What the editor's person is told of the MCP servers that it hands over: a server's tools are used once their owner has agreed to them, and
 * no editor can agree for them.
 */
export function serversUnused(servers: readonly McpServer[] = []): readonly string[] {
  if (servers.length === 0) return [];
  const names = servers.map(({ name }) => `"${name}"`).join(", ");
  return [
    `The editor's MCP ${servers.length === 1 ? "server" : "servers"} ${names} ${servers.length === 1 ? "is" : "are"} not used here: Hermes uses the MCP servers that it was given itself, once you have agreed to their tools (\`hermes mcp add NAME\`).`,
  ];
}
