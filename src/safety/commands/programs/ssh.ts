import type { Call, Program } from "../evaluate/call.ts";
import { derived, type Flow, UNSEEN } from "../risk/effect.ts";
import { UNKNOWN } from "../parse/marks.ts";
import { Options, parseOptions } from "../parse/options.ts";

export const ssh: Program = (call) => {
  const SSH = { short: "BbcDEeFIiJLlmOopQRSWw", stop: true };
  const before = parseOptions(call.args, SSH);
  // Options may also follow the host.
  const behind = parseOptions(before.operands.slice(1), SSH);
  const options = new Options(
    [...before.options, ...behind.options],
    [...before.operands.slice(0, 1), ...behind.operands],
  );
  for (const option of options.values("o")) judgeSetting(option, call);
  for (const forward of options.values("R"))
    if (opensUs(forward)) call.by.harm("reverse-shell", `ssh -R ${forward} gives the other machine access to this one`);
  const [host, ...words] = options.operands;
  if (host !== undefined) call.by.network(`ssh://${host}`, false);
  if (host !== undefined && call.stdin.secret) call.by.harm("secret-send", `ssh sends secrets to ${host}`);
  // On the other machine, this directory and these files do not exist.
  const away = {
    ...call.state,
    cwds: [undefined],
    variables: new Map([
      ["HOME", call.by.home],
      ["IFS", " \t\n"],
    ]),
    files: new Map(),
  };
  if (words.length > 0) return { ...call.by.script(words.join(" "), call, { state: away }), remote: true };
  if (call.stdin.text !== undefined && host !== undefined && call.stdin.from !== "inherit")
    call.by.script(call.stdin.text, call, { stdin: UNSEEN, state: away });
  else if (call.stdin.from === "pipe" && host !== undefined && !options.has("N", "f"))
    call.by.harm(
      call.stdin.remote ? "remote-shell" : call.stdin.decoded ? "decoded-shell" : "unseen-shell",
      `ssh ${host} runs a shell on a text that is not shown`,
    );
  return { ...derived(call.stdin), remote: true };
};

/** Settings of ssh that name a command, and those that name a library or a program. */
const COMMANDS = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand|Match\s+exec)\s*[= ]\s*(.*)$/is;
const LOADS = /^(?:PKCS11Provider|SecurityKeyProvider|SmartcardDevice|XAuthLocation|Include)\s*[= ]\s*(.*)$/i;
/** Programs that only carry a connection. */
const CARRIES = /^(\S*\/)?(ssh|nc|ncat|cloudflared|aws|gcloud|connect|corkscrew)\s/;

/** `ssh -o NAME=VALUE`, and the same of scp and sftp. */
export function judgeSetting(setting: string, call: Call): void {
  const command = COMMANDS.exec(setting)?.[1];
  const loaded = LOADS.exec(setting)?.[1];
  if (command !== undefined && !/^none$/i.test(command)) {
    if (!CARRIES.test(command)) call.by.harm("option-runs", `${call.program} -o ${setting}`);
    call.by.script(command.replace(/%[a-z%]/gi, UNKNOWN), call);
  }
  if (loaded !== undefined && !/^(?:none|internal|\/usr\/\S*)$/i.test(loaded))
    call.by.harm("option-runs", `${call.program} -o ${setting} loads code`);
  const host = /^(?:HostName|ProxyJump)\s*[= ]\s*(\S+)/i.exec(setting)?.[1];
  if (host !== undefined && !/^none$/i.test(host)) call.by.network(`ssh://${host}`, false);
}

/**
 * Whether `-R` opens this machine: ports for shells, screens or administration do, and forwards without a fixed target.
 * The port of a page under development does not.
 */
function opensUs(forward: string): boolean {
  const parts = forward.split(":");
  return (
    parts.length < 3 ||
    /^(22|23|2022|2222|2375|2376|3389|5900|5901|5985|6443|10250)$/.test(parts.at(-1)!) ||
    !/^(localhost|127\.0\.0\.1|\[?::1\]?)$/.test(parts.at(-2)!)
  );
}

export function vagrant(call: Call): Flow {
  const options = parseOptions(call.args, { short: "c", long: ["command"] });
  if (call.args[0] === "ssh") for (const text of options.values("c", "command")) call.by.script(text, call);
  const dashes = call.args.indexOf("--");
  if (call.args[0] === "ssh" && dashes > 0)
    return ssh({ ...call, args: ["machine", ...call.args.slice(dashes + 1)] }) ?? UNSEEN;
  if (call.args[0] === "destroy") call.by.harm("infrastructure", "vagrant destroy");
  if (call.args[0] === "halt" || call.args[0] === "reload") call.by.harm("container-stop", `vagrant ${call.args[0]}`);
  return UNSEEN;
}
