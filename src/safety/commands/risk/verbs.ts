import type { HarmId } from "./harms.ts";
import type { Call } from "../evaluate/call.ts";
import {
  BRINGS_BACK,
  CLUSTERS,
  DATABASE,
  DATABASE_LOST,
  DATABASE_TASK,
  DESTROYS,
  DESTROYS_CAMEL,
  DESTROYS_FLAG,
  ENDS,
  ENDS_THING,
  FETCHES_PACKAGES,
  MAKES,
  OVERWRITES,
  OVERWRITES_ANYWAY,
  OWN_THINGS,
  PERSONAL,
  PRIVILEGED,
  REMOVES,
  REMOVES_JOINED,
  SECRET_FLAG,
  SECRET_PLACE,
  SECRET_WORDS,
  SMALL_THINGS,
  STRONG,
  TAKES_AWAY,
  THINGS,
  UNASKED,
} from "./verb-words.ts";

/** The words of a call that may say what it does. */
export interface Words {
  readonly verbs: readonly string[];
  readonly flags: readonly string[];
  /** Only help, a rehearsal or a list is asked for. */
  readonly looks: boolean;
}

export function wordsOf(call: Call): Words {
  const { args } = call;
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  return {
    verbs: args
      .filter((arg) => !arg.startsWith("-") && /^[A-Za-z][\w:.-]*$/.test(arg) && !FILE_NAME.test(arg))
      .slice(0, 4),
    flags: args.filter((arg) => arg.startsWith("-")),
    looks:
      own.some((arg) =>
        /^--?(help|version|dry-?run|list|check|status|what-?if|simulate|preview|plan|no-?op|test)(=(true|client|server|all))?$/i.test(
          arg,
        ),
      ) ||
      /^(help|version|list|ls|status|show|info|describe|search|plan|preview|diff|validate|explain|graph|lint)$/.test(
        own.find((arg) => !/^--?[\w-]+=/.test(arg)) ?? "",
      ),
  };
}

/** `purge.ts`, `drop.sql`: a file, not a verb. */
const FILE_NAME =
  /^[\w-]+(\.(test|spec|stories|d|min|config|module|component|service))?\.(?!\w*(delete|destroy|drop|remove|purge)$)[a-z]\w{0,4}$/;

/** Harms that the words say of whatever program: authors of tools use the same few verbs. */
export function judgeVerbs(call: Call, words: Words = wordsOf(call)): void {
  const { verbs, flags } = words;
  if (words.looks) return;
  const says = (harm: HarmId): void => call.by.harm(harm, `${call.program} ${call.args.join(" ")}`);
  if (destroys(call, words)) says("infrastructure");
  judgeSecrets(call, words);
  if (verbs.slice(0, 3).some((verb) => /^(reset|set|change|update)-?\w*-?password$/i.test(verb)))
    says("privilege-config");
  if (
    !/^(p?kill|killall5?|[sx]kill|gradle|gradlew)$/.test(call.program) &&
    flags.some((flag) => /^--?(kill|stop|shutdown|terminate)(-all|-job|-app|-query|-pid)?$/i.test(flag))
  )
    says("service-stop");
  if (call.args.slice(0, 4).some((arg) => DATABASE_TASK.test(arg))) says("database-drop");
  runsRemote(call, verbs, says);
  const at = verbs.findIndex((verb) => /^(services?|daemon|unit|systemd)$/i.test(verb));
  if (at >= 0 && verbs.slice(at + 1, at + 3).some((verb) => ENDS.test(verb))) says("service-stop");
}

/** Verbs that show secrets or open the host, of any program. */
export function judgeSecrets(call: Call, { verbs, flags }: Words = wordsOf(call)): void {
  const says = (harm: HarmId): void => call.by.harm(harm, `${call.program} ${call.args.join(" ")}`);
  const gets = verbs
    .slice(0, 3)
    .some((verb) => /^(get|read|export|cat|dump|show|print|view|fetch|pull|download)$/i.test(verb));
  const kubernetes = /^(kubectl|oc|k|k3s|microk8s)$/.test(call.program);
  const makes = call.args.some((arg) => /^-{1,2}(?:genkey|gen-key|generate-key)$/.test(arg));
  const named =
    !kubernetes &&
    !makes &&
    (SECRET_WORDS.test(verbs.join(" ")) || (gets && call.args.some((arg) => SECRET_PLACE.test(arg))));
  if (named || flags.some((flag) => SECRET_FLAG.test(flag))) says("secret-read");
  if (call.args.some((arg) => PRIVILEGED.test(arg))) says("container-host");
}

/** `tool run https://…`, `tool run <(curl …)`: what it runs is on no disk of ours. */
function runsRemote(call: Call, verbs: readonly string[], says: (harm: HarmId) => void): void {
  const runs = /^[ex]$/.test(call.args[0] ?? "")
    ? 0
    : call.args.findIndex((arg) =>
        /^(run|exec|execute|eval|script|source|load|install|apply|import-script|--script|--run|--exec|-e)$/i.test(arg),
      );
  if (runs === -1 || runs > 3) return;
  for (const arg of call.args.slice(runs + 1, runs + 6))
    if (
      (/^(https?|ftp):\/\/\S/.test(arg) && (verbs[0] !== "load" || /\.(sh|py|js|rb|pl|lua)$/.test(arg))) ||
      (arg.startsWith("/dev/fd/") && call.by.written(arg, call)?.remote)
    )
      says("remote-run");
}

function destroys(call: Call, { verbs, flags }: Words): boolean {
  if (MAKES.test(verbs[0] ?? "") || PERSONAL.has(call.program)) return false;
  const destroying = verbs.findIndex((verb) => DESTROYS.test(verb) || DESTROYS_CAMEL.test(verb));
  if (destroying >= 0 && !SMALL_THINGS.test(verbs[destroying - 1] ?? "")) return true;
  if (flags.some((flag) => DESTROYS_FLAG.test(flag) || OVERWRITES_ANYWAY.test(flag))) return true;
  if (/^self[ -]?uninstall\b/.test(verbs.join(" "))) return true;
  const unasked = flags.some((flag) => UNASKED.test(flag)) || call.args.includes("all");
  const removes = verbs
    .slice(0, 3)
    .findIndex(
      (verb, i) =>
        (REMOVES.test(verb) && !(verb === "clean" && BUILDS.test(verbs[i + 1] ?? ""))) ||
        REMOVES_JOINED.test(verb) ||
        STRONG.test(verb),
    );
  if (
    unasked &&
    (removes >= 0
      ? !SMALL_THINGS.test(verbs[removes - 1] ?? "")
      : flags.some((flag) => /^--(remove|reset|clear|prune|uninstall|rollback)(=|$)/.test(flag)))
  )
    return true;
  // Existing data is overwritten.
  if (verbs.slice(0, 3).some((verb) => BRINGS_BACK.test(verb)) && flags.some((flag) => OVERWRITES.test(flag)))
    return true;
  const restores = verbs.slice(0, 2).findIndex((verb) => /^(restore|rollback)$/i.test(verb));
  if (
    restores >= 0 &&
    call.args.length > restores + 1 &&
    !FETCHES_PACKAGES.has(call.program) &&
    !flags.some((flag) => /^(-t|-o|--(target|output|to|into|destination|out)(-\w+)?)(=|$)/.test(flag))
  )
    return true;
  if (/restore|import|load/.test(call.program) && flags.some((flag) => OVERWRITES.test(flag))) return true;
  // Nothing is left running.
  if (
    verbs.slice(0, 3).some((verb) => /(^|:)(scale|autoscale|resize)$/i.test(verb)) &&
    call.args.some((arg) => /^(0|[\w-]+=0|--[\w-]+=0)$/.test(arg))
  )
    return true;
  if (DATABASE.test(verbs[0] ?? "") && DATABASE_LOST.test(verbs[1] ?? "")) return true;
  if (
    verbs.some((one) => /^migrat(e|ions?)$/i.test(one)) &&
    flags.some((flag) => /^--(down|reset|fresh|rollback|drop)(-|=|$)/.test(flag))
  )
    return true;
  return (
    takesAway(call, verbs[removes], verbs[removes - 1], flags) ||
    verbs.some((verb, i) => ENDS_THING.test(verb) && THINGS.test(verbs[i + 1] ?? "") && call.args.length > i + 2)
  );
}

/** A build recreates the cleaned files: `clean build`. */
const BUILDS = /^(build|install|test|package|compile|assemble|verify|archive|run|dist|all|generate|site|analyze)$/;

/**
 * `users rm bob`, `tctl rm users/bob`, `user-del bob`: a thing of a service, and not what a developer takes away and
 * gets again.
 */
function takesAway(call: Call, verb: string | undefined, noun: string | undefined, flags: readonly string[]): boolean {
  if (verb === undefined) return false;
  const operand = call.args.slice(call.args.indexOf(verb) + 1).some((arg) => !arg.startsWith("-") || arg.includes("="));
  if (STRONG.test(verb) && call.args.length > 1) return true;
  // The tool takes itself out of where it runs: `cilium uninstall`.
  if (verb === "uninstall" && !operand && !SMALL_THINGS.test(noun ?? "") && !flags.includes("--unused")) return true;
  if (verb === "reset" && !operand && CLUSTERS.test(call.program)) return true;
  if (flags.some((flag) => /^--(name|id|[a-z]+-id|uuid|arn|sid)(=|$)/.test(flag)) && TAKES_AWAY.test(verb))
    return !OWN_THINGS.test(noun ?? "");
  if (!operand) return false;
  if (THINGS.test(noun ?? "")) return true;
  if (!TAKES_AWAY.test(verb)) return false;
  if (noun !== undefined) return !OWN_THINGS.test(noun);
  if (/[:_.-]/.test(verb)) return !OWN_THINGS.test(verb.replace(TAKES_AWAY, ""));
  return verb !== "del" && CLUSTERS.test(call.program);
}
