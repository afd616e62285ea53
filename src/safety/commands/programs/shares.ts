import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { parseOptions } from "../parse/options.ts";

/** A folder that a server shares with any client: a home, or a folder around one, exposes secrets. */
export function shares(place: string, call: Call): void {
  call.by.read(place, call, { recursive: true });
  for (const path of call.by.paths(place, call.state))
    if (/^\/(etc|root|home|Users|var|proc)?$/.test(path) || path === call.by.home)
      call.by.harm("secret-send", `${call.program} serves all files in ${path}`);
}

/** File servers and their options for the shared folder; without one, the first operand is the folder. */
const server =
  (...options: readonly string[]): Program =>
  (call) => {
    const parsed = parseOptions(call.args, {
      short: `pPbB${options.filter((name) => name.length === 1).join("")}`,
      long: ["port", "host", "bind", "listen", ...options.filter((name) => name.length > 1)],
    });
    for (const place of [...parsed.values(...options), ...parsed.operands])
      if (/[/~.]/.test(place) && !/^\w+:\/\/(?!\/)/.test(place)) shares(place.replace(/^file:\/\//, ""), call);
    return UNSEEN;
  };

/** Programs that record the screen, the clipboard or the microphone, which are private to the user. */
const captures: Program = (call) => {
  const runs = call.args.find((_, i) => /^(-e|--exec)$/.test(call.args[i - 1] ?? ""));
  if (runs !== undefined) {
    call.by.harm("option-runs", `${call.program} runs ${runs}`);
    call.by.script(runs, call);
  }
  const file = call.args.findLast((arg) => /\.\w{3,4}$/.test(arg));
  const flow: Flow = { text: undefined, secret: "file", from: "pipe" };
  if (file !== undefined) call.by.write(file, call, "create", flow);
  return flow;
};

const clipboard: Program = (call) => {
  const pastes = call.program.endsWith("paste") || call.args.some((arg) => /^-{1,2}(o|out|output)$/.test(arg));
  if (!pastes) {
    // Any program can paste the clipboard.
    if (call.stdin.secret) call.by.harm("secret-send", `${call.program} puts secrets on the clipboard`);
    for (const file of call.args.filter((arg) => /^[~/.]/.test(arg))) call.by.read(file, call, { shown: true });
  }
  return pastes ? { text: undefined, secret: "file", from: "pipe" } : UNSEEN;
};

const names = (list: string, program: Program): Readonly<Record<string, Program>> =>
  Object.fromEntries(list.split(" ").map((name) => [name, program]));

/** Programs that share local files or the screen. */
export const SHARES: Readonly<Record<string, Program>> = {
  ...names(
    "serve http-server live-server miniserve darkhttpd sfz dufs simple-http-server static-server ghttpd webfsd thttpd mini_httpd httpd-static",
    server("h", "d", "root", "directory"),
  ),
  ...names(
    "screencapture gnome-screenshot grim scrot maim flameshot spectacle xwd import ksnip screenshot fbgrab arecord",
    captures,
  ),
  ...names("pbpaste pbcopy xclip xsel wl-paste wl-copy clip.exe", clipboard),
};
