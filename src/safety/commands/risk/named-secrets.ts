import { zonesOf } from "../../paths/path-zones.ts";
import type { Call } from "../evaluate/call.ts";
import { hasMark } from "../parse/marks.ts";

/** Programs that print at most the names of the files they are given. */
const NAMES_ONLY = new Set(
  `ls dir vdir tree stat test [ echo printf chmod chown chgrp rm unlink shred touch mkdir rmdir realpath readlink
    basename dirname du df which type export declare local readonly alias ssh ssh-add ssh-agent ssh-copy-id ssh-keygen
    mosh autossh scp sftp sshfs rsync git kubectl helm docker podman man cd pushd trash trash-put lsattr getfacl namei
    locate eza exa lsd`.split(/\s+/),
);
/** Options for a key, a certificate or a login that the program uses without printing it. */
const USES =
  /^(?:-i|-I|-key|-cert|--(?:\w[\w-]*-)?(?:key|key-?file|private-key|cert\w*|ca-?cert\w*|identity\w*|netrc-file|kubeconfig|credentials?(?:-file)?|userconfig|globalconfig|defaults(?:-extra)?-file|pass(?:word|phrase)?-file|env-file|keyring|keystore|token-file|secret-file|config(?:-file|-dir)?|creds|login-path|authfile|registry-config|data-dir|home|homedir|profile|keyfile|exclude|exclude-from|ignore|backup-dir|auth-file))$/;
/** Most words cannot be a protected path: this finds those that may be. */
const MAY_BE = /(?:^|[/=@:])\.\w|\/etc\/|\/Library\/|\/run\/|wallet\.dat|_netrc/;

/**
 * A stored secret that is the value of an option: `file -f ~/.netrc`, `date --file=~/.netrc`. Few programs say in their
 * manual that they print a line of such a file when they do not understand it; most do.
 */
export function namedSecrets(call: Call): void {
  if (NAMES_ONLY.has(call.program)) return;
  for (const [at, arg] of call.args.entries()) {
    if (arg.length > 1000 || !MAY_BE.test(arg)) continue;
    const before = call.args[at - 1] ?? "";
    const joined = /^(--?[A-Za-z][\w-]*)=@?(.+)$/s.exec(arg) ?? /^(-[A-Za-z])@?([~/.].*)$/s.exec(arg);
    const [option, value] = joined === null ? [before, arg.replace(/^@/, "")] : [joined[1]!, joined[2]!];
    // A text with blanks is a program or a message.
    if (!option.startsWith("-") || /^-|\s/.test(value) || hasMark(value) || USES.test(option)) continue;
    for (const path of call.by.paths(value.replace(/^~(?=\/)/, call.by.home), call.state)) {
      const zones = zonesOf(path, { home: call.by.home });
      if ((zones.has("credentials") && !zones.has("public-key")) || zones.has("agent-secret"))
        call.by.add({ kind: "read", path, shown: true });
    }
  }
}
