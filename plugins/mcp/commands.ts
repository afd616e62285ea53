/** What `hermes mcp --help` prints. */
export const COMMANDS = `hermes mcp COMMAND

  list [--json]       what is configured and what it offers
  add NAME            connect to a server, show what it offers, and keep it:
                      --command PROGRAM [--env NAME=VALUE]... [--args ARGUMENT...]
                      --url ADDRESS [--header NAME=VALUE]... [--auth oauth] [--transport sse]
  remove NAME         take it out
  test NAME           connect to it and list its tools
  configure NAME      which of its tools are offered; [--include A,B | --exclude A,B | --all] chooses
  login NAME          sign in to a server with auth: oauth
  accept NAME [--yes] look at what a server changed since you agreed to it, and take it on

hermes mcp COMMAND --help says more.
`;
