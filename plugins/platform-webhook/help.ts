export const HELP = `Usage: hermes webhook COMMAND

  subscribe NAME     Add or replace a route (alias: add)
    --prompt TEXT          what the agent does; {a.b.c} names a value of the payload
    --events A,B           accept only these event types
    --description TEXT
    --skills A,B           skills that the agent follows
    --deliver TARGET       log, github_comment or a platform; default log
    --deliver-chat-id ID   chat of that platform; default its home channel
    --secret TEXT          default: a new random secret
    --deliver-only         send the prompt itself, without the agent
  list               List the routes (alias: ls)
  remove NAME        Remove a route (alias: rm)
  test NAME          Send a signed event to a route of the running gateway
    --payload JSON         default {"test": true}
`;
