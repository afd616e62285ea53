import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { App } from "../../../contract/services/app.ts";
import { jsonOfCommand, runPluginCommand, type Operations } from "../operations.ts";
import { listIn, route, textIn, type Asked, type Route } from "../route.ts";

/** MCP servers: the work of `hermes mcp`. */
export function mcpRoutes(operations: Operations): readonly Route[] {
  const json = ({ app, signal }: Asked, ...words: readonly string[]): Promise<unknown> =>
    jsonOfCommand(app, "mcp", { words: [...words, "--json"] }, signal);
  return [
    route("GET /api/mcp", async (asked) => {
      await asked.app.config.refresh();
      return json(asked, "list");
    }),
    operations.route("POST /api/mcp", ({ app, body }, { cli }) =>
      runPluginCommand(app, "mcp", { words: addWords(body) }, cli),
    ),
    route("POST /api/mcp/:name/test", (asked) => json(asked, "test", nameIn(asked))),
    route("GET /api/mcp/:name/tools", (asked) => json(asked, "configure", nameIn(asked))),
    route("PUT /api/mcp/:name/tools", (asked) => {
      const { body } = asked;
      return body["all"] === true
        ? json(asked, "configure", nameIn(asked), "--all")
        : json(asked, "configure", nameIn(asked), "--include", listIn(body, "include").join(","));
    }),
    route("POST /api/mcp/:name/switch", async (asked) => {
      const { app, body } = asked;
      await app.config.set(`mcp_servers.${nameIn(asked)}.enabled`, body["on"] === true ? "true" : "false");
    }),
    operations.route("POST /api/mcp/:name/accept", (asked, { cli }) =>
      runPluginCommand(
        asked.app,
        "mcp",
        { words: ["accept", nameIn(asked), ...(asked.body["yes"] === true ? ["--yes"] : [])] },
        cli,
      ),
    ),
    operations.route("POST /api/mcp/:name/login", (asked, { cli }) =>
      runPluginCommand(asked.app, "mcp", { words: ["login", nameIn(asked)] }, cli),
    ),
    route("DELETE /api/mcp/:name", (asked) => json(asked, "remove", nameIn(asked))),
  ];
}

/** A configured server. @throws {UserError} */
function nameIn({ app, params: [name = ""] }: Asked): string {
  if (isConfigured(app, name)) return name;
  throw new UserError(`There is no MCP server "${name}".`, { hint: "Load the page again: it may have been removed." });
}

function isConfigured({ config }: App, name: string): boolean {
  const servers = config.get("mcp_servers");
  return isObject(servers) && Object.hasOwn(servers, name);
}

/** The words of `hermes mcp add`. */
function addWords(body: Asked["body"]): readonly string[] {
  const options = (name: string, key: string): readonly string[] =>
    listIn(body, key).flatMap((value) => [`--${name}=${value}`]);
  const text = (key: string): string => (body[key] === undefined ? "" : textIn(body, key).trim());
  const [command, url] = [text("command"), text("url")];
  const args = listIn(body, "args");
  return [
    "add",
    ...(command === "" ? [] : [`--command=${command}`]),
    ...(url === "" ? [] : [`--url=${url}`]),
    ...options("env", "env"),
    ...options("header", "headers"),
    ...(body["oauth"] === true ? ["--auth=oauth"] : []),
    ...(body["unchecked"] === true ? ["--unchecked"] : []),
    "--",
    text("name"),
    ...(args.length === 0 ? [] : ["--args", ...args]),
  ];
}
