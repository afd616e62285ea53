/**
 * The classes of harm. The user reads `description`, and an approval is stored under it (session grants,
 * `command_allowlist`). `keep: false`: an approval for this class is never stored, since it would allow more than the
 * user saw.
 */
interface Harm {
  readonly answer: "ask" | "block";
  readonly description: string;
  readonly keep: boolean;
}

const block = (description: string): Harm => ({ answer: "block", description, keep: false });
const ask = (description: string): Harm => ({ answer: "ask", description, keep: true });
const never = (description: string): Harm => ({ answer: "ask", description, keep: false });

export const HARMS = {
  "root-delete": block("recursive delete of the root, a system directory or a whole home"),
  "format-device": block("format a device"),
  "raw-device": block("write to a raw device"),
  "fork-bomb": block("fork bomb"),
  "kill-all": block("kill all processes"),
  power: block("shut down or restart the machine"),
  "root-mode": block("recursive mode or owner change of the root"),

  "recursive-delete": ask("recursive delete"),
  "find-delete": ask("find -delete"),
  "find-rm": ask("find -exec/-execdir rm"),
  "xargs-rm": ask("xargs with rm"),
  "root-path-delete": ask("delete in root path"),
  "unclear-delete": never("delete of files the command does not name"),
  "mirror-delete": ask("delete what is missing at the source"),
  "windows-delete": ask("Windows cmd destructive delete"),
  "powershell-delete": ask("Windows PowerShell destructive delete"),
  "world-writable": ask("world/other-writable permissions"),
  "set-id": ask("set-uid or set-gid permissions"),
  "chown-root": ask("recursive chown to root"),
  "system-mode": ask("mode or owner change in a system directory"),
  "format-file": ask("format filesystem"),
  "disk-copy": ask("disk copy"),
  "disk-change": ask("change of a disk's layout"),
  "sql-drop": ask("SQL DROP"),
  "sql-delete": ask("SQL DELETE without WHERE"),
  "sql-update": ask("SQL UPDATE without WHERE"),
  "sql-truncate": ask("SQL TRUNCATE"),
  "sql-program": never("SQL that runs a program"),
  "database-drop": ask("delete or empty a database"),
  "system-config": ask("overwrite system config"),
  "kernel-setting": ask("change of a kernel setting"),
  "service-stop": ask("stop/restart system service"),
  "container-stop": ask("docker restart/stop/kill (container lifecycle)"),
  "compose-stop": ask("docker compose restart/stop/kill/down (container lifecycle)"),
  "container-data": ask("delete of containers' data"),
  "container-host": never("container with access to the host"),
  "force-kill": ask("force kill processes"),
  "kill-regex": ask("kill processes by regex (killall -r)"),
  "kill-user": ask("kill all processes of a user"),
  "self-kill": ask("kill hermes/gateway process (self-termination)"),
  "self-gateway": ask("stop/restart hermes gateway (kills running agents)"),
  "self-update": ask("hermes update (restarts gateway, kills running agents)"),
  "self-config": never("change of the agent's own configuration"),
  "remote-shell": never("pipe remote content to shell"),
  "remote-run": never("run a program that came from the network"),
  "decoded-shell": never("pipe decoded content to shell (possible command obfuscation)"),
  "unseen-shell": never("pipe unseen content to an interpreter"),
  "code-runs": never("script that runs computed code"),
  "reverse-shell": never("shell connected to the network"),
  "computed-command": never("command whose name or text is computed"),
  "option-runs": never("arbitrary program execution via an option"),
  "env-code": never("environment variable that loads code"),
  "powershell-encoded": never("PowerShell encoded command execution"),
  "parser-limit": never("command parser limit exceeded"),
  malformed: never("malformed shell text"),
  "too-deep": never("code nested too deeply to judge"),
  deceptive: never("text that deceives the reader"),
  "secret-read": ask("read of stored secrets"),
  "secret-send": never("send of stored secrets"),
  "environment-read": ask("print of environment secrets"),
  "cloud-metadata": ask("read of cloud metadata"),
  "shell-startup": ask("change of a shell start-up file"),
  "credential-write": ask("overwrite of a credential or key file"),
  schedule: ask("scheduled job"),
  unit: ask("service or start-up unit"),
  "git-hook": ask("git hook or configuration of a repository"),
  "git-config-runs": never("git configuration that runs a program"),
  "package-index": ask("change of a package index"),
  "git-reset": ask("git reset --hard (destroys uncommitted changes)"),
  "git-discard": ask("git discard of uncommitted changes"),
  "git-push": ask("git force push (rewrites remote history)"),
  "git-remote-delete": ask("git delete of a remote branch or tag"),
  "git-clean": ask("git clean with force (deletes untracked files)"),
  "git-branch": ask("git branch force delete"),
  "git-stash": ask("git stash drop or clear"),
  "git-history": ask("git rewrite or expiry of history"),
  "root-program": ask("unknown program with root's rights"),
  "sudo-flag": never("sudo with privilege flag (stdin/askpass/shell/list)"),
  "root-shell": never("root shell"),
  "privilege-config": ask("change of users, groups or privileges"),
  infrastructure: ask("destroy infrastructure"),
} as const satisfies Record<string, Harm>;

export type HarmId = keyof typeof HARMS;

/** The original's table: what is recognised, and the description that an approval is stored under. */
export const DANGEROUS_PATTERNS: readonly { readonly pattern: HarmId; readonly description: string }[] = Object.entries(
  HARMS,
).map(([pattern, harm]) => ({
  pattern: pattern as HarmId,
  description: harm.description,
}));

const BY_DESCRIPTION = new Map(Object.values(HARMS).map((harm) => [harm.description, harm as Harm]));

export function harmOf(description: string): Harm | undefined {
  return BY_DESCRIPTION.get(description);
}
