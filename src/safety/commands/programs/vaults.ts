import type { Program } from "../evaluate/call.ts";
import { derived } from "../risk/effect.ts";
import { fileWords } from "../risk/unknown-options.ts";
import { together, when } from "./by-words.ts";
import { afterDoubleDash } from "./launchers.ts";

/** A store of secrets: the subcommands that print them. */
const secrets =
  (pattern: RegExp): Program =>
  (call) => {
    const text = call.args.join(" ");
    if (pattern.test(text)) call.by.harm("secret-read", `${call.program} ${text}`);
    else call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args] });
    fileWords(call, false);
    return derived(call.stdin);
  };

const store: Program = secrets(
  /^(?!(ls|list|find|git|init|insert|generate|help|version|edit|sync|search|grep|--version|--help)(\s|$))(show\s+)?\S+/,
);

export const VAULTS: Readonly<Record<string, Program>> = {
  security: secrets(
    /^(find-(generic|internet)-password.*-[wg]|dump-keychain|export|find-(generic|internet)-password.* -\w*[wg])/,
  ),
  pass: store,
  gopass: store,
  passage: store,
  op: secrets(/^(read|item get|get item|document get|inject|run)/),
  bw: secrets(/^(get|export|list items)/),
  rbw: secrets(/^(get|code|history)/),
  "keepassxc-cli": secrets(/^(show|export|clip|search.*-s)/),
  gpg: secrets(/--export-secret|-d\b|--decrypt.*\.ssh/),
  gpg2: secrets(/--export-secret/),
  "secret-tool": secrets(/^(lookup|search)/),
  keyctl: secrets(/^(print|pipe|read)\b/),
  keyring: secrets(/^get/),
  lpass: secrets(/^(show|export)/),
  "kwallet-query": secrets(/-r/),
  chamber: secrets(/^(read|export|env)/),
  sops: secrets(/(-d|--decrypt|exec-env|^decrypt)/),
  age: secrets(/(^|\s)(-d|--decrypt)/),
  doppler: (call) =>
    call.args[0] === "run" ? afterDoubleDash(call) : secrets(/^secrets (get|download)|^secrets$/)(call),
  "ansible-vault": secrets(/^(view|decrypt)/),
  unshadow: secrets(/./),
  mimipenguin: secrets(/./),
  ...together("ejson eyaml credstash", when(/\b(decrypt|get|getall)\b/, "secret-read")),
  ...together(
    "git-crypt transcrypt blackbox_cat blackbox_decrypt_file",
    when(
      /^(unlock|export-key|--display|--show-raw)|^(?!status|init|ls|version|help|lock|add-gpg-user)[^-]/,
      "secret-read",
    ),
  ),
  ...together(
    "teller berglas akeyless conjur summon",
    when(/\b(env|show|export|access|get|get-secret-value|variable get)\b/, "secret-read"),
  ),
  ...together("systemd-creds", when(/^(decrypt|cat)/, "secret-read")),
  ...together("cmdkey vaultcmd", when(/\/(list|listcreds)/i, "secret-read")),
  ...together("kubeseal", when(/--recovery-unseal/, "secret-read")),
  ...together("john hashcat hashid", when(/--show|\/etc\/shadow/, "secret-read")),
  ...together("pypykatz nanodump", when(/./, "secret-read")),
};
