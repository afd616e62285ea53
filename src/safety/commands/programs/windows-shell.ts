import type { Call } from "../evaluate/call.ts";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { otherPrograms } from "./other-programs.ts";

export function windowsShell(call: Call): Flow {
  const at = call.args.findIndex((arg) => /^\/[ck]$/i.test(arg));
  const text = call.args.slice(at + 1).join(" ");
  if (at >= 0 && /(^|[&|]\s*)(del|erase|rd|rmdir)\b/i.test(text)) call.by.harm("windows-delete", `cmd ${text}`);
  if (at >= 0 && wholeDrive(text)) call.by.harm("root-delete", `cmd ${text}`);
  if (at >= 0 && /(^|[&|]\s*)(format\s+[a-z]:)/i.test(text))
    call.by.add({ kind: "device", path: text, action: "format", proven: true });
  if (at >= 0 && /(^|[&|]\s*)shutdown\b/i.test(text)) call.by.add({ kind: "power", action: text });
  otherPrograms(call, at);
  return UNSEEN;
}

/** A recursive delete of a drive, or of a system folder of Windows on it. */
export function wholeDrive(text: string): boolean {
  return (
    /\b(remove-item|ri|rm|rd|rmdir|del|erase)\b/i.test(text) &&
    /(^|\s)(\/s|-r(ecurse)?\w*)(\s|$)/i.test(text) &&
    /(^|[\s"'])([a-z]:[\\/]*(\*(\.\*)?|windows|users|program files|programdata|system32)?|\$env:(systemdrive|systemroot|windir|userprofile)|%(systemdrive|systemroot|windir|userprofile)%|\$home)[\\/]*\*?["']?(\s|$)/i.test(
      text,
    )
  );
}
