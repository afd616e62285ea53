import type { Call, Program } from "../call.ts";
import { type Flow, NOTHING, UNSEEN } from "../effect.ts";
import { hasMark, isKnown, STAR } from "../marks.ts";
import { parseOptions } from "../options.ts";
import { optionHarms } from "../stranger-options.ts";

// ── Disks ──

function device(text: string, action: "write" | "format" | "wipe" | "read", call: Call): void {
  for (const path of call.by.paths(text, call.state)) call.by.add({ kind: "device", path, action, proven: isKnown(path) });
}

const mkfs: Program = (call) => {
  const options = parseOptions(call.args, { short: "tLUNIbimEOJgGCdn", long: ["type", "label", "uuid"] });
  const target =
    options.operands.find((operand) => operand.startsWith("/dev/")) ?? options.operands.find((operand) => hasMark(operand)) ?? options.operands[0];
  if (target !== undefined) device(target, "format", call);
  return NOTHING;
};

const dd: Program = (call) => {
  const value = (name: string): string | undefined => call.args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  const output = value("of");
  const input = value("if");
  if (output !== undefined) {
    if (output.startsWith("/dev/")) device(output, "write", call);
    else call.by.write(output, call);
  }
  if (input?.startsWith("/dev/")) device(input, "read", call);
  else if (input !== undefined) call.by.read(input, call, { shown: output === undefined });
  return output === undefined ? (input === undefined ? call.stdin : UNSEEN) : NOTHING;
};

/** Programs that copy an image: a device behind another word is what they write. */
const imager: Program = (call) => {
  const operands = parseOptions(call.args, { short: "bcBIQrsiamltpL" }).operands;
  const devices = operands.filter((operand, i) => operand.startsWith("/dev/") && (i > 0 || operands.length === 1 || /^(ventoy|woeusb)/i.test(call.program)));
  const named = call.args.filter((arg, i) => /^(-O|-o|--output|--overwrite|--device|-d|--target|--drive|-I|-i)$/.test(call.args[i - 1] ?? "") && arg.startsWith("/dev/"));
  const joined = call.args.flatMap((arg) => /^--(?:output|overwrite|device|target|drive)=(\/dev\/.*)$/.exec(arg)?.[1] ?? []);
  for (const path of new Set([...devices, ...named, ...joined])) device(path, "write", call);
  return NOTHING;
};

/** Programs that change the device they are given, unless an option says they only look. */
const wiper =
  (looks: readonly string[], spec = {}): Program =>
  (call) => {
    const options = parseOptions(call.args, spec);
    if (looks.some((name) => options.has(name))) return UNSEEN;
    for (const operand of options.operands) if (operand.startsWith("/dev/") || hasMark(operand)) device(operand, "wipe", call);
    return NOTHING;
  };

const fdisk: Program = (call) => {
  const options = parseOptions(call.args, { short: "bCHSotuwW" });
  if (options.has("l", "list", "s", "getsz", "dump", "d", "V", "x")) return UNSEEN;
  const disk = call.args.find((arg) => arg.startsWith("/dev/"));
  if (disk === undefined) return UNSEEN;
  const scripted = call.program === "sfdisk" || call.program === "sgdisk" || call.stdin.from !== "inherit";
  if (scripted && !(call.program === "sgdisk" && options.has("p", "print", "i"))) device(disk, "wipe", call);
  else if (!scripted) call.by.harm("disk-change", `${call.program} ${disk}`);
  return UNSEEN;
};

const parted: Program = (call) => {
  const options = parseOptions(call.args, { short: "au" });
  const disk = options.operands.find((operand) => operand.startsWith("/dev/"));
  const changes = options.operands.some(
    (operand) => /^(mklabel|mktable|mkpart|mkpartfs|rm|resizepart|rescue|disk_set|set|name)\b/.test(operand) || operand === "mkfs",
  );
  if (disk !== undefined && changes) device(disk, "wipe", call);
  else if (disk !== undefined && !options.operands.includes("print") && !options.has("l")) call.by.harm("disk-change", `parted ${disk}`);
  return UNSEEN;
};

const diskutil: Program = (call) => {
  const verb = (call.args[0] ?? "").toLowerCase();
  const target = call.args.at(-1) ?? "";
  if (
    /^(erase|partitiondisk|zerodisk|randomdisk|secureerase|reformat)/.test(verb) ||
    (verb === "apfs" && /^(erase|delete)/i.test(call.args[1] ?? ""))
  )
    device(target.startsWith("/dev/") ? target : `/dev/${target}`, "wipe", call);
  return UNSEEN;
};

const diskTool: Program = (call) => {
  const text = call.args.join(" ");
  const writes: Readonly<Record<string, RegExp>> = {
    hdparm: /--(security-erase|trim-sector|make-bad|write-sector|repair-sector|user-master|security-set-pass)/,
    nvme: /^(format|sanitize|write|delete-ns)/,
    cryptsetup: /^(luksFormat|erase|luksErase|reencrypt|plainOpen)/,
    badblocks: /(^|\s)-\w*w/,
    mdadm: /(--create|--zero-superblock|(^|\s)-C)/,
    zpool: /^(create|destroy|labelclear|export|offline|detach|remove|replace|split|reguid)\b/,
    pvcreate: /./,
    vgremove: /./,
    lvremove: /./,
    pvremove: /./,
    mkswap: /./,
    swapoff: /(?!)/,
    zfs: /^(destroy|rollback|rename|promote|set|inherit|upgrade|unload-key|(receive|recv)\b.*-F)/,
    btrfs: /^device (add|delete)/,
    growpart: /./,
    partprobe: /(?!)/,
    tune2fs: /(?!)/,
    e2fsck: /(?!)/,
    dmsetup: /^(remove|wipe)/,
    hdiutil: /^erase/,
    debugfs: /(^|\s)-w/,
  };
  if (call.program === "mdadm" && /--stop|(^|\s)-S\b|--fail|--remove/.test(text)) call.by.harm("disk-change", `mdadm ${text}`);
  optionHarms(call);
  if (!(writes[call.program] ?? /(?!)/).test(text)) return UNSEEN;
  const disks = call.args.filter((arg) => arg.startsWith("/dev/"));
  if (disks.length > 0) for (const disk of disks) device(disk, "wipe", call);
  else call.by.harm("disk-change", `${call.program} ${text}`);
  return UNSEEN;
};

// ── Power ──

const power: Program = (call) => {
  const options = parseOptions(call.args, { short: "t" });
  if (call.program === "shutdown" && (options.has("c") || (options.has("k") && !options.has("r", "h", "P")))) return NOTHING;
  if (options.has("help", "version") || (call.program !== "shutdown" && options.has("w", "wtmp-only"))) return NOTHING;
  call.by.add({ kind: "power", action: [call.program, ...call.args].join(" ") });
  return NOTHING;
};

const init: Program = (call) => {
  const level = call.args.find((arg) => !arg.startsWith("-"));
  if (level === "0" || level === "6") call.by.add({ kind: "power", action: `${call.program} ${level}` });
  else if (level !== undefined && /^([1-5sSqQuU]|single)$/.test(level))
    call.by.harm("service-stop", `${call.program} ${level} changes the run level`);
  return NOTHING;
};

const POWER_UNITS = /^(poweroff|reboot|halt|kexec|shutdown|runlevel[06]|ctrl-alt-del|soft-reboot|exit)(\.target)?$/;

const systemctl: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "HMtpnos",
    long: ["host", "machine", "type", "property", "lines", "output", "signal", "state", "root", "kill-whom", "job-mode"],
  });
  const [verb, ...units] = options.operands;
  const show = `systemctl ${options.operands.join(" ")}`;
  if (verb === undefined) return UNSEEN;
  if (["poweroff", "reboot", "halt", "kexec", "soft-reboot"].includes(verb)) call.by.add({ kind: "power", action: show });
  else if ((verb === "start" || verb === "isolate") && units.some((unit) => POWER_UNITS.test(unit))) call.by.add({ kind: "power", action: show });
  else if (units.some((unit) => unit.startsWith("hermes")) && /stop|restart|kill|disable|mask/.test(verb)) call.by.harm("self-gateway", show);
  else if (
    /^(stop|restart|try-restart|reload-or-restart|force-reload|condrestart|disable|mask|kill|isolate|rescue|emergency|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|daemon-reexec|clean|freeze|switch-root|exit)$/.test(
      verb,
    )
  )
    call.by.harm("service-stop", show);
  else if (
    /^(enable|reenable|link|edit|preset|preset-all|add-wants|add-requires|set-default|revert|set-environment|import-environment|set-property|unset-environment)$/.test(
      verb,
    )
  )
    call.by.harm("unit", show);
  else if (hasMark(verb)) call.by.harm("service-stop", show);
  else if (verb === "show-environment" || (verb === "show" && options.values("p", "property").some((name) => /environment/i.test(name))))
    call.by.harm("environment-read", show);
  else if (!/^(status|show|cat|list-.*|is-.*|get-default|help|show-environment)$/.test(verb))
    call.by.add({ kind: "execute", program: "systemctl", words: ["systemctl", ...options.operands] });
  return UNSEEN;
};

const STOPS = /^(stop|restart|force-reload|condrestart|try-restart|reload-or-restart|full-restart|disable|--full-restart)$/;

const service: Program = (call) => {
  const words = parseOptions(call.args).operands;
  if (words[0]?.includes("/")) call.by.harm("option-runs", `${call.program} ${words.join(" ")}`);
  const verb = words.find((word) => STOPS.test(word));
  if (verb !== undefined)
    call.by.harm(words.some((word) => word.startsWith("hermes")) ? "self-gateway" : "service-stop", `${call.program} ${words.join(" ")}`);
  else if (!words.includes("status")) call.by.add({ kind: "execute", program: call.program, words: [call.program, ...words] });
  return UNSEEN;
};

const launchctl: Program = (call) => {
  const verb = call.args[0] ?? "";
  if (verb === "asuser" || verb === "bsexec") return call.by.run(call.args.slice(2), call);
  const show = `launchctl ${call.args.join(" ")}`;
  if (/^(unload|remove|stop|bootout|kill|disable|reboot)$/.test(verb) || (verb === "kickstart" && call.args.some((arg) => /^-\w*k/.test(arg)))) {
    if (verb === "reboot") call.by.add({ kind: "power", action: show });
    else call.by.harm(/hermes/.test(show) ? "self-gateway" : "service-stop", show);
  } else if (/^(load|bootstrap|submit|enable|setenv|config)$/.test(verb)) call.by.harm("unit", show);
  return UNSEEN;
};

/** Managers of services with plain verbs. */
const manager =
  (stops: RegExp, position = 0): Program =>
  (call) => {
    const words = parseOptions(call.args, { short: "cns" }).operands;
    if (words.slice(position, position + 2).some((word) => stops.test(word))) call.by.harm("service-stop", `${call.program} ${call.args.join(" ")}`);
    else call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
    return UNSEEN;
  };

const nginx: Program = (call) => {
  const signal = parseOptions(call.args, { short: "scpg" }).value("s");
  if (signal === "stop" || signal === "quit") call.by.harm("service-stop", `nginx -s ${signal}`);
  return UNSEEN;
};

// ── Processes ──

const kill: Program = (call) => {
  let signal = "TERM";
  const targets: string[] = [];
  for (let i = 0; i < call.args.length; i++) {
    const arg = call.args[i]!;
    if (arg === "-l" || arg === "-L" || arg === "--list" || arg === "--table") return UNSEEN;
    if (arg === "-s" || arg === "-n" || arg === "--signal") signal = call.args[++i] ?? "";
    else if (arg.startsWith("--signal=")) signal = arg.slice(9);
    else if (arg === "--") {
      targets.push(...call.args.slice(i + 1));
      break;
    } else if (i === 0 && /^-[A-Za-z0-9]+$/.test(arg) && call.args.length > 1) signal = arg.slice(1);
    else if (arg === "--help" || arg === "--version") return UNSEEN;
    else targets.push(arg);
  }
  const force = /^(SIG)?KILL$|^9$/i.test(signal);
  if (signal === "0") return UNSEEN;
  for (const target of targets) {
    const everything = target === "-1";
    call.by.add({ kind: "signal", target, everything, force, byName: !everything && hasMark(target) });
    if (target === "1" && force) call.by.harm("force-kill", "kill of process 1");
  }
  return NOTHING;
};

const MATCHES_ALL = new Set(["", ".", ".*", "^", "^.*", "$", ".+", "^.*$", "[a-z]*", "[a-z]", "\\w", ".?"]);

const pkill: Program = (call) => {
  const args = call.args.filter((arg) => !/^-(?:[0-9]{1,2}|(?:SIG)?[A-Z]{2,}[0-9]?)$/.test(arg));
  const signals = call.args.filter((arg) => /^-(?:[0-9]{1,2}|(?:SIG)?[A-Z]{2,}[0-9]?)$/.test(arg)).map((arg) => arg.slice(1));
  const options = parseOptions(args, {
    short: call.program === "killall" ? "suytoZcdmn" : "FgGPsutUrn",
    long: ["signal", "user", "euid", "uid", "group", "session", "terminal", "parent", "older-than", "younger-than", "ns", "pidfile"],
  });
  const signal = signals.at(-1) ?? options.value("signal", ...(call.program === "killall" ? ["s"] : [])) ?? "TERM";
  const force = /^(SIG)?KILL$|^9$/i.test(signal);
  if (signal === "0" || options.has("l", "list", "L")) return UNSEEN;
  const names = options.operands;
  const pattern = call.program === "killall" ? options.has("r", "regexp") : true;
  const own = names.some((name) => /hermes|cli\.py/i.test(name));
  if (own) call.by.harm("self-kill", `${call.program} ${call.args.join(" ")}`);
  if (pattern && names.some((name) => MATCHES_ALL.has(name.toLowerCase())))
    call.by.add({ kind: "signal", target: "every process", everything: true, force, byName: true });
  else if (call.program === "killall" && options.has("r", "regexp")) call.by.harm("kill-regex", `killall ${call.args.join(" ")}`);
  if (names.length === 0 && options.has("u", "U", "user", "euid", "uid")) call.by.harm("kill-user", `${call.program} ${call.args.join(" ")}`);
  for (const name of names) call.by.add({ kind: "signal", target: name, everything: false, force, byName: true });
  return NOTHING;
};

const crontab: Program = (call) => {
  const options = parseOptions(call.args, { short: "u" });
  if (options.has("l")) return UNSEEN;
  call.by.harm("schedule", `crontab ${call.args.join(" ")}${options.has("r") ? " removes all jobs" : ""}`);
  if (call.stdin.text !== undefined)
    for (const line of call.stdin.text.split("\n")) {
      const job = /^\s*(?:@\w+|(?:\S+\s+){5})(.+)$/.exec(line);
      if (job && !line.trim().startsWith("#")) call.by.script(job[1]!, call, { stdin: UNSEEN });
    }
  return NOTHING;
};

const at: Program = (call) => {
  const options = parseOptions(call.args, { short: "fqt" });
  if (options.has("l", "V", "c") || call.program === "atq") return UNSEEN;
  call.by.harm("schedule", `${call.program} ${call.args.join(" ")}`);
  if (call.stdin.text !== undefined) call.by.script(call.stdin.text, call, { stdin: UNSEEN });
  return NOTHING;
};

// ── Settings ──

const sysctl: Program = (call) => {
  const options = parseOptions(call.args, { short: "pr", long: ["load", "pattern"] });
  if (options.has("w", "write", "p", "load", "system") || options.operands.some((operand) => operand.includes("=")))
    call.by.harm("kernel-setting", `sysctl ${call.args.join(" ")}`);
  return UNSEEN;
};

const always =
  (harm: "kernel-setting" | "privilege-config" | "service-stop" | "system-config", looks?: RegExp): Program =>
  (call) => {
    const text = call.args.join(" ");
    if (looks?.test(text) || (looks && text === "" && harm !== "privilege-config")) return UNSEEN;
    call.by.harm(harm, `${call.program} ${text}`);
    return UNSEEN;
  };

const osascript: Program = (call) => {
  const code = parseOptions(call.args, { short: "el" }).values("e").join("\n") || (call.stdin.text ?? "");
  if (/\b(shut\s*down|restart|log\s*out)\b/i.test(code) && !/do shell script/i.test(code))
    call.by.add({ kind: "power", action: `osascript: ${code}` });
  for (const match of code.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/gi)) call.by.script(match[1]!.replace(/\\(.)/g, "$1"), call);
  if (/login item/i.test(code)) call.by.harm("unit", `osascript: ${code}`);
  if (/keystroke|password|hidden answer/i.test(code)) call.by.harm("option-runs", `osascript: ${code}`);
  return UNSEEN;
};

const dbus: Program = (call) => {
  const text = call.args.join(" ");
  if (/login1/.test(text) && /(PowerOff|Reboot|Halt|KExec)/.test(text)) call.by.add({ kind: "power", action: `${call.program} ${text}` });
  else if (/unixexec:/.test(text)) call.by.harm("option-runs", `${call.program} ${text}`);
  else if (/systemd1/.test(text) && /(StopUnit|RestartUnit|KillUnit|MaskUnitFiles|DisableUnitFiles)/.test(text))
    call.by.harm("service-stop", `${call.program} ${text}`);
  return UNSEEN;
};

const kexec: Program = (call) => {
  if (call.args.some((arg) => /^(-e|--exec|-ef?)$/.test(arg))) call.by.add({ kind: "power", action: "kexec -e" });
  else if (call.args.length > 0) call.by.harm("kernel-setting", `kexec ${call.args.join(" ")}`);
  return NOTHING;
};

const loginctl: Program = (call) => {
  const verb = call.args.find((arg) => !arg.startsWith("-")) ?? "";
  if (/^(poweroff|reboot|halt)$/.test(verb)) call.by.add({ kind: "power", action: `loginctl ${verb}` });
  else if (/^(terminate|kill)/.test(verb)) call.by.harm("kill-user", `loginctl ${call.args.join(" ")}`);
  return UNSEEN;
};

export const MACHINE: Readonly<Record<string, Program>> = {
  mkfs,
  mke2fs: mkfs,
  mkntfs: mkfs,
  mkdosfs: mkfs,
  mkexfatfs: mkfs,
  newfs: mkfs,
  newfs_apfs: mkfs,
  newfs_hfs: mkfs,
  newfs_msdos: mkfs,
  mkudffs: mkfs,
  dd,
  dcfldd: dd,
  dc3dd: dd,
  wipefs: (call) => (parseOptions(call.args, { short: "to" }).has("a", "all", "o", "f", "force") ? wiper([])(call) : UNSEEN),
  blkdiscard: wiper([]),
  ...Object.fromEntries(
    "ddrescue dd_rescue dd_rhelp ntfsclone partclone.ext4 partclone.restore partclone.dd fsarchiver bmaptool rpi-imager ventoy Ventoy2Disk.sh woeusb ocs-sr usbimager caligula isodump"
      .split(" ")
      .map((name) => [name, imager]),
  ),
  mkswap: diskTool,
  fdisk,
  cfdisk: fdisk,
  sfdisk: fdisk,
  gdisk: fdisk,
  sgdisk: fdisk,
  cgdisk: fdisk,
  parted,
  diskutil,
  ...Object.fromEntries(
    [
      "hdparm",
      "nvme",
      "cryptsetup",
      "badblocks",
      "mdadm",
      "zpool",
      "zfs",
      "pvcreate",
      "pvremove",
      "vgremove",
      "lvremove",
      "dmsetup",
      "hdiutil",
      "debugfs",
      "growpart",
    ].map((name) => [name, diskTool]),
  ),
  shutdown: power,
  reboot: power,
  halt: power,
  poweroff: power,
  init,
  telinit: init,
  systemctl,
  service,
  "rc-service": service,
  "invoke-rc.d": service,
  "update-rc.d": (call) => (call.by.harm("unit", `update-rc.d ${call.args.join(" ")}`), NOTHING),
  chkconfig: (call) => (call.args.length > 1 ? (call.by.harm("unit", `chkconfig ${call.args.join(" ")}`), NOTHING) : UNSEEN),
  launchctl,
  loginctl,
  kexec,
  supervisorctl: manager(/^(stop|restart|shutdown|remove)$/),
  pm2: manager(/^(stop|delete|del|kill|restart|reload)$/),
  monit: manager(/^(stop|restart|quit|unmonitor)$/),
  sv: manager(/^(stop|restart|down|kill|force-stop|t|d)$/),
  "rc-update": (call) => (call.by.harm("unit", `rc-update ${call.args.join(" ")}`), NOTHING),
  nginx,
  apachectl: manager(/^(stop|restart|graceful-stop)$/),
  apache2ctl: manager(/^(stop|restart|graceful-stop)$/),
  kill,
  pkill,
  killall: pkill,
  skill: pkill,
  killall5: (call) => (call.by.add({ kind: "signal", target: "every process", everything: true, force: true, byName: true }), NOTHING),
  xkill: (call) => (call.by.harm("force-kill", "xkill"), NOTHING),
  crontab,
  at,
  batch: at,
  atrm: (call) => (call.by.harm("schedule", `atrm ${call.args.join(" ")}`), NOTHING),
  sysctl,
  modprobe: always("kernel-setting", /^(-n|--dry-run|-c|--show)/),
  insmod: always("kernel-setting"),
  rmmod: always("kernel-setting"),
  setenforce: always("kernel-setting"),
  swapoff: always("kernel-setting", /^-s/),
  iptables: always("kernel-setting", /(^|\s)(-L|-S|--list)/),
  ip6tables: always("kernel-setting", /(^|\s)(-L|-S|--list)/),
  nft: always("kernel-setting", /^(-\w+\s+)*list/),
  ufw: always("kernel-setting", /^status/),
  "firewall-cmd": always("kernel-setting", /--(list|get|query|state)/),
  pfctl: always("kernel-setting", /^-s/),
  spctl: always("kernel-setting", /--status|--assess/),
  csrutil: always("kernel-setting", /^status/),
  nvram: always("kernel-setting", /^-p/),
  auditctl: always("kernel-setting", /^-[ls]$/),
  mount: mountProgram(),
  umount: always("service-stop", /^[./~\w]/),
  useradd: always("privilege-config"),
  adduser: always("privilege-config"),
  userdel: always("privilege-config"),
  deluser: always("privilege-config"),
  usermod: always("privilege-config"),
  groupadd: always("privilege-config"),
  groupdel: always("privilege-config"),
  gpasswd: always("privilege-config"),
  passwd: always("privilege-config", /^-S/),
  chpasswd: always("privilege-config"),
  visudo: always("privilege-config", /^-c/),
  chsh: always("privilege-config"),
  vipw: always("privilege-config"),
  dscl: always("privilege-config", /(-read|-list|\sread|\slist)/),
  "update-alternatives": always("system-config", /--(display|list|query|get-selections)/),
  hostnamectl: always("system-config", /^(status)?$/),
  timedatectl: always("system-config", /^(status|show|list-timezones|timesync-status)/),
  localectl: always("system-config", /^(status|list)/),
  osascript,
  "dbus-send": dbus,
  busctl: dbus,
  gdbus: dbus,
};

/** Remounting, binding and mounting over places change what every path means. */
function mountProgram(): Program {
  return (call): Flow => {
    const text = call.args.join(" ");
    if (/--bind|(^|[\s,])(rbind|bind|remount)|--move/.test(text) || call.args.some((arg) => arg === "/" || arg.startsWith(`/${STAR}`)))
      call.by.harm("kernel-setting", `mount ${text}`);
    else if (call.args.length > 0) call.by.add({ kind: "execute", program: "mount", words: ["mount", ...call.args] });
    return UNSEEN;
  };
}
