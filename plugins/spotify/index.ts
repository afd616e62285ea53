import type { CliIo, Plugin } from "hermes-agent/plugin";
import { catalogueTools } from "./catalogue-tools.ts";
import { COMMANDS } from "./commands.ts";
import { playerTools } from "./player-tools.ts";
import type { SpotifyPorts } from "./spotify-tool.ts";
import type { Tokens } from "./tokens.ts";

/** The seven tools of a Spotify account, and its sign-in. */
const register: Plugin = (ctx) => {
  let tokens: Promise<Tokens> | undefined;
  const ports: SpotifyPorts = {
    ctx,
    tokens: () => (tokens ??= import("./tokens.ts").then((module) => new module.Tokens(ctx))),
  };
  for (const tool of [...playerTools(ports), ...catalogueTools(ports)]) ctx.tool(tool);

  ctx.cli({
    name: "spotify",
    description: "Spotify: sign in, status, sign out",
    signsIn: true,
    input: { type: "object", properties: { words: { type: "array", items: { type: "string" } } } },
    raw: true,
    help: COMMANDS,
    run: async (input: { readonly words: readonly string[] }, io: CliIo) =>
      (await import("./spotify-command.ts")).spotifyCommand(ctx, input.words, io),
  });
};

export default register;
