import type { Program } from "../evaluate/call.ts";
import { type Flow, NOTHING, UNSEEN } from "../risk/effect.ts";
import { STAR } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { systemctl, service, launchctl, manager, nginx, loginctl } from "./services.ts";
import { kill, pkill } from "./signals.ts";

const power: Program = (call) => {
  const options = parseOptions(call.args, { short: "t" });
  if (call.program === "shutdown" && (options.has("c") || (options.has("k") && !options.has("r", "h", "P"))))
    return NOTHING;
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

const crontab: Program = (call) => {
  const options = parseOptions(call.args, { short: "u" });
  if (options.has("l")) return UNSEEN;
  call.by.harm("schedule", `crontab ${call.args.join(" ")}${options.has("r") ? " (removes all jobs)" : ""}`);
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
  for (const match of code.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/gi))
    call.by.script(match[1]!.replace(/\\(.)/g, "$1"), call);
  for (const match of code.matchAll(/\bdoShellScript\(\s*(["'`])((?:[^"'`\\]|\\.)*)\1/g))
    call.by.script(match[2]!.replace(/\\(.)/g, "$1"), call);
  for (const match of code.matchAll(/do script\s+"((?:[^"\\]|\\.)*)"/gi))
    call.by.script(match[1]!.replace(/\\(.)/g, "$1"), call);
  if (/with administrator privileges/i.test(code)) call.by.harm("root-shell", `osascript: ${code}`);
  if (/\b(delete|empty)\b.*\b(items?|files?|folders?|documents?|trash|disks?)\b/i.test(code))
    call.by.harm("recursive-delete", `osascript: ${code}`);
  if (/login item/i.test(code)) call.by.harm("unit", `osascript: ${code}`);
  if (/keystroke|password|hidden answer/i.test(code)) call.by.harm("option-runs", `osascript: ${code}`);
  return UNSEEN;
};

const dbus: Program = (call) => {
  const text = call.args.join(" ");
  if (
    (/login1/.test(text) && /(PowerOff|Reboot|Halt|KExec)/.test(text)) ||
    /ConsoleKit\.Manager\.(Stop|Restart)|\bUPower\b.*\b(Shutdown|Reboot)\b/.test(text)
  )
    call.by.add({ kind: "power", action: `${call.program} ${text}` });
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

const stopsUnmount = always("service-stop", /^[./~\w]/);

const unmount: Program = (call) => {
  for (const place of parseOptions(call.args, { short: "tO" }).operands) call.by.unlink(place, call);
  return stopsUnmount(call);
};

export const MACHINE: Readonly<Record<string, Program>> = {
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
  chkconfig: (call) =>
    call.args.length > 1 ? (call.by.harm("unit", `chkconfig ${call.args.join(" ")}`), NOTHING) : UNSEEN,
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
  killall5: (call) => (
    call.by.add({ kind: "signal", target: "every process", everything: true, force: true, byName: true }),
    NOTHING
  ),
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
  iptables: always("kernel-setting", /(^|\s)(-\w*[LS]|--list)/),
  ip6tables: always("kernel-setting", /(^|\s)(-\w*[LS]|--list)/),
  nft: always("kernel-setting", /^(-\w+\s+)*list/),
  ufw: always("kernel-setting", /^(status|show|version|app (list|info))\b/),
  "firewall-cmd": always("kernel-setting", /--(list|get|query|state)/),
  pfctl: always("kernel-setting", /^-s/),
  spctl: always("kernel-setting", /--status|--assess/),
  csrutil: always("kernel-setting", /^status/),
  nvram: always("kernel-setting", /^-p/),
  auditctl: always("kernel-setting", /^-[ls]$/),
  mount: mountProgram(),
  umount: unmount,
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

/** A mount over an existing folder changes what its paths mean. */
function mountProgram(): Program {
  return (call): Flow => {
    const text = call.args.join(" ");
    const changes =
      /--bind|(^|[\s,])(rbind|bind|remount)|--move/.test(text) ||
      call.args.some(
        (arg) =>
          /^\/(bin|boot|dev|etc|lib\w*|root|sbin|usr|var)(\/(bin|sbin|lib))?\/?$/.test(arg) ||
          arg === "/" ||
          arg.startsWith(`/${STAR}`),
      );
    if (changes) call.by.harm("kernel-setting", `mount ${text}`);
    const [place, name] = parseOptions(call.args, { short: "tLUo", long: ["types", "options"] }).operands;
    if (place !== undefined && name !== undefined && /(?:^|[\s,-])r?bind\b/.test(text))
      call.by.link(place, name, call, true);
    if (!changes && call.args.length > 0)
      call.by.add({ kind: "execute", program: "mount", words: ["mount", ...call.args] });
    return UNSEEN;
  };
}
