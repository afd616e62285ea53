/** What `hermes mcp --help` prints. */
export const COMMANDS = `hermes mcp COMMAND

  list                what is configured and what it offers
  add NAME            connect to a server, show what it offers, and keep it
  remove NAME         take it out
  test NAME           connect to it and list its tools
  configure NAME      choose which of its tools are offered
  accept NAME         look at what a server changed since you agreed to it, and take it on

hermes mcp COMMAND --help says more.
`;
