import type { Call, Program } from "../evaluate/call.ts";
import { type Flow, derived, UNSEEN } from "../risk/effect.ts";
import { hasMark, MANY, UNKNOWN } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { optionHarms, statementHarms } from "../risk/unknown-options.ts";
import { runsBehind } from "./by-words.ts";

/** Statements in a framework's console that empty or drop a table. */
const RECORDS =
  /objects\.all\(\)\.delete|\.(delete_all|destroy_all|truncate_all|dropDatabase)\b|\bdrop_(table|database)\b|Schema::drop|DB::(statement|unprepared|delete)\(\W*(drop|truncate|delete)|(::|->)truncate\(/i;

/** Frameworks with tasks that drop the database. */
const tasks =
  (pattern: RegExp, code?: RegExp): Program =>
  (call) => {
    const text = call.args.join(" ");
    // A console reads its commands from standard input.
    const typed = call.stdin.text?.slice(0, 4_000) ?? "";
    if (pattern.test(text) || RECORDS.test(text) || RECORDS.test(typed))
      call.by.harm("database-drop", `${call.program} ${text}`);
    statementHarms(call);
    if (code) {
      const match = code.exec(text);
      if (match) call.by.harm("code-runs", `${call.program} ${text}`);
    }
    call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
    return UNSEEN;
  };

/** Subcommands that only query. */
export function query(call: Call): Flow {
  call.by.add({ kind: "network", url: call.program, sends: false });
  return UNSEEN;
}

/** Subcommands for the tool's own plugins and settings, not for the resources it manages. */
const OF_THE_TOOL =
  /^(plugins?|components?|repos?|contexts?|config(urations?)?|alias(es)?|cache|extensions?|completion) (remove|rm|uninstall|delete|unset|purge|clean|clear)\b/;

function beforeDashes(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

/** A program of a cloud: the words that destroy resources, and the words that print secrets. */
export const cloud =
  (destroys: RegExp, secret?: RegExp): Program =>
  (call) => {
    const text = call.args.filter((arg) => !arg.includes(MANY)).join(" ");
    if (
      call.args.includes("--help") ||
      call.args.includes("help") ||
      beforeDashes(call.args).some((arg) => /^--?dry-?run(=(true|1|client|server|all))?$/i.test(arg))
    )
      return query(call);
    if (destroys.test(text) && !OF_THE_TOOL.test(text)) call.by.harm("infrastructure", `${call.program} ${text}`);
    if (secret?.test(text)) call.by.harm("secret-read", `${call.program} ${text}`);
    // A copied file came from the network.
    const place = call.args.at(-1) ?? "";
    if (
      /(^|\s)(cp|copy|copyto|mv|get|download|sync)(\s|$)/.test(text) &&
      call.args.some((arg) => /^\w[\w-]*:(\/\/)?\S/.test(arg)) &&
      !/:/.test(place) &&
      !place.startsWith("-")
    )
      call.by.write(place, call, "copy", { text: undefined, remote: true, from: "pipe" });
    const uploads = /(^|\s)(cp|sync|mv|put|upload|push|create|put-object)(\s|$)/.test(text);
    for (const arg of call.args)
      if (/^(~|\/|\.)/.test(arg) && !hasMark(arg)) call.by.read(arg, call, { shown: uploads });
    elsewhere(call);
    optionHarms(call);
    call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
    return UNSEEN;
  };

/**
 * The command that a cloud's program runs on another machine: `heroku run …`, `fly ssh console -C …`,
 * `aws ssm send-command`.
 */
function elsewhere(call: Call): void {
  const away = { ...call.state, cwds: [undefined], files: new Map() };
  if (call.program === "heroku" && call.args[0] === "run")
    call.by.run(
      call.args.slice(1).filter((arg) => !arg.startsWith("-a")),
      call,
      UNSEEN,
      away,
    );
  const text =
    call.args.find((_, i) => /^(-C|--command|--scripts)$/.test(call.args[i - 1] ?? "")) ??
    /^--command=(.*)$/s.exec(call.args.find((arg) => arg.startsWith("--command=")) ?? "")?.[1];
  if (text !== undefined && call.args.some((arg) => arg === "ssh" || arg === "run-command"))
    call.by.script(text, call, { state: away });
  const exec = call.args.indexOf("exec");
  if (exec >= 0 && exec < 3)
    call.by.run(parseOptions(call.args.slice(exec + 1), { stop: true }).operands.slice(1), call, UNSEEN, away);
  runsBehind(call, away);
  for (const arg of call.args)
    if (/\bcommands=/.test(arg))
      for (const match of arg.matchAll(/"([^"]+)"|'([^']+)'|=([^[\]"']+)$/g))
        call.by.script(match[1] ?? match[2] ?? match[3]!, call, { state: away });
}

const terraform = cloud(
  /(^|\s)(destroy)\b|apply\b.*(-destroy|-auto-approve)|^state (rm|push|mv|replace-provider)|^workspace delete|^force-unlock|^taint\b|\brun-all (destroy|apply)/,
  /^output.*(-json|-raw)|^state pull/,
);
const aws = cloud(
  /\b(delete|terminate|remove|deregister|purge|destroy|disable|revoke|detach|stop|reboot|release|cancel|reset|empty)(-[\w-]+)\b|^(--?[\w-]+ \S+ )*s3 (rb|rm)\b|s3 (sync|mv)\b.*--delete|schedule-\w+-deletion|"Action":\s*"DELETE"|--(min-size|desired-capacity|desired-count|min-capacity)[= ]0(\s|$)|--no-deletion-protection/,
  /secretsmanager get-secret-value|ssm get-parameters?.*--with-decryption|sts (get-session-token|assume-role)|configure (get|export-credentials)|get-authorization-token|create-access-key|kms decrypt/,
);
const awsGrants: Program = (call) => {
  const text = call.args.join(" ");
  const grants =
    /\b(attach|put)-(user|role|group)-policy\b|\b(create-login-profile|add-user-to-group|update-assume-role-policy|create-policy-version)\b|authorize-security-group-ingress.*0\.0\.0\.0\/0|put-bucket-(acl|policy).*(public|\*)|BlockPublic\w+=false|RestrictPublicBuckets=false/.test(
      text,
    );
  if (grants) call.by.harm("privilege-config", `aws ${text}`);
  return aws(call);
};

const gcloud = cloud(
  /(^|\s)(delete|destroy|remove|reset|stop|disable|undelete-?|purge)(\s|$)|^(-\w+ )*(rm|rb)\b|\bstorage rm\b|add-iam-policy-binding|set-iam-policy|rsync.*\s-d\b|(min-instances|num-nodes|size)[= ]0(\s|$)|firewall-rules.*0\.0\.0\.0\/0|--no-deletion-protection/,
  /auth (application-default )?print-(access|identity)-token|secrets versions access|keys create/,
);

const rcloneAway = cloud(/^(\S+ )*(purge|delete|deletefile|rmdirs|sync|cleanup)\b/, /^config (show|dump)/);

/** A path without the name of a remote is a folder on this machine. */
const rclone: Program = (call) => {
  const [verb = "", ...places] = call.args.filter((arg) => !arg.startsWith("-"));
  const dry = call.args.some((arg) => /^(-n|--dry-run)$/.test(arg));
  const emptied = /^(purge|delete|rmdirs|cleanup)$/.test(verb) ? places[0] : verb === "sync" ? places[1] : undefined;
  if (!dry && emptied !== undefined && !/^[\w .-]+:/.test(emptied))
    call.by.remove(emptied, call, { recursive: true, by: `rclone ${verb}` });
  return rcloneAway(call);
};

const ansible: Program = (call) => {
  const options = parseOptions(call.args, {
    short: "miauelfBPtck",
    long: ["module-name", "args", "inventory", "user", "extra-vars", "limit"],
  });
  const module = (options.value("m", "module-name") ?? "command").replace(/^ansible\.(builtin|legacy)\./, "");
  const text = options.value("a", "args");
  if (text !== undefined && /^(shell|command|raw|script|win_shell|win_command)$/.test(module))
    call.by.script(text, call, { state: { ...call.state, cwds: [undefined] } });
  else if (/^(service|systemd)$/.test(module) && /state=(stopped|restarted)/.test(text ?? ""))
    call.by.harm("service-stop", `ansible ${text}`);
  else if (/^(reboot)$/.test(module)) call.by.add({ kind: "power", action: "ansible reboot" });
  else if (module === "file" && /state=absent/.test(text ?? ""))
    call.by.remove(/path=(\S+)/.exec(text!)?.[1] ?? UNKNOWN, call, { recursive: true, by: "ansible file" });
  else if (/\bstate=(absent|latest_absent|purged|removed)\b/.test(text ?? ""))
    call.by.harm("infrastructure", `ansible ${module} ${text}`);
  call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
  return UNSEEN;
};

const hermes: Program = (call) => {
  const words = parseOptions(call.args, { short: "pq" }).operands;
  const [area = "", verb = ""] = words;
  const show = `hermes ${words.join(" ")}`;
  if (area === "gateway" && /^(stop|restart|uninstall|kill)$/.test(verb)) call.by.harm("self-gateway", show);
  else if (area === "update" || area === "upgrade" || area === "uninstall") call.by.harm("self-update", show);
  else if (
    (area === "config" && /^(set|unset|edit|migrate)$/.test(verb)) ||
    (/^(plugins?|tools|skills?|mcp|hooks?|cron|profile|auth|toolsets?|memory)$/.test(area) &&
      /^(enable|disable|install|add|remove|rm|delete|set|update|uninstall|create|import|login|logout|grant|revoke)$/.test(
        verb,
      )) ||
    /^(setup|login|logout|model|import|restore)$/.test(area)
  )
    call.by.harm("self-config", show);
  // Another agent, started without approvals.
  else if (call.args.some((arg) => /^--(yolo|dangerously-[\w-]+|accept-hooks)$/.test(arg)))
    call.by.harm("self-config", `hermes ${call.args.join(" ")}`);
  else if (area === "approvals" && verb === "revoke") call.by.harm("self-config", show);
  call.by.add({ kind: "execute", program: "hermes", words: ["hermes", ...words] });
  return call.stdin.from === "inherit" ? UNSEEN : derived(call.stdin);
};

const DB_TASKS =
  /\b(db:(drop|reset|wipe|purge|schema:load|migrate:reset|truncate_all)|migrate:(fresh|reset|refresh)|migrate reset|db push --(force-reset|accept-data-loss)|db wipe|sqlflush|flush --no-?input|reset_db|flush\b|ecto\.(drop|reset))/;

export const CLOUDS: Readonly<Record<string, Program>> = {
  rails: tasks(DB_TASKS, /^(runner|r)\s.*(system|exec|`|eval|delete_all|destroy_all|drop_table|truncate)/),
  rake: tasks(DB_TASKS),
  "manage.py": tasks(DB_TASKS),
  "django-admin": tasks(DB_TASKS),
  flask: tasks(/db (drop|downgrade base|reset)|\bdrop[-_](db|all)/),
  symfony: tasks(/doctrine:(database|schema):drop/),
  sail: tasks(DB_TASKS),
  artisan: tasks(DB_TASKS),
  prisma: tasks(DB_TASKS),
  sequelize: tasks(/db:drop|db:migrate:undo:all/),
  "sequelize-cli": tasks(/db:drop|db:migrate:undo:all/),
  knex: tasks(/migrate:rollback --all/),
  typeorm: tasks(/schema:drop/),
  mix: tasks(DB_TASKS),
  flyway: tasks(/\bclean\b/),
  liquibase: tasks(/drop-?all|rollback/i),
  "drizzle-kit": tasks(/\bdrop\b/),
  alembic: tasks(/downgrade base/),
  supabase: tasks(/db reset/),
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  tf: terraform,
  pulumi: cloud(/^(\S+ )*(destroy|up\b.*(-y|--yes)|stack rm|cancel|refresh.*-y)/, /--show-secrets|config get .*--/),
  aws: awsGrants,
  awslocal: awsGrants,
  gcloud,
  gsutil: gcloud,
  az: cloud(
    /(^|\s)(delete|purge|deallocate|stop|restart|remove|failover|revoke|regenerate|reimage|redeploy)(-[\w-]+)?(\s|$)|role assignment create|create-for-rbac|--source-address-prefixes? (\*|0\.0\.0\.0|Internet)/,
    /keyvault secret show|account get-access-token|keys list|list-keys|credential (list|reset)/,
  ),
  doctl: cloud(/\b(delete|rm|d|destroy)\b/, /auth token/),
  heroku: cloud(
    /(apps:destroy|apps:delete|pg:reset|addons:destroy|ps:stop|pg:killall|(^|\s)destroy\b)/,
    /^(config(:get)?\b(?!:(set|unset|edit))|auth:token|pg:credentials)/,
  ),
  fly: cloud(/\b(destroy|delete|remove)\b/, /auth token|tokens create/),
  flyctl: cloud(/\b(destroy|delete|remove)\b/, /auth token/),
  vercel: cloud(/^(\S+ )*(rm|remove|project rm|env rm)\b/, /^env pull|^env ls.*decrypt/),
  netlify: cloud(/(sites:delete|\bdelete\b)/, /env:get|env:list/),
  railway: cloud(/\b(down|delete|remove)\b/, /^variables/),
  wrangler: cloud(/\b(delete)\b/),
  firebase: cloud(/(delete|destroy|:disable|remove)/),
  eksctl: cloud(/^(delete|drain)\b/),
  kops: cloud(/^delete\b/),
  linode: cloud(/\bdelete\b/),
  "linode-cli": cloud(/\b(delete|rm)\b/),
  hcloud: cloud(/\b(delete|shutdown|poweroff|reset|reboot)\b/),
  scw: cloud(/\b(delete|terminate|stop)\b/),
  oci: cloud(/\b(delete|terminate)\b/),
  ibmcloud: cloud(/\b(delete|rm|-rm)\b/),
  cf: cloud(/^(delete|d)\b|^delete-/, /^env\b/),
  serverless: cloud(/^remove\b/),
  sls: cloud(/^remove\b/),
  sam: cloud(/^delete\b/),
  cdk: cloud(/^destroy\b/),
  sst: cloud(/^(remove|unlock)\b/),
  copilot: cloud(/\bdelete\b/),
  amplify: cloud(/^(delete|remove)\b/),
  cdktf: cloud(/^destroy\b/),
  packer: cloud(/(?!)/),
  vault: cloud(
    /^(\S+ )*(delete|destroy|kv (delete|destroy|metadata delete)|secrets disable|auth disable|operator seal|lease revoke|token revoke)\b/,
    /^(kv get|read|token (lookup|create)|print token)\b/,
  ),
  nomad: cloud(/(job stop|stop|system gc|node drain)\b/),
  rclone,
  s3cmd: cloud(/^(\S+ )*(del|rm|rb|sync.*--delete-removed|expire)\b/),
  mc: cloud(/^(rm|rb|mirror.*--remove)\b/),
  b2: cloud(/(delete|rm)/),
  flux: cloud(/^(delete|uninstall)/),
  argocd: cloud(/\b(delete|terminate-op)\b/),
  istioctl: cloud(/uninstall|experimental uninstall/),
  velero: cloud(/\bdelete\b/),
  ansible,
  "ansible-playbook": cloud(/(?!)/),
  chef: cloud(/(?!)/),
  knife: cloud(/\bdelete\b/),
  hermes,
  "hermes-agent": hermes,
};
