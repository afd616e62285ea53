import type { HarmId } from "../harms.ts";
import type { Call } from "./call.ts";

/** The words of a call that may say what it does. */
export interface Words {
  readonly verbs: readonly string[];
  readonly flags: readonly string[];
  /** Only help, a rehearsal or a list is asked for. */
  readonly looks: boolean;
}

export function wordsOf(call: Call): Words {
  const { args } = call;
  return {
    verbs: args.filter((arg) => !arg.startsWith("-") && /^[A-Za-z][\w:.-]*$/.test(arg) && !FILE_NAME.test(arg)).slice(0, 4),
    flags: args.filter((arg) => arg.startsWith("-")),
    looks:
      args.some((arg) => /^--?(help|version|dry-?run|list|check|status|what-?if|simulate|preview|plan|no-?op|test)(=(true|client|server|all))?$/i.test(arg)) ||
      /^(help|version|list|ls|status|show|info|describe|search|plan|preview|diff|validate|explain|graph|lint)$/.test(args[0] ?? ""),
  };
}

/** `purge.ts`, `drop.sql`: a file, not a verb. */
const FILE_NAME = /^[\w-]+\.(?!\w*(delete|destroy|drop|remove|purge)$)[a-z]\w{0,4}$/;

/** Harms that the words say of whatever program: authors of tools use the same few verbs. */
export function judgeVerbs(call: Call, words: Words = wordsOf(call)): void {
  const { verbs, flags } = words;
  if (words.looks) return;
  const says = (harm: HarmId): void => call.by.harm(harm, `${call.program} ${call.args.join(" ")}`);
  if (destroys(call, words)) says("infrastructure");
  judgeSecrets(call, words);
  if (verbs.slice(0, 3).some((verb) => /^(reset|set|change|update)-?\w*-?password$/i.test(verb))) says("privilege-config");
  if (!/^(p?kill|killall5?|[sx]kill)$/.test(call.program) && flags.some((flag) => /^--?(kill|stop|shutdown|terminate)(-all|-job|-app|-query|-pid)?$/i.test(flag))) says("service-stop");
  runsRemote(call, verbs, says);
  const at = verbs.findIndex((verb) => /^(services?|daemon|unit|systemd)$/i.test(verb));
  if (at >= 0 && verbs.slice(at + 1, at + 3).some((verb) => ENDS.test(verb))) says("service-stop");
}

/** What shows secrets or opens the host, of whatever program. */
export function judgeSecrets(call: Call, { verbs, flags }: Words = wordsOf(call)): void {
  const says = (harm: HarmId): void => call.by.harm(harm, `${call.program} ${call.args.join(" ")}`);
  const gets = verbs.slice(0, 3).some((verb) => /^(get|read|export|cat|dump|show|print|view|fetch|pull|download)$/i.test(verb));
  const kubernetes = /^(kubectl|oc|k|k3s|microk8s)$/.test(call.program);
  const named = !kubernetes && (SECRET_WORDS.test(verbs.join(" ")) || (gets && call.args.some((arg) => SECRET_PLACE.test(arg))));
  if (named || flags.some((flag) => SECRET_FLAG.test(flag))) says("secret-read");
  if (call.args.some((arg) => PRIVILEGED.test(arg))) says("container-host");
}

/** `tool run https://…`, `tool run <(curl …)`: what it runs is on no disk of ours. */
function runsRemote(call: Call, verbs: readonly string[], says: (harm: HarmId) => void): void {
  const runs = call.args.findIndex((arg) => /^(run|exec|execute|eval|e|x|script|source|load|install|apply|import-script|--script|--run|--exec|-e)$/i.test(arg));
  if (runs === -1 || runs > 3) return;
  for (const arg of call.args.slice(runs + 1, runs + 6))
    if ((/^(https?|ftp):\/\/\S/.test(arg) && (verbs[0] !== "load" || /\.(sh|py|js|rb|pl|lua)$/.test(arg))) || (arg.startsWith("/dev/fd/") && call.by.written(arg, call)?.remote)) says("remote-run");
}

function destroys(call: Call, { verbs, flags }: Words): boolean {
  if (verbs.some((verb) => DESTROYS.test(verb) || DESTROYS_CAMEL.test(verb)) || flags.some((flag) => DESTROYS_FLAG.test(flag))) return true;
  if (/^self[ -]?uninstall\b/.test(verbs.join(" "))) return true;
  const removes = verbs.slice(0, 3).findIndex((verb) => REMOVES.test(verb) || /[:_.-](remove|rm|del|reset|clear|revoke)$|^(clear|reset|remove|flush|prune|unload|expire)-/.test(verb));
  if (removes >= 0 && flags.some((flag) => UNASKED.test(flag))) return true;
  // What was there is written over.
  if (verbs.slice(0, 3).some((verb) => /^(restore|import|load|apply|sync|push|deploy)$/i.test(verb)) && flags.some((flag) => OVERWRITES.test(flag))) return true;
  if (flags.some((flag) => OVERWRITES_ANYWAY.test(flag))) return true;
  if (/^(db|database|schema|migrations?|tables?)$/i.test(verbs[0] ?? "") && /^(reset|downgrade|drop|rollback|flush|clean|clear|undo|wipe|recreate|fresh|refresh|nuke)$/i.test(verbs[1] ?? "")) return true;
  if (verbs.some((one) => /^migrat(e|ions?)$/i.test(one)) && flags.some((flag) => /^--(down|reset|fresh|rollback|drop)(-|=|$)/.test(flag))) return true;
  // `users rm bob`, `tctl rm users/bob`, `user-del bob`: a thing of a service, not of this project's.
  const verb = verbs[removes] ?? "";
  if (STRONG.test(verb) && call.args.indexOf(verb) + 1 < call.args.length) return true;
  if (removes === -1 || !TAKES_AWAY.test(verb)) return false;
  const noun = removes > 0 ? verbs[removes - 1]! : verb.replace(TAKES_AWAY, "");
  const operand = call.args.indexOf(verb) + 1 < call.args.length;
  if (removes > 0 || /[:_.-]/.test(verb)) return operand && !OWN_THINGS.test(noun);
  if (flags.some((flag) => /^--(name|id|[a-z]+-id|uuid|arn|sid)(=|$)/.test(flag))) return true;
  return operand && verb !== "del" && /(ctl|adm|admin|mgr|-cli|cli)$/.test(call.program);
}

/** Verbs that say it all, alone (`delete`), with their thing (`delete-bucket`, `apps:destroy`) or joined to it (`droplet-delete`). */
const DESTROYS = /^((rmr|deleteall|delete|destroy|terminate|purge|wipe|nuke|erase|obliterate|factory-?reset|drop|truncate|teardown|tear-down|flush-?all|destroy-?all|delete-?all)([.:_-].*)?|[\w:.-]+[.:_-](delete|destroy|terminate|purge|wipe|drop|erase|reset-db|truncate)|(disconnect|remove|kill|detach|unmount|disable|revoke|clear|flush|logout|stop|expire)-all)$/i;
/** `DeleteKeyspace`, `Manager.TerminateUser`. */
const DESTROYS_CAMEL = /(^|\.)(Delete|Drop|Destroy|Terminate|Purge|Truncate|Remove|Kill|Wipe|Erase)[A-Z]\w*$/;
const DESTROYS_FLAG = /^--?(delete|destroy|purge|wipe|nuke|erase|drop|terminate|force-(delete|destroy|remove)|delete-(?!old-after)[\w-]+|remove-all|clean-?all|factory-?reset|revoke)(=(?!false)|$)/i;
const REMOVES = /^(rm|remove|del|rollback|reset|prune|clear|clean|cleanup|revoke|undeploy|uninstall|flush|detach|forget|gc|expunge|discard|abandon|deregister|unregister|evict|drain|down|deactivate|offboard|decommission)$/i;
const TAKES_AWAY = /(^|[:_.-])(rm|remove|del|revoke|deregister|unregister|evict|deactivate|decommission|offboard|retire)$/i;
/** Said of people, keys and machines only. */
const STRONG = /^(revoke|deregister|unregister|decommission|deactivate|offboard|evict|expunge)$/i;
/** What a developer takes away in a day, and gets again. */
const OWN_THINGS =
  /^(cache|caches|logs?|config|settings?|toolchains?|targets?|components?|plugins?|extensions?|addons?|env|envs|virtualenv|packages?|pkg|deps?|dependency|dependencies|labels?|tags?|alias|aliases|themes?|templates?|snippets?|tasks?|todos?|notes?|bookmarks?|fonts?|remotes?|file|files|modules?|repos?|tools?|path|recipe|channel|version|context|profile|hook|hooks|source|sdk|font|favorite|list|item|queue|tab|pane|window|mod|formula|cask|tap|shim|history|filter|column|watch|breakpoint|include|exclude|proxy|skill|mcp|model)$/i;
const OVERWRITES = /^--?(overwrite|force|replace|full|clean|clobber|drop|truncate|overwrite-[\w-]+|force-[\w-]+|accept-data-loss|drop-\w+)(=(?!false)|$)/i;
/** Protection that is switched off, whatever the verb. */
const OVERWRITES_ANYWAY = /^--(overwrite-(tables|database|db|all|existing|destination)|force-(non-empty|delete|drop|destroy|unlock|remove|overwrite|kill|stop|reset|restore|replace)[\w-]*|reset-(data|db|database|all|state|config|password)[\w-]*|wipe-[\w-]+|i-know-what-i-m?-?doing|yes-i-[\w-]+|no-preserve-\w+|really-\w+|dangerous(ly)?(-(?!skip-permissions|allow-html)[\w-]+)?)(=(?!false)|$)/i;
const UNASKED = /^(-y|-f|-rf|-fr|--yes|--force|--all|--recursive|--no-(confirm|prompt|input|interaction|preserve\S*)|--auto-approve|--assume-?yes|--non-?interactive|--confirm|--skip-confirm\w*|--quiet-?yes|--hard|--now)(=|$)/;
const SECRET_WORDS =
  /(^|\s)(secrets?|credentials?|passwords?|tokens?|keys?)\s(get|show|read|view|reveal|access|export|download|print|dump|cat|copy|list-values)(\s|$)|(^|\s)(?!get-credentials)(get|show|read|reveal|export|print|dump|decrypt|copy)[-_ ](secrets?|credentials?|passwords?|(access-?|auth-?|api-?)?tokens?|private-?keys?|master-?keys?|secret-value)(\s|$)|(^|\s)auth (token|print-\S+)(\s|$)/i;
const SECRET_FLAG = /^--(?!show-keys$)(show|print|reveal|with|export|dump|include|display)-(secrets?|passwords?|tokens?|keys|credentials?|private-keys?|decryption|values)(=|$)|^--?show-?secrets?(=|$)|^--(reveal|unmask|show-sensitive)(=|$)/i;
/** A name in a store of keys: `secrets/db`. */
const SECRET_PLACE = /^(?!https?:)([\w.-]*\/)*(secrets?|passwords?|credentials?|api[-_]?keys?|private[-_]?keys?)\/[\w./-]*$/i;
/** A container or machine that is given rights over its host. */
const PRIVILEGED = /(^|[.,"{\s-])(privileged|hostPID|hostNetwork|hostIPC|security\.privileged|allowPrivilegeEscalation)["']?[=:]\s?"?(true|1|yes)\b/i;
/** Whatever it is that is stopped: somebody may be using it. */
export const ENDS = /^(stop|restart|shutdown|kill|killall|kill-all|stop-?all|disable|halt|poweroff|power-?off|power-?cycle|suspend|stop-\w+|restart-\w+|shutdown-\w+|stopped|restarted)$/i;
