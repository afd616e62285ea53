import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, literal, NOTHING, UNSEEN } from "../risk/effect.ts";
import { isKnown, UNKNOWN } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { pgrep, ps } from "./process-lists.ts";

const quiet: Program = () => UNSEEN;

const date: Program = (call) => {
  // `-I` takes its precision only joined: `-Is`.
  const options = parseOptions(
    call.args.filter((arg) => !/^-[uR]*I/.test(arg)),
    { short: "drsf", long: ["date", "reference", "set", "file"] },
  );
  if (options.has("s", "set") || options.operands.some((operand) => /^\d{8}/.test(operand)))
    call.by.harm("kernel-setting", `date ${call.args.join(" ")} sets the clock`);
  return UNSEEN;
};

/** Programs that show the state of the machine, and their few options that change it or print secrets. */
export const VIEWERS: Readonly<Record<string, Program>> = {
  sleep: () => NOTHING,
  usleep: () => NOTHING,
  ps,
  pgrep,
  pidof: quiet,
  top: quiet,
  htop: quiet,
  uptime: quiet,
  free: quiet,
  vmstat: quiet,
  iostat: quiet,
  lscpu: quiet,
  lsblk: quiet,
  lsusb: quiet,
  lspci: quiet,
  lsmod: quiet,
  lsof: quiet,
  fuser: (call) => fuser(call),
  w: quiet,
  who: quiet,
  whoami: (call) => literal(call.state.root === true ? "root" : call.by.home.replace(/^.*\//, "")),
  id: quiet,
  groups: quiet,
  users: quiet,
  last: quiet,
  logname: quiet,
  tty: quiet,
  uname: quiet,
  nproc: quiet,
  getconf: quiet,
  locale: quiet,
  cal: quiet,
  tput: quiet,
  dircolors: quiet,
  ss: quiet,
  netstat: quiet,
  sw_vers: quiet,
  vm_stat: quiet,
  getent: (call) => getent(call),
  hostid: quiet,
  lsb_release: quiet,
  pstree: quiet,
  hostname: (call) => {
    if (call.args.some((arg) => !arg.startsWith("-") || arg.startsWith("-F")))
      call.by.harm("system-config", `hostname ${call.args.join(" ")}`);
    return UNSEEN;
  },
  ipcs: quiet,
  dmesg: (call) =>
    parseOptions(call.args, { short: "flns" }).has("C", "c", "clear", "read-clear")
      ? (call.by.harm("unclear-delete", "dmesg clears the kernel's log"), UNSEEN)
      : UNSEEN,
  findmnt: quiet,
  journalctl: (call) =>
    call.args.some((arg) => arg.startsWith("--vacuum-"))
      ? (call.by.harm("unclear-delete", `journalctl ${call.args.join(" ")} deletes logs`), UNSEEN)
      : UNSEEN,
  date,
  ping: (call) => ping(call),
  ping6: (call) => ping(call),
  pwd: (call) =>
    literal(call.state.cwds.length === 1 && call.state.cwds[0] !== undefined ? call.state.cwds[0] : UNKNOWN),
};

function fuser(call: Call): Flow {
  const gentle = call.args.some((arg) => /^-(SIG)?(TERM|HUP|INT|15|1|2)$/.test(arg));
  if (parseOptions(call.args, { short: "n" }).has("k", "kill"))
    call.by.add({
      kind: "signal",
      target: call.args.join(" "),
      everything: call.args.includes("/") && call.args.some((arg) => /^-\w*[mcM]/.test(arg)),
      force: !gentle,
      byName: true,
    });
  return UNSEEN;
}

function getent(call: Call): Flow {
  if (call.args.includes("shadow")) call.by.harm("secret-read", "getent shadow prints password hashes");
  const [database, name] = call.args;
  if (database !== "passwd" || name === undefined || !isKnown(name)) return UNSEEN;
  const home =
    name === "root" || name === "0"
      ? "/root"
      : /^\d+$/.test(name) || call.by.home.endsWith(`/${name}`)
        ? call.by.home
        : `/home/${name}`;
  return literal(`${name}:x:1000:1000:${name}:${home}:/bin/bash\n`);
}

function ping(call: Call): Flow {
  call.by.network(call.args.at(-1) ?? "");
  return UNSEEN;
}
