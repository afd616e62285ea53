import type { HarmId } from "../risk/harms.ts";
import type { Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { activateGlobs } from "../parse/marks.ts";
import { wholeDrive } from "./windows-shell.ts";
import { otherPrograms } from "./other-programs.ts";

export const powershell: Program = (call) => {
  if (call.stdin.remote && /(^|\s)-(?:$|\s)/.test(call.args.join(" ")))
    call.by.harm("remote-shell", `${call.program} runs text from the network`);
  const text = call.args.join(" ");
  if (/(^|\s)-e(nc|ncodedcommand|c)?\s/i.test(`${text} `) || /frombase64string/i.test(text))
    call.by.harm("powershell-encoded", `${call.program} with an encoded command`);
  if (/\b(remove-item|ri|rm|rd|rmdir|del|erase)\b/i.test(text) && /-r(ec\w*)?\b/i.test(text)) {
    const path = /(?:remove-item|ri|rm|rd|del)\s+(?:-\w+\s+)*['"]?([^\s'"-][^\s'"]*)/i.exec(text)?.[1];
    call.by.harm(wholeDrive(text) ? "root-delete" : "powershell-delete", text);
    const place =
      path?.replace(/^(?:\$home|\$env:home|~)(?=$|[\\/])/i, call.by.home) ??
      /\b(?:get-childitem|gci|ls|dir)\s+(?:-\w+\s+)*["']?(\/\w*\*?)["']?\s*(?:-\w+\s*)*\|/i.exec(text)?.[1];
    if (place !== undefined && place.startsWith("/"))
      call.by.remove(activateGlobs(place), call, { recursive: true, by: call.program });
  }
  for (const [harm, looks] of POWERSHELL) if (looks.test(text)) call.by.harm(harm, text);
  if (/\b(?:get-process|gps|ps)\s*\|\s*(?:stop-process|spps|kill)\b/i.test(text))
    call.by.add({ kind: "signal", target: text, everything: true, force: true, byName: true });
  if (/\b(stop-computer|restart-computer)\b/i.test(text)) call.by.add({ kind: "power", action: text });
  const disk = /\b(format-volume|clear-disk|initialize-disk)\b.*/is.exec(text)?.[0];
  if (disk !== undefined) call.by.add({ kind: "device", path: disk, action: "format", proven: true });
  if (/\b(iex|invoke-expression)\b/i.test(text))
    call.by.harm(
      /(iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient)/i.test(text)
        ? "remote-shell"
        : "code-runs",
      text,
    );
  if (/-f(ile)?\s+["']?(\\\\|https?:)/i.test(text)) call.by.harm("remote-run", text);
  if (/\bset-executionpolicy\b/i.test(text)) call.by.harm("option-runs", text);
  otherPrograms(
    call,
    call.args.findIndex((arg) => /^-c(ommand)?$/i.test(arg)),
  );
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
  return UNSEEN;
};

const POWERSHELL: readonly (readonly [harm: HarmId, looks: RegExp])[] = [
  ["reverse-shell", /net\.sockets\.tcp(client|listener)/i],
  ["force-kill", /\b(stop-process|spps)\b.*-force\b/i],
  ["service-stop", /\b(stop|restart|suspend|set)-service\b/i],
  ["unit", /\bnew-service\b/i],
  ["schedule", /\b(register|new)-scheduled(task|job)\b/i],
  ["root-shell", /-verb\s+runas\b/i],
  [
    "kernel-setting",
    /\b(set-mppreference|disable-windowsoptionalfeature|set-netfirewallprofile|disable-netadapter)\b/i,
  ],
  ["privilege-config", /\b(new-localuser|add-localgroupmember|set-localuser)\b/i],
  ["system-config", /\bset-itemproperty\b.*\bhk(lm|cu):/i],
  ["secret-read", /\b(get-content|gc|cat|type)\b.*(\.ssh|\.aws|\.env\b|\\sam\b)|\bconvertfrom-securestring\b/i],
  [
    "system-config",
    /\b(clear-eventlog|remove-(ad\w+|az\w+|localuser|service|vm|netfirewallrule|partition)|uninstall-\w+|disable-(netfirewallrule|windows\w*|computerrestore|localuser|bitlocker)|enable-psremoting|add-mppreference|remove-mppreference|set-acl|set-netfirewallrule|new-netfirewallrule)\b/i,
  ],
  ["environment-read", /\b(get-childitem|get-item|gci|gi|dir|ls)\s+(-path\s+)?env:/i],
];
