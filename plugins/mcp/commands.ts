/** What `hermes mcp --help` prints. */
export const COMMANDS = `Usage: hermes mcp <command>

Connect the agent to MCP servers, which offer it more tools

Commands:
  list [--json]       Show the configured servers and their tools
  add NAME            Connect to a server, show what it offers, and add it:
                      --command PROGRAM [--env NAME=VALUE]... [--args ARGUMENT...]
                      --url ADDRESS [--header NAME=VALUE]... [--auth oauth] [--transport sse]
  remove NAME         Remove a server
  test NAME           Connect to a server and list its tools
  configure NAME      Show or choose the tools to offer: [--include A,B | --exclude A,B | --all]
  login NAME          Sign in to a server with auth: oauth
  accept NAME [--yes] Show what a server changed since you accepted it; --yes accepts the changes

Run "hermes mcp COMMAND --help" for details.
`;
