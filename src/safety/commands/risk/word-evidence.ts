import type { Call } from "../evaluate/call.ts";
import type { HarmId } from "./harms.ts";
import { CLEAR, LOSES, LOSES_JOINED, LOSES_LAST, LOOKS, OF_NOUN, partsOf, READS, REMOVES } from "./evidence-words.ts";
import {
  changesAccounts,
  changesFirmware,
  forcesOutside,
  formatsDrive,
  managed,
  switchesOff,
} from "./machine-evidence.ts";
import { MAKES, OWN_THINGS, PERSONAL, SMALL_THINGS, THINGS } from "./verb-words.ts";
import type { Words } from "./verbs.ts";

/**
 * Options that say on any program that something is lost or changed for all users: alone, or with a thing of a service
 * or a machine behind it.
 */
const OPTION =
  /^--?(?:(?:delete|remove|erase|wipe|zap|uninstall|purge|destroy|clear|flush|unpair|unregister|deregister|unlink|drop|prune|format|reset|revert|rollback|factory-?reset|expire|kill|terminate|evict|unset|burn|flash|reboot|restart|shutdown|power-?off|poweroff|halt|freeze|fence|deactivate|disable|execute|detach|unbind|unlock|logout|sign-?out|overwrite|reinit|reformat|zero|truncate|empty|cancel|eject|resync)(?:-?([a-z-]+)|\d)?|[a-z-]+-(?:delete|erase|wipe|destroy|purge|revert|uninstall))$/i;
const LOST_THING =
  /^(?:all|only|data|devices?|disks?|partitions?|dir(?:ectory|ectories)?|folders?|local|remote|target|destination|source|removed|extraneous|excluded|permanent(?:ly)?|recursive|forever|messages?|mails?|sms|flags?|pins?|passwords?|config|settings|firmware|keys?|server|tls|ssl|auth\w*|security|firewall|protection|verification|slots?|owner(?:ship)?|now|immediately|system|filesystem|header|range|t?per|lock\w*|everything|entries|records?|items?|profiles?|images?|apps?|functions?|nodes?|hosts?|messages?|queues?)$/i;
const FLASHES =
  /^--?(?:write|erase|program|burn|load|update|unlock)-?(?:flash|firmware|eeprom|rom|bios|nvram|otp|fuses?)|^--?(?:flash|firmware|eeprom|rom|bios|nvram|otp|fuses?)-(?:write|erase|program|burn|load|update|unlock)/i;
/** The author of the program warns of it. */
const WARNED =
  /^--?(?:yes-(?!to-all|all\b)[\w-]+|yesi\w+|really-[\w-]+|i-(?:know|understand|am|accept)[\w-]*|i?am(?:expert|sure)|no-?undo|allow-(?:unsafe|destructive|data-loss|drop)[\w-]*|permanent(?:ly)?|force-(?:delete|remove|destroy|erase|format|unlock|overwrite)|unsafe|destructive)$/i;

const NAME =
  /(?:^|[-_.\d])(?:set(?:env|ting|pci|fan|up-disk)|evict\w*|undefine\w*|rm(?:vol|node|dev|part|tree|dir)|erase\w*|eeprom-update|unlock|unbind|detach|delete|remove|destroy|wipe|zap|nuke|revoke|unregister)(?:$|[-_.])|[^aeiou]del(?:tree)?$|(?:rm|remove)(?:vol|node|dev|part)$|(?:freeze|expire|erase|wipe|shred|destroy|rewind|rollback|downgrade)$/;

interface Given extends Words {
  readonly call: Call;
}
/** The first that applies names the harm. */
const EVIDENCE: readonly (readonly [HarmId, (given: Given) => boolean])[] = [
  ["infrastructure", (given) => verbsLose(given) || optionsLose(given) || nameLoses(given)],
  ["system-config", changesFirmware],
  ["privilege-config", changesAccounts],
  ["infrastructure", (given) => liftsProtection(given) || pays(given) || managed(given)],
  ["schedule", ({ call, flags }) => /cron(?:tab)?$/.test(call.program) && !flags.some((flag) => /^-[lhVv]/.test(flag))],
  ["privilege-config", opensToAll],
  ["format-file", formatsDrive],
  ["infrastructure", ({ call }) => call.args.some((arg) => /^(?:blank|erase|wipe|delete)=/.test(arg))],
  ["service-stop", switchesOff],
  ["infrastructure", confirms],
  ["system-config", forcesOutside],
];

/**
 * Words by which a program of no table shows what it does: verbs, options, its name, and the things that it names.
 * Ordinary verbs of development (`deploy`, `push`, `install`, `remove pkg`) are no evidence.
 */
export function wordEvidence(call: Call, { verbs, flags, looks }: Words, says: (harm: HarmId) => void): void {
  if (revealsKeys(call, verbs)) says("secret-read");
  if (call.args.length === 0 || PERSONAL.has(call.program) || readsOnly(call, verbs, flags)) return;
  const given = { call, verbs, flags, looks };
  const found = EVIDENCE.find(([, applies]) => applies(given));
  if (found !== undefined) says(found[0]);
}

/** Whether the first verb, or every option of a call without verbs, only looks. */
function readsOnly(call: Call, verbs: readonly string[], flags: readonly string[]): boolean {
  const first = verbs[0];
  if (first !== undefined && call.args.indexOf(first) < 4 && partsOf(first).some((part) => READS.has(part)))
    return true;
  return flags.some((flag) => LOOKING.test(flag));
}

const LOOKING =
  /^--?(?:query|scan|info|identify|inquiry|inspect|list|show|display|print|status|stats|get|verify|validate|check|no-?action|no-?act|no-?op|simulate|dry|read-?only|version|help)(?:-[\w-]+)?(?:=|$)/i;

function verbsLose({ call, verbs, flags }: Given): boolean {
  for (const [at, verb] of verbs.slice(0, 3).entries()) {
    const before = verbs[at - 1];
    if (at > 0 && (READS.has(before!.toLowerCase()) || MAKES.test(before!))) return false;
    if (before !== undefined && (SMALL_THINGS.test(before) || OWN_THINGS.test(before))) continue;
    const parts = partsOf(verb);
    const thing = parts.length > 1 ? parts.at(-1)! : (verbs[at + 1] ?? "");
    if (SMALL_THINGS.test(thing) || OWN_THINGS.test(thing)) continue;
    if (GLUED.test(verb)) return true;
    const operands = call.args.length > call.args.indexOf(verb) + 1;
    if (parts.length > 1 && (LOSES_JOINED.has(parts[0]!) || LOSES.has(parts[0]!))) return true;
    if (parts.length > 1 && (LOSES.has(parts.at(-1)!) || LOSES_LAST.has(parts.at(-1)!))) return true;
    if (parts.length === 1 && LOSES.has(parts[0]!) && (operands || at > 0 || CLEAR.has(parts[0]!))) return true;
    if (parts.length === 1 && at > 0 && OF_NOUN.has(parts[0]!) && operands) return true;
    if (parts.length === 1 && REMOVES.has(parts[0]!) && operands && !isPlain(call, verb, at, flags)) return true;
  }
  return false;
}

/** `deleteallsms`, `batchdelete`. */
const GLUED =
  /^(?:(?!un)[a-z]{2,}(?:delete|reset)|(?:delete|destroy|erase|wipe|purge)(?!e?[dr]s?$)[a-z]+|(?:user|group|host|node|key|zone|vm|vol|net|member|queue)(?:del|rm|remove))\d?$/i;
/** `remove pkg`: only names behind the verb, and no option that makes it stronger. */
function isPlain(call: Call, verb: string, at: number, flags: readonly string[]): boolean {
  if (at > 0 || verb === "del") return false;
  if (flags.some((flag) => /^-[rRfdyY]{1,3}$|^--(?:recursive|force|permanent|all|yes|purge|hard)/.test(flag)))
    return false;
  return call.args
    .slice(call.args.indexOf(verb) + 1)
    .every((arg) => arg.startsWith("-") || /^[\w@][\w.@/+-]*$/.test(arg));
}

function optionsLose({ call, flags }: Given): boolean {
  return flags.some((flag) => {
    if (WARNED.test(flag)) return true;
    const [, name = flag, value] = /^(--?[\w-]+)=(.*)$/s.exec(flag) ?? [];
    if (/^(?:false|no|0|off|never|none)$/i.test(value ?? "")) return false;
    if (FLASHES.test(name)) return true;
    const found = OPTION.exec(name);
    if (found === null) return false;
    if (found[1] !== undefined) return LOST_THING.test(found[1]) || THINGS.test(found[1]);
    if (!name.startsWith("--")) return false;
    if (!OFTEN_DATA.test(name)) return true;
    // Without a value it is no setting.
    const next = call.args[call.args.indexOf(flag) + 1];
    if (value !== undefined || (next !== undefined && !next.startsWith("-"))) return false;
    return BARE.test(name) || (ALONE.test(name) && call.args.every((arg) => arg.startsWith("-")));
  });
}

/** `--format json`, `--disable x`, `--drop column`: settings of an ordinary program. */
const OFTEN_DATA =
  /^--(?:format|execute|disable|drop|clear|reset|prune|empty|expire|kill|restart|unset|overwrite|cancel|zero|truncate|flush|unlink|revert)$/i;
/** Without any operand. */
const ALONE = /^--(?:prune|empty|flush|zero|truncate)$/i;
const BARE = /^--(?:execute|disable|reset|expire|kill|restart|unset|cancel)$/i;

/** `delete from t` is a statement, not a program. */
function nameLoses({ call, flags }: Given): boolean {
  if (call.args[0]?.toLowerCase() === "from") return false;
  return NAME.test(call.program) && !flags.includes("-n") && call.args.some((arg) => !arg.startsWith("-"));
}

/** `getseed`, `export:credentials --decrypted`. */
function revealsKeys(call: Call, verbs: readonly string[]): boolean {
  return (
    verbs
      .slice(0, 2)
      .some((verb) =>
        /^(?:get|show|list|dump|export|reveal|print)[:_.-]?(?:seed|mnemonic|priv(?:ate)?[-_]?keys?|master[-_]?key|password|passphrase)/i.test(
          verb,
        ),
      ) || call.args.some((arg) => /^--(?:decrypted|show-seed|with-private|include-secrets?)$/.test(arg))
  );
}

/** A firewall, a kill switch or a private network that is off: `firewall -off`, `disconnect`. */
function liftsProtection({ call, verbs }: Given): boolean {
  if (/^(?:disconnect|leave|logout)$/.test(verbs[0] ?? "") && call.args.length === 1) return true;
  return (
    call.args.some((arg) => /(?:firewall|kill-?switch|protection|lockdown|shield|antivirus|selinux)/i.test(arg)) &&
    call.args.some((arg) => /^-{0,2}(?:off|disable|disabled|stop|down|false|none|0)$/i.test(arg))
  );
}

/** Money cannot be taken back. */
function pays({ verbs, flags }: Given): boolean {
  return (
    verbs
      .slice(0, 2)
      .some((verb) => /^(?:payto|paytomany|sendtoaddress|sendmany|pay-?invoice|withdraw)$/i.test(verb)) ||
    (verbs.slice(0, 2).some((verb) => /^(?:send|pay|transfer)$/i.test(verb)) &&
      flags.some((flag) => /^--amount(?:=|$)/.test(flag)))
  );
}

/** `permissions share --type anyone`, `acl set public-read`. */
function opensToAll({ call }: Given): boolean {
  return (
    call.args.some((arg) => /(?:^|[=:])(?:anyone|everyone|public|public-\w+|all-?users|world)$/i.test(arg)) &&
    call.args.some((arg) => /^(?:-{1,2})?(?:share|grant|acl|permissions?|visibility|access|policy|expose)\b/i.test(arg))
  );
}

/** `-y`: the program asks before it does this, and the call answers. */
function confirms({ call, verbs, flags }: Given): boolean {
  return (
    flags.some((flag) => /^(?:-y|--yes|--assume-?yes|--no-?confirm|--skip-?confirm)$/.test(flag)) &&
    !verbs.slice(0, 3).some((verb) => ADDS.test(verb)) &&
    !ADDS.test(call.program) &&
    !LOOKS.test(call.program)
  );
}

const ADDS =
  /(?:^|[-_:])(?:install|init|create|add|build|new|setup|up|update|upgrade|sync|get|run|start|fetch|pull|login|apply|deploy|publish|push|scaffold|generate|import|export|convert|fix|migrate|bootstrap|configure|config|download|test|lint|release|commit|exec|dlx|create-\S+)(?:$|[-_:])/i;
