import type { Call, Program } from "../evaluate/call.ts";
import { holdsSecret } from "../risk/carried-secrets.ts";
import { type Flow, NOTHING, UNSEEN } from "../risk/effect.ts";
import { COMPUTED, isKnown, SECRET } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { optionHarms, TYPED_HARM } from "../risk/unknown-options.ts";
import { sendFile } from "./fetchers.ts";
import { namesMetadata } from "../risk/metadata-hosts.ts";
import { judgeSetting } from "./ssh.ts";
import { decodeBase64 } from "../parse/text-tools.ts";

const REMOTE: Flow = { text: undefined, remote: true, from: "pipe" };

/** A shell whose output goes to the network serves the other side. */
function refuseShell(call: Call): void {
  if (call.stdin.shell) call.by.harm("reverse-shell", `a shell's output goes to ${call.program}`);
}

const netcat: Program = (call) => {
  refuseShell(call);
  const options = parseOptions(call.args, {
    short: "ecgGiIoOpqsTVwXxmPb",
    long: ["exec", "sh-exec", "lua-exec", "source-port", "wait", "proxy"],
  });
  const runs =
    options.value("e", "c", "exec", "sh-exec", "lua-exec") ??
    (call.args.some((arg) => arg === "-e" || arg === "-c") ? "a program" : undefined);
  if (runs !== undefined && !(call.program === "nc" && options.has("c") && options.value("c") === undefined)) {
    call.by.harm("reverse-shell", `${call.program} connects ${runs} to the network`);
    call.by.script(runs, call);
  }
  call.by.network(options.operands.join(":"), true);
  if (options.operands.some(namesMetadata)) call.by.harm("cloud-metadata", options.operands.join(":"));
  if (call.stdin.secret) call.by.harm("secret-send", `${call.program} sends secrets`);
  for (const line of (call.stdin.text ?? "").split("\n"))
    if (TYPED_HARM.test(line)) call.by.harm("database-drop", `${call.program} ${options.operands.join(" ")}: ${line}`);
  return REMOTE;
};

const socat: Program = (call) => {
  refuseShell(call);
  for (const operand of call.args.filter((arg) => !arg.startsWith("-") || arg === "-")) {
    const runs = /^(?:EXEC|SYSTEM|SHELL)\s*:\s*"?([^",]*)/i.exec(operand);
    if (runs) {
      call.by.harm(
        "reverse-shell",
        `socat connects ${runs[1]} to ${call.args.filter((arg) => arg !== operand).join(" ")}`,
      );
      call.by.script(runs[1]!, call);
    }
    const file = /^(?:OPEN|CREATE|FILE|GOPEN)\s*:\s*([^,]+)/i.exec(operand);
    if (file) call.by.write(file[1]!, call);
  }
  call.by.network(call.args.join(" "), true);
  return REMOTE;
};

const telnet: Program = (call) => {
  refuseShell(call);
  optionHarms(call);
  for (const arg of call.args.flatMap((word) => word.split(/[\s;'"]+/)))
    if (/[/.~]/.test(arg) && !/^-|^\w+:\/\//.test(arg)) sendFile(arg, call);
  if (call.stdin.secret) call.by.harm("secret-send", `${call.program} sends secrets`);
  call.by.network(call.args.join(":"));
  return REMOTE;
};

const openssl: Program = (call) => {
  const verb = call.args[0] ?? "";
  const options = parseOptions(call.args.slice(1), {
    words: true,
    long: ["in", "out", "k", "pass", "connect", "inkey", "key", "engine", "K", "iv", "provider", "passin", "passout"],
  });
  for (const engine of options.values("engine", "provider-path"))
    if (engine.includes("/")) call.by.harm("option-runs", `openssl loads ${engine}`);
  for (const file of options.values("in", "inkey", "key"))
    call.by.read(file, call, { shown: options.has("text") || verb === "base64" });
  for (const file of options.values("out")) call.by.write(file, call);
  if (verb === "engine")
    for (const operand of options.operands)
      if (operand.includes("/")) call.by.harm("option-runs", `openssl loads ${operand}`);
  if (verb === "s_client") {
    refuseShell(call);
    call.by.network(options.value("connect") ?? "");
    return REMOTE;
  }
  const plain =
    (verb === "base64" || options.has("base64", "a")) &&
    options.has("d") &&
    call.stdin.text !== undefined &&
    isKnown(call.stdin.text) &&
    !options.has("in");
  return {
    text: plain && !options.has("k", "pass", "K") ? decodeBase64(call.stdin.text!) : undefined,
    decoded:
      (verb === "enc" || verb === "base64" || verb.startsWith("aes") || verb.startsWith("des")) && options.has("d"),
    remote: call.stdin.remote,
    secret:
      options.values("in").some((file) => holdsSecret(file, call)) &&
      !options.has("pubout", "noout", "d") &&
      /^(enc|base64|aes|des|camellia|chacha)/.test(verb)
        ? "archive"
        : call.stdin.secret,
    from: "pipe",
  };
};

const scp: Program = (call) => {
  const options = parseOptions(call.args, { short: "cFiJloPSXD" });
  const transport = options.value("S");
  if (transport !== undefined) call.by.harm("option-runs", `${call.program} -S runs ${transport}`);
  for (const option of options.values("o")) judgeSetting(option, call);
  for (const [, verb, first = "", second = first] of (call.program === "sftp" ? (call.stdin.text ?? "") : "").matchAll(
    /^[ \t]*(m?put|m?get)\s+(?:-\w+\s+)*(\S+)(?:[ \t]+(\S+))?/gm,
  ))
    if (verb!.endsWith("put")) sendFile(first, call);
    else call.by.write(second, call, "copy", REMOTE);
  const target = options.operands.at(-1) ?? "";
  const away = (place: string): boolean => /^[^/]*:/.test(place);
  for (const file of options.operands.slice(0, -1))
    if (!away(file)) call.by.read(file, call, { recursive: true, shown: away(target) });
  if (away(target)) call.by.network(target, true);
  else {
    call.by.network(options.operands[0] ?? "");
    call.by.write(target, call, "copy", REMOTE);
  }
  return NOTHING;
};

const sshKeygen: Program = (call) => {
  const options = parseOptions(call.args, { short: "abCDEFfIJjKMmNnOPRrSsTtVWwYZz" });
  const file = options.value("f");
  if (file !== undefined && !call.args.some((arg) => /^-[lyFRHi]/.test(arg))) call.by.write(file, call);
  if (call.args.includes("-D")) call.by.harm("option-runs", "ssh-keygen -D loads a library");
  return UNSEEN;
};

const sshCopyId: Program = (call) => {
  call.by.harm("credential-write", `ssh-copy-id ${call.args.join(" ")} gives a key access to another machine`);
  return NOTHING;
};

const mail: Program = (call) => {
  call.by.network("mail", true);
  const options = parseOptions(call.args, { short: "saAbcqrSue" });
  for (const file of [
    ...options.values("a", "A"),
    ...call.args.filter((_, i) => /^--?(attach\w*|body|data)$/.test(call.args[i - 1] ?? "")),
  ])
    if (/[/.~]/.test(file)) sendFile(file.replace(/^@/, ""), call);
  const settings = options.values("e").join(" ; ");
  if (/(^|[;\s])set\s+\w*(editor|command|sendmail|pager|shell|mailcap\w*)\s*=|[`!]|\|/.test(settings))
    call.by.harm("option-runs", `${call.program} -e ${settings}`);
  if (call.stdin.secret) call.by.harm("secret-send", `${call.program} sends secrets`);
  return NOTHING;
};

const tcpdump: Program = (call) => {
  const options = parseOptions(call.args, { short: "zwriscCGFWZ" });
  const run = options.value("z");
  if (run !== undefined) {
    call.by.harm("option-runs", `tcpdump -z runs ${run}`);
    call.by.script(run, call);
  }
  const file = options.value("w");
  if (file !== undefined && file !== "-") call.by.write(file, call);
  return UNSEEN;
};

const nslookup: Program = (call) => {
  for (const arg of call.args)
    if (arg.includes(COMPUTED) || arg.includes(SECRET))
      call.by.harm("secret-send", `${call.program} sends computed text in a name`);
  call.by.network(call.args.join(" "));
  return REMOTE;
};

export const REMOTE_PROGRAMS: Readonly<Record<string, Program>> = {
  nc: netcat,
  ncat: netcat,
  netcat,
  "nc.traditional": netcat,
  "nc.openbsd": netcat,
  socat,
  telnet,
  openssl,
  scp,
  sftp: scp,
  "ssh-keygen": sshKeygen,
  "ssh-copy-id": sshCopyId,
  "ssh-add": (call) => (call.by.add({ kind: "execute", program: "ssh-add", words: ["ssh-add", ...call.args] }), UNSEEN),
  tcpdump,
  nslookup,
  dig: nslookup,
  host: nslookup,
  drill: nslookup,
  whois: nslookup,
  mail,
  mailx: mail,
  sendmail: mail,
  mutt: mail,
  msmtp: mail,
  swaks: mail,
  ftp: telnet,
  tftp: telnet,
  lftp: (call) => {
    const typed = `${call.args.join(" ")}\n${call.stdin.text ?? ""}`;
    if (/\bmirror\b.*(--delete|(^|\s)-\w*e|--Remove)/.test(typed))
      call.by.harm("mirror-delete", `lftp ${typed.trim()}`);
    if (/(^|[\s;"'])(rm\s+-r|mrm|glob rm|rmdir)\b/.test(typed))
      call.by.harm("recursive-delete", `lftp ${typed.trim()}`);
    const command = /(?:^|[;"'\n ])!\s*([^;"'\n]+)/.exec(typed)?.[1];
    if (command !== undefined) call.by.harm("option-runs", `lftp runs ${command}`);
    return telnet(call);
  },
  nmap: (call) =>
    call.args.some(
      (arg, i) => /^--interactive$|^--script=.*[/.]/.test(arg) || (call.args[i - 1] === "--script" && /[/.]/.test(arg)),
    )
      ? (call.by.harm("option-runs", `nmap ${call.args.join(" ")}`), UNSEEN)
      : telnet(call),
  traceroute: telnet,
  mtr: telnet,
};
