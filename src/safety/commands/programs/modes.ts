import type { Call, Program } from "../evaluate/call.ts";
import { NOTHING } from "../risk/effect.ts";
import { isKnown } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";

export const chmod: Program = (call) => {
  // `-w` and `-x` are modes, not options.
  const modeFirst = call.args.findIndex((arg) => /^-[rwxXst]+$/.test(arg));
  const args =
    modeFirst >= 0 && !call.args.some((arg) => /^(\d{3,5}|[ugoa]*[-+=][rwxXst]*)$/.test(arg) && !arg.startsWith("-"))
      ? call.args.map((arg, index) => (index === modeFirst ? `a${arg}` : arg))
      : call.args;
  const options = parseOptions(args, { long: ["reference", "from"] });
  const mode = options.has("reference") ? "" : (options.operands[0] ?? "");
  judgeMode(
    mode,
    options.has("reference") ? options.operands : options.operands.slice(1),
    options.has("R", "recursive"),
    call,
  );
  return NOTHING;
};

export function judgeMode(mode: string, files: readonly string[], recursive: boolean, call: Call): void {
  const { worldWritable, setId } = readMode(mode);
  for (const file of files)
    for (const path of call.by.paths(file, call.state))
      call.by.add({ kind: "mode", path, recursive, mode, worldWritable, setId });
}

function readMode(mode: string): { worldWritable: boolean; setId: boolean } {
  if (!isKnown(mode)) return { worldWritable: true, setId: false };
  if (/^[=+]?[0-7]+$/.test(mode)) {
    const bits = Number.parseInt(mode.replace(/^[=+]/, ""), 8);
    return { worldWritable: (bits & 0o002) !== 0, setId: (bits & 0o6000) !== 0 };
  }
  let worldWritable = false;
  let setId = false;
  for (const clause of mode.split(",")) {
    const match = /^([ugoa]*)((?:[-+=][rwxXstugo]*)+)$/.exec(clause);
    if (!match) continue;
    const who = match[1]!;
    for (const action of match[2]!.matchAll(/([-+=])([rwxXstugo]*)/g)) {
      if (action[1] === "-") continue;
      if (action[2]!.includes("w") && (who.includes("o") || who.includes("a"))) worldWritable = true;
      if (action[2]!.includes("s") && who !== "o") setId = true;
      if (who.includes("o") && /[ug]/.test(action[2]!)) worldWritable = true;
    }
  }
  return { worldWritable, setId };
}

export const chown: Program = (call) => {
  const options = parseOptions(call.args, { long: ["reference", "from"] });
  const owner = options.has("reference") ? "" : (options.operands[0] ?? "");
  const files = options.has("reference") ? options.operands : options.operands.slice(1);
  for (const file of files)
    for (const path of call.by.paths(file, call.state))
      call.by.add({ kind: "owner", path, recursive: options.has("R", "recursive"), owner });
  return NOTHING;
};

const SET_MODES = new Set(["setfacl", "chattr", "chflags", "xattr", "setcap"]);

export const attributes: Program = (call) => {
  const options = parseOptions(call.args, { short: "mMxXv" });
  const grant = [...call.args].join(" ");
  if (call.program === "xattr" && /^-(\w*c\w*|\w*d\w*\s+com\.apple\.quarantine)\b/.test(grant))
    call.by.harm("system-config", `xattr ${grant} removes the quarantine mark of a download`);
  if (call.program === "setcap") call.by.harm("set-id", `setcap ${grant}`);
  if (call.program === "setfacl" && /\b(o|other)::?[r-]?w|\bu:nobody:.*w/.test(grant))
    call.by.harm("world-writable", `setfacl ${grant}`);
  const recursive = options.has("R", "recursive");
  for (const file of options.operands.slice(-1))
    for (const path of call.by.paths(file, call.state))
      call.by.add({
        kind: "mode",
        path,
        recursive,
        mode: SET_MODES.has(call.program) ? call.program : "",
        worldWritable: false,
        setId: false,
      });
  return NOTHING;
};
