import { parseArgs } from "node:util";
import { UserError, type CliIo } from "hermes-agent/plugin";
import { COMMANDS } from "./commands.ts";
import type { SignInPorts } from "./sign-in.ts";
import { ACCESS, REFRESH } from "./tokens.ts";

const SIGN_IN_S = 300;

/** `hermes auth spotify …`. @returns the exit status. */
export async function spotifyCommand(ctx: SignInPorts, words: readonly string[], io: CliIo): Promise<number> {
  const { word, seconds, help } = read(words);
  if (help) {
    io.out(COMMANDS);
    return 0;
  }
  if (word === "login") {
    const { signIn } = await import("./sign-in.ts");
    await signIn(ctx, io, seconds * 1000);
    io.out("You are signed in to Spotify. The tools are available in the next session.\n");
    return 0;
  }
  const signedIn = (await ctx.secrets.read(REFRESH)) !== undefined;
  if (word === "status") {
    io.out(
      signedIn
        ? "You are signed in to Spotify.\n"
        : "You are not signed in to Spotify. Sign in with: hermes auth spotify login\n",
    );
    return signedIn ? 0 : 1;
  }
  await ctx.secrets.write({ [ACCESS]: undefined, [REFRESH]: undefined });
  io.out(
    signedIn
      ? "You are signed out of Spotify here. To revoke the app's access, visit https://www.spotify.com/account/apps\n"
      : "You were not signed in to Spotify.\n",
  );
  return 0;
}

function read(words: readonly string[]): { readonly word: string; readonly seconds: number; readonly help: boolean } {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...words],
      options: { timeout: { type: "string" }, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
  } catch (cause) {
    throw new UserError(cause instanceof Error ? cause.message : String(cause), {
      hint: "hermes auth spotify --help",
      exitCode: 2,
      cause,
    });
  }
  const [word = "login", ...more] = parsed.positionals;
  const seconds = Number(parsed.values.timeout ?? SIGN_IN_S);
  if (!["login", "status", "logout", "help"].includes(word) || more.length > 0)
    throw new UserError(`Unknown command "hermes auth spotify ${parsed.positionals.join(" ")}".`, {
      hint: "The commands are login, status and logout.",
      exitCode: 2,
    });
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UserError(`--timeout must be a number of seconds, not "${parsed.values.timeout}".`, { exitCode: 2 });
  return { word, seconds, help: parsed.values.help === true || word === "help" };
}
