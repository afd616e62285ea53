import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { readable } from "../parse/marks.ts";
import { byWords, together, when } from "./by-words.ts";

/** A cmdlet as a command is judged as a line of PowerShell. */
const cmdlet = (call: Call): Flow => call.by.run(["powershell", call.program, ...call.args], call);

const CMDLETS = `remove-item stop-process stop-computer restart-computer set-executionpolicy clear-disk format-volume
    initialize-disk stop-service restart-service new-service register-scheduledtask set-itemproperty new-localuser
    add-localgroupmember set-mppreference invoke-expression clear-recyclebin`.split(/\s+/);

/** Windows: downloads a page and prints it. */
const invokeRequest: Program = (call) => {
  call.by.network(call.args.find((arg) => /^https?:/.test(arg)) ?? "");
  return { text: undefined, remote: true, from: "pipe" };
};

const invokeExpression: Program = (call) => {
  // On other systems, `iex` is Elixir's shell.
  if (
    call.program === "iex" &&
    !call.stdin.remote &&
    call.args.every((arg) => /^(-S|-r|--\w[\w-]*|mix|[\w./-]+\.exs?|phx\.server)$/.test(arg))
  )
    return UNSEEN;
  if (call.stdin.remote) call.by.harm("remote-shell", `${call.program} runs text from the network`);
  else call.by.harm("code-runs", `${call.program} runs computed text`);
  return UNSEEN;
};

/** Commands of `cmake -E` that do what a program of the shell does. */
const AS_SHELL: Readonly<Record<string, readonly string[]>> = {
  copy: ["cp"],
  copy_if_different: ["cp"],
  copy_directory: ["cp", "-r"],
  rename: ["mv"],
  touch: ["tee", "-a"],
  touch_nocreate: ["tee", "-a"],
  create_symlink: ["ln", "-s"],
  create_hardlink: ["ln"],
  cat: ["cat"],
};

export const SYSTEMS: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(CMDLETS.map((name) => [name, cmdlet])),
  iwr: invokeRequest,
  irm: invokeRequest,
  "invoke-webrequest": invokeRequest,
  "invoke-restmethod": invokeRequest,
  iex: invokeExpression,
  schtasks: byWords(when(/\/(create|delete|change|run)\b/i, "schedule")),
  reg: byWords(
    when(/^(add|import|restore)\b.*\\run/i, "unit"),
    when(/^(add|delete|import|restore|load|unload)\b/i, "system-config"),
    when(/^(save|export)\b.*(sam|security|system)\b/i, "secret-read"),
  ),
  net: byWords(
    when(/^(ads|rpc|dom) (leave|join|unregister|user delete|password)\b/i, "privilege-config"),
    when(/^(user|localgroup|group)\b.*\/(add|delete)/i, "privilege-config"),
    when(/^stop\b/i, "service-stop"),
  ),
  sc: byWords(when(/^(stop|delete|pause)\b/i, "service-stop"), when(/^(create|config)\b/i, "unit")),
  robocopy: byWords(when(/\/(mir|purge|mov|move)\b/i, "mirror-delete")),
  taskkill: (call) => {
    const everything =
      /\/im\s+\*(\s|$)/i.test(readable(call.args.join(" "))) || /pid\s+(gt|ge)\s+\d{1,2}\b/i.test(call.args.join(" "));
    if (call.args.some((arg) => /^\/f$/i.test(arg)))
      call.by.add({ kind: "signal", target: call.args.join(" "), everything, force: true, byName: true });
    return UNSEEN;
  },
  icacls: byWords(
    when(/\/grant\b.*(everyone|\*s-1-1-0)/i, "world-writable"),
    when(/\/(grant|deny|setowner|reset)\b/i, "system-mode"),
  ),
  wevtutil: byWords(when(/^(cl|clear-log|sl|im|um)\b/i, "system-config")),
  auditpol: byWords(when(/\/(clear|remove|set|restore)\b/i, "system-config")),
  secedit: byWords(when(/\/configure\b/i, "system-config")),
  fsutil: byWords(
    when(
      /\b(setzerodata|deletejournal|usn deletejournal|behavior set|file delete|setdirty|dirty set)\b/i,
      "disk-change",
    ),
  ),
  dism: byWords(when(/\/(disable-feature|remove-\w+|enable-feature|add-package|apply-image)/i, "system-config")),
  msiexec: byWords(when(/https?:/i, "remote-run"), when(/\/(x|uninstall)\b/i, "system-config")),
  setx: byWords(when(/./, "shell-startup")),
  sdelete: byWords(when(/./, "recursive-delete")),
  diskshadow: byWords(when(/./, "disk-change")),
  powercfg: byWords(when(/\/(h|hibernate|change|setactive|delete)\b/i, "system-config")),
  takeown: byWords(when(/./, "system-mode")),
  vssadmin: byWords(when(/^(delete|resize)\b/i, "infrastructure")),
  wbadmin: byWords(when(/^delete\b/i, "infrastructure")),
  bcdedit: byWords(when(/\/(set|delete|import)\b/i, "system-config")),
  cipher: byWords(when(/\/w/i, "disk-change")),
  diskpart: byWords(when(/^/, "disk-change")),
  ...together("psshutdown psshutdown64 tsshutdn", when(/^(?!.*(-a|\/abort)\b)./, "power")),
  wmic: byWords(
    when(/\bos\b.*\bcall\s+(reboot|shutdown|win32shutdown)\b/i, "power"),
    when(/\b(process\s+call\s+create)\b/i, "option-runs"),
    when(/\b(delete|terminate)\b/i, "force-kill"),
  ),
  certutil: byWords(
    when(/-(addstore|delstore|importpfx|repairstore)/i, "credential-write"),
    when(/-urlcache|-decode/i, "remote-run"),
  ),
  mshta: byWords(when(/./, "remote-run")),
  regsvr32: byWords(when(/./, "option-runs")),
  rundll32: byWords(when(/./, "option-runs")),
  bitsadmin: byWords(when(/\/transfer/i, "remote-run")),
  cscript: byWords(when(/./, "option-runs")),
  wscript: byWords(when(/./, "option-runs")),
  defaults: byWords(
    when(/^(-\w+ )*(write|import|delete)\b.*(LoginHook|LogoutHook|loginwindow|loginitems)/i, "unit"),
    when(/^(write|delete|import)\b.*\/Library\//, "system-config"),
  ),
  systemsetup: byWords(when(/(^|\s)-set/, "kernel-setting")),
  networksetup: byWords(when(/(^|\s)-(set|add|remove|create|delete)/, "kernel-setting")),
  scutil: byWords(when(/--set/, "kernel-setting")),
  pmset: byWords(
    when(/^(sleepnow|displaysleepnow|restart|shutdown|halt)/, "service-stop"),
    when(/^(-[abcu]|schedule|repeat)\b/, "kernel-setting"),
  ),
  tmutil: byWords(when(/^(delete|disable|thin|removedestination)/, "infrastructure")),
  pwpolicy: byWords(when(/(^|\s)-(clear|set|delete|disable|enable)\w+/i, "privilege-config")),
  bless: byWords(when(/--?set|--?folder|--?device/, "disk-change")),
  asr: (call) => {
    const at = call.args.findIndex((arg) => /^--?target$/.test(arg));
    const target = at === -1 ? "" : (call.args[at + 1] ?? "");
    if (target.startsWith("/dev/")) call.by.add({ kind: "device", path: target, action: "write", proven: true });
    return byWords(when(/restore|--erase/, "disk-change"))(call);
  },
  profiles: byWords(when(/^(install|remove|-I|-R)/, "system-config")),
  tccutil: byWords(when(/^reset/, "system-config")),
  dseditgroup: byWords(when(/(^|\s)-o (edit|create|delete)/, "privilege-config")),
  sysadminctl: byWords(when(/-(addUser|deleteUser|resetPassword|adminUser)/, "privilege-config")),
  kextload: byWords(when(/./, "kernel-setting")),
  kextunload: byWords(when(/./, "kernel-setting")),
  uadmin: byWords(when(/^[12]\b/, "power")),
  initctl: byWords(when(/^(reboot|poweroff|halt|runlevel [06])\b/, "power"), when(/^(stop|restart)\b/, "service-stop")),
  rabbitmqctl: byWords(when(/^(stop|reset|force_reset|shutdown|delete|purge)/, "service-stop")),
  pg_ctl: byWords(when(/\b(stop|restart|kill)\b/, "service-stop")),
  pg_ctlcluster: byWords(when(/\b(stop|restart)\b/, "service-stop")),
  pg_dropcluster: byWords(when(/./, "database-drop")),
  caddy: byWords(when(/^stop\b/, "service-stop")),
  mongod: byWords(when(/--shutdown/, "service-stop")),
  varnishadm: byWords(when(/\bstop\b/, "service-stop")),
  asterisk: byWords(when(/stop|restart/, "service-stop")),
  svc: byWords(when(/-[dkt]/, "service-stop")),
  s6rc: byWords(when(/-d/, "service-stop")),
  "s6-rc": byWords(when(/-d/, "service-stop")),
  openrc: byWords(when(/^(shutdown|single)/, "service-stop")),
  btrfs: byWords(
    when(/\b(subvolume|subvol|su|sub) (delete|del)/, "infrastructure"),
    when(/^device (add|delete|remove)|^balance start.*-f/, "disk-change"),
  ),
  "update-grub": byWords(when(/^(?!--help)/, "system-config")),
  "grub-mkconfig": byWords(when(/-o/, "system-config")),
  "grub2-mkconfig": byWords(when(/-o/, "system-config")),
  "grub-install": byWords(when(/^(?!--(help|version))/, "disk-change")),
  efibootmgr: byWords(when(/(^|\s)-\w*[BbcoOnNA]/, "disk-change")),
  "update-initramfs": byWords(when(/./, "system-config")),
  dracut: byWords(when(/^(?!.*--(list-modules|help|version|kver-list))/, "system-config")),
  ldconfig: byWords(when(/^(?!-p)/, "system-config")),
  smartctl: byWords(when(/(^|\s)(-s|--set|-t|--test)\b/, "disk-change")),
  flashrom: byWords(when(/(^|\s)(-w|-E|--write|--erase)/, "disk-change")),
  fwupdmgr: byWords(when(/^(update|install|downgrade|activate)/, "system-config")),
  zmodload: byWords(when(/net\/tcp/, "reverse-shell")),
  ztcp: byWords(when(/^(?!-c$)/, "reverse-shell")),
  gcore: byWords(when(/./, "secret-read")),
  procdump: byWords(when(/./, "secret-read")),
  jmap: byWords(when(/-dump/, "secret-read")),
  machinectl: byWords(
    when(/^(shell|login)/, "root-shell"),
    when(/^(poweroff|reboot|terminate|kill|remove)/, "container-stop"),
  ),
  cmake: (call) => {
    const [verb, ...rest] = call.args[0] === "-E" ? call.args.slice(1) : [];
    if (/^(rm|remove|remove_directory|remove_directories)$/.test(verb ?? ""))
      call.by.run(["rm", ...(verb === "rm" || verb === "remove" ? [] : ["-r"]), ...rest], call);
    else if (verb === "env" || verb === "time") call.by.run(["env", ...rest], call);
    else if (verb === "chdir") call.by.run(rest.slice(1), call);
    else if (verb !== undefined && Object.hasOwn(AS_SHELL, verb)) call.by.run([...AS_SHELL[verb]!, ...rest], call);
    call.by.add({ kind: "execute", program: "cmake", words: ["cmake", ...call.args.slice(0, 7)] });
    return UNSEEN;
  },
  ffmpeg: (call) => {
    const target = call.args.at(-1) ?? "";
    const captures = /\b(x11grab|gdigrab|avfoundation|kmsgrab|alsa|pulse|dshow)\b/.test(call.args.join(" "));
    if (!target.startsWith("-") && !/^[a-z]{3,}:\/\//.test(target))
      call.by.write(target.replace(/^file:/, ""), call, "create", captures ? { ...UNSEEN, secret: "file" } : undefined);
    else if (captures) call.by.harm("secret-send", `ffmpeg sends the screen to ${target}`);
    return UNSEEN;
  },
  ...Object.fromEntries(
    ["gcc", "g++", "cc", "c++", "clang", "clang++", "ld", "ld.lld", "ld.gold"].map((name) => [
      name,
      byWords(when(/(^|\s)(-wrapper|-fplugin=|-plugin|-load|-fpass-plugin=|-Xclang -load)\s?\S*/, "option-runs")),
    ]),
  ),
  ...Object.fromEntries(
    ["latex", "pdflatex", "xelatex", "lualatex", "tex", "latexmk"].map((name) => [
      name,
      byWords(when(/(^|\s)--?(shell-escape|enable-write18)\b|\\write18/, "option-runs")),
    ]),
  ),
  puppet: (call) => {
    const code = call.args[call.args.indexOf("-e") + 1] ?? "";
    const text = call.args.join(" ");
    if (/\bensure=(stopped|absent|purged)\b/.test(text))
      call.by.harm(text.includes("stopped") ? "service-stop" : "infrastructure", `puppet ${text}`);
    if (call.args.includes("-e"))
      for (const match of code.matchAll(/exec\s*\{\s*["']([^"']+)["']/g)) call.by.script(match[1]!, call);
    return UNSEEN;
  },
  "salt-key": byWords(when(/(^|\s)(-[dDrRA]\b|--(delete|reject|accept)\S*)/, "infrastructure")),
  salt: (call) => saltRuns(call),
  "salt-call": (call) => saltRuns(call),
  "salt-ssh": (call) => saltRuns(call),
};

function saltRuns(call: Call): Flow {
  const at = call.args.findIndex((arg) => /^cmd\.(run|shell|run_all|script)$/.test(arg));
  if (at >= 0) call.by.script(call.args[at + 1] ?? "", call);
  if (
    call.args.some(
      (arg) =>
        /^(pkg\.(remove|purge)|file\.(remove|write)|user\.(delete|add)|group\.(delete|add)|cmd\.exec_code\w*|saltutil\.kill\w*|state\.(highstate|apply))$/.test(
          arg,
        ) && !call.args.includes("test=True"),
    )
  )
    call.by.harm("infrastructure", `salt ${call.args.join(" ")}`);
  if (call.args.some((arg) => /^(service\.(stop|restart|disable)|system\.(reboot|shutdown|halt|poweroff))$/.test(arg)))
    call.by.harm("service-stop", `salt ${call.args.join(" ")}`);
  return UNSEEN;
}
