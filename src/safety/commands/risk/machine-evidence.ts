import type { Call } from "../evaluate/call.ts";
import { LOOKS, partsOf, READS, REMOVES, words } from "./evidence-words.ts";
import type { Words } from "./verbs.ts";

interface Given extends Words {
  readonly call: Call;
}

/** Whether a call that names a device asks only what it is. */
export function looksAtDevices(call: Call): boolean {
  if (!call.args.some((arg) => arg.startsWith("/dev/"))) return false;
  return (
    call.args
      .filter((arg) => /^[a-z]/.test(arg))
      .slice(0, 3)
      .some((arg) => /^(?:\w+-)?(?:info|list|ls|show|status|query|inquiry|scan|identify|probe|stats)$/.test(arg)) ||
    call.args.some((arg) => /^--?(?:query|scan|info|identify|inquiry|list|status|stats)$/.test(arg)) ||
    (/fsck|check/.test(call.program) && call.args.includes("-n")) ||
    (call.args.length === 2 && call.args[0] === "-l")
  );
}

const FIRM =
  /(?:^|[-_.])(?:eeprom|firmware|fw|bios|uefi|bootloader|nvram|efuses?|efi(?:var|boot\w*)?|tpm2?|mtd|ubi|mok|spi|spiflash|otp|fuses)(?=$|[-_.\d])|volt$|^pwm|^gpio|^i2c|^smbus|devmem|^ryzen|flash(?:er)?$|[-_]loader|prog$|jtag/;

/** Code that runs before any system starts. A wrong write may be final. */
export function changesFirmware({ call, verbs, flags }: Given): boolean {
  if (!FIRM.test(call.program)) return verbs.slice(0, 2).some((verb) => FIRM.test(verb));
  return (
    (call.args.some((arg) => !arg.startsWith("-")) ||
      flags.some((flag) => /^(?:--[\w-]+=|-[wafsd]$|-\d)/.test(flag))) &&
    !flags.some((flag) => /^-[lphLV]$/.test(flag)) &&
    !LOOKS.test(call.program)
  );
}

/** Programs that rule something: what they do besides looking, starting and making changes it for others. */
export function managed({ call, verbs }: Given): boolean {
  const [verb, next] = verbs;
  if (verb === undefined || verb !== call.args[0] || call.args.length < 2 || !MANAGES.test(call.program)) return false;
  if (
    partsOf(verb).some((part) => BENIGN.has(part)) ||
    (next !== undefined && partsOf(next).some((part) => BENIGN.has(part)))
  )
    return false;
  if (verbs.some((one) => partsOf(one).some((part) => READS.has(part)))) return false;
  if (REMOVES.has(verb) && call.args.slice(1).every((arg) => /^[\w@][\w.@/+-]*$/.test(arg))) return false;
  // A noun comes first: `cluster leave`.
  return !NOUN.test(verb) || next !== undefined;
}

const MANAGES = /[a-z](?:ctl|adm|admin|mgr|_cli|setup|cmd|[-_]?util|[-_]control)$/;
const NOUN =
  /^(?:[a-z-]*(?:s|cluster|node|server|session|user|queue|topic|group|image|volume|network|host|instance|container|job|task|config|cache|db|database|core|board|lib|repo|project|pipeline|store|member|stat|statistics))$/;
const BENIGN = words(
  `start run up attach connect login use select switch set-url build compile test upload download send receive push pull
    apply deploy publish subscribe consume produce create new add generate gen init import export install update upgrade
    sync fetch clone copy cp mv move rename edit open play pause next prev toggle volume exec shell ssh call invoke eval
    ping trace debug profile bench convert render format compare watch follow tail wait join accept reply comment assign
    label note scale enable register config configure completion help reload resume backup snapshot save archive sign
    encrypt decrypt hash link mount pair trust scan analyze report plan refresh restore mark browse serve proxy forward console monitor`,
);

/** A name or verb of formatting, and a drive or a device: `mformat a:`. */
export function formatsDrive({ call }: Given): boolean {
  return (
    [call.program, call.args[0] ?? ""].some((word) => word.endsWith("format")) &&
    call.args.some((arg) => /^(?:[a-z]:|\/dev\/\S+)$/i.test(arg))
  );
}

/** `hubctl -a off`, `x load.off`: of a program that controls machines. */
export function switchesOff({ call }: Given): boolean {
  const controls =
    /(?:ctl|cmd|power|hub|pdu|relay|switch|ipmi|tool|adm)$/.test(call.program) ||
    call.args.some((arg) => /(?:^|-)power(?:-|$)/.test(arg));
  return call.args.some(
    (arg, at) =>
      /^(?:[a-z-]+[.:=])?(?:off|cycle|power-?off|power-?cycle|hard-?reset)$/i.test(arg) &&
      (controls || /^(?:-a|--(?:action|power|state|command))$/.test(call.args[at - 1] ?? "")),
  );
}

/** A repair or an overwrite that is forced on a file of the system. */
export function forcesOutside({ call, flags }: Given): boolean {
  return (
    flags.some((flag) => /^--(?:force|recover|repair|fix|overwrite|in-?place|write|rebuild)$/.test(flag)) &&
    call.args.some((arg) => /^\/(?:var|etc|usr|boot|opt|srv|lib|home\/?$)/.test(arg) && !arg.startsWith("/var/tmp/"))
  );
}

/** Accounts and their groups. */
const ACCOUNTS =
  /(?:user|group|passwd|shadow|sudo|pam)s?[-_]?(?:mod|mems|add|set|admin)$|^(?:ch|set|mod)\w*(?:pw|pass|passwd|password)$/;

/** Accounts, groups and their passwords, unless they are only listed. */
export function changesAccounts({ call, flags }: Given): boolean {
  if (call.program.endsWith("passwd") && flags.some((flag) => /^-[dDx]$/.test(flag))) return true;
  return ACCOUNTS.test(call.program) && flags.length > 0 && !flags.some((flag) => /^(?:-l|-h|-S)$/.test(flag));
}
