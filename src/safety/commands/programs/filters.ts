import type { Call, Program } from "../evaluate/call.ts";
import { holdsSecret } from "../risk/carried-secrets.ts";
import { derived, type Flow, isBlank, join, NOTHING, UNSEEN } from "../risk/effect.ts";
import { isKnown, quietGlobs } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { sedText } from "../evaluate/sed-text.ts";
import { decodeBase32, decodeBase64, decodeHex, joinLines, squeeze, translate } from "../parse/text-tools.ts";

/** The content of the named files as far as this script wrote them; without files, the input. */
export function contents(files: readonly string[], call: Call): Flow {
  if (files.length === 0 || (files.length === 1 && files[0] === "-")) return call.stdin;
  let out: Flow = NOTHING;
  for (const file of files)
    out = join(
      out,
      file === "-"
        ? call.stdin
        : (call.by.written(file, call) ?? (isBlank(file) ? { ...UNSEEN, blank: true } : UNSEEN)),
    );
  return { ...out, from: "pipe" };
}

/** The encoded form of a longer text has several lines, which are not followed. */
const MAX_ENCODED = 30;

/** `paste -s` joins lines. The output for several files is not followed. */
export const paste: Program = (call) => {
  const options = parseOptions(call.args, { short: "d", long: ["delimiters"] });
  for (const file of options.operands) if (file !== "-") call.by.read(file, call);
  const input = contents(options.operands, call);
  const text =
    options.has("s", "serial") &&
    !options.has("z") &&
    options.operands.length < 2 &&
    input.text !== undefined &&
    isKnown(input.text)
      ? joinLines(input.text, options.value("d", "delimiters") ?? "\t")
      : undefined;
  return { ...derived(input), text, decoded: input.decoded || text !== undefined };
};

/** tac prints the last line first. */
export const tac: Program = (call) => {
  const options = parseOptions(call.args, { short: "s", long: ["separator"] });
  for (const file of options.operands) call.by.read(file, call);
  const input = contents(options.operands, call);
  const text = options.has("s", "r", "b", "separator")
    ? undefined
    : input.text
        ?.split(/(?<=\n)/)
        .toReversed()
        .join("");
  return { ...derived(input), text, decoded: input.decoded || text !== undefined };
};

export const decode =
  (kind: "base64" | "base32" | "hex"): Program =>
  (call) => {
    const options = parseOptions(call.args, {
      short: "wicls",
      long: ["wrap", "input", "output", "seek", "len", "cols"],
    });
    const decodes = options.has("d", "D", "decode", "r", "revert");
    const files = options.operands.slice(0, 1);
    for (const file of [...files, ...options.values("i", "input")]) call.by.read(file, call);
    for (const file of [
      ...options.values("o", "output"),
      ...(kind === "hex" && options.operands[1] ? [options.operands[1]] : []),
    ])
      call.by.write(file, call);
    const input = contents(files, call);
    if (!decodes) {
      const plain =
        input.text !== undefined &&
        isKnown(input.text) &&
        input.text.length < MAX_ENCODED &&
        call.args.every((arg) => arg === "-p" || !arg.startsWith("-"));
      const encoded =
        !plain || (kind === "hex" && !call.args.includes("-p")) || kind === "base32"
          ? undefined
          : Buffer.from(input.text).toString(kind);
      return { ...derived(input), text: encoded === undefined ? undefined : `${encoded}\n` };
    }
    const text =
      input.text === undefined || !isKnown(input.text)
        ? undefined
        : kind === "base64"
          ? decodeBase64(input.text)
          : kind === "base32"
            ? decodeBase32(input.text)
            : decodeHex(input.text);
    return { text, decoded: true, remote: input.remote, secret: input.secret, from: "pipe" };
  };

export const decompress: Program = (call) => {
  const options = parseOptions(call.args, { short: "S" });
  for (const file of options.operands) call.by.read(file, call, { shown: false });
  const stdout =
    options.has("c", "stdout", "to-stdout") || options.operands.length === 0 || call.program.endsWith("cat");
  if (!stdout) for (const file of options.operands) call.by.write(file.replace(/\.\w+$/, "") || file, call);
  const input = contents(options.operands, call);
  return {
    text: undefined,
    decoded:
      call.program.endsWith("cat") ||
      call.program.startsWith("un") ||
      call.program.startsWith("gun") ||
      options.has("d", "decompress") ||
      input.decoded,
    remote: input.remote,
    secret: stdout && options.operands.some((file) => holdsSecret(file, call)) ? "archive" : input.secret,
    from: "pipe",
  };
};

export const sed: Program = (call) => {
  const options = parseOptions(call.args, { short: "efl", long: ["expression", "file", "line-length"] });
  const inPlace = options.has("i", "in-place", "I") || call.args.some((arg) => /^-[nErsuz]*i/.test(arg));
  const given = options.values("e", "expression");
  const scripts = given.length > 0 ? given : options.has("f", "file") ? [] : options.operands.slice(0, 1);
  const files = given.length > 0 || options.has("f", "file") ? options.operands : options.operands.slice(1);
  for (const script of scripts) judgeSedScript(script, call);
  for (const file of files) {
    if (inPlace) call.by.write(file, call, "edit");
    else call.by.read(file, call);
  }
  const input = contents(files, call);
  const plain = !inPlace && !options.has("z", "s", "f", "file", "separate", "null-data");
  const text =
    plain && input.text !== undefined ? sedText(input.text, scripts, options.has("n", "quiet", "silent")) : undefined;
  return {
    ...derived(input),
    text,
    decoded: input.decoded,
    processes: input.processes && !options.has("n", "quiet", "silent"),
  };
};

/** Commands of sed that run programs (`e`, `s///e`) or write files (`w`). */
function judgeSedScript(script: string, call: Call): void {
  for (const line of script.split(/[\n;]/)) {
    const command = line
      .trim()
      .replace(
        /^(?:\d+|\$|\/(?:[^/\\]|\\.)*\/I?|\\(.)(?:(?!\1).)*\1)?(?:,(?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?\s*!?\s*\{?\s*/,
        "",
      );
    const substitution = /^s(.)((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1([a-zA-Z0-9]*)\s*(.*)$/s.exec(command);
    if (substitution) {
      const flags = substitution[4]!;
      if (flags.includes("e")) call.by.harm("option-runs", `sed runs the text it made (${command.slice(0, 60)})`);
      if (flags.includes("w")) call.by.write(substitution[5]!.trim(), call);
    } else if (/^e(\s|$)/.test(command)) {
      call.by.harm("option-runs", `sed runs ${command.slice(1).trim() || "its input"}`);
      call.by.script(command.slice(1), call);
    } else if (/^[wW]\s/.test(command)) call.by.write(command.slice(1).trim(), call);
    else if (/^[rR]\s*[~/.\w]/.test(command)) call.by.read(command.slice(1).trim(), call);
  }
}

export const tr: Program = (call) => {
  const options = parseOptions(call.args);
  const [from, to] = options.operands;
  const input = call.stdin;
  if (input.text === undefined || from === undefined)
    return {
      ...derived(input),
      blank: input.blank,
      decoded:
        input.decoded ||
        (to !== undefined &&
          from !== undefined &&
          from.length > 2 &&
          input.from !== "inherit" &&
          !from.startsWith("[:")),
    };
  const text = options.has("d", "delete")
    ? translate(input.text, from, undefined)
    : options.has("s", "squeeze-repeats")
      ? to === undefined && !options.has("c", "C", "complement")
        ? squeeze(input.text, quietGlobs(from))
        : undefined
      : translate(input.text, quietGlobs(from), to);
  return { ...derived(input), text, decoded: true };
};

export const rev: Program = (call) => {
  const options = parseOptions(call.args);
  for (const file of options.operands) call.by.read(file, call);
  const input = contents(options.operands, call);
  return {
    ...derived(input),
    text: input.text
      ?.split("\n")
      .map((line) => [...line].toReversed().join(""))
      .join("\n"),
    decoded: true,
  };
};
