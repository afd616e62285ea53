import type { Program } from "../evaluate/call.ts";
import { afterDashes, byWords, thenRuns, together, when } from "./by-words.ts";

const runs = (looks: RegExp): Program => byWords(when(looks, "option-runs"));
const after =
  (verb: RegExp): ((args: readonly string[]) => readonly string[]) =>
  (args) => {
    const at = args.findIndex((arg) => verb.test(arg));
    const rest = at === -1 ? [] : args.slice(at + 1);
    const first = rest.findIndex((arg) => !arg.startsWith("-"));
    return rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : first === -1 ? [] : rest.slice(first);
  };
const valueOf =
  (...names: readonly string[]): ((args: readonly string[]) => string | undefined) =>
  (args) => {
    for (const [i, arg] of args.entries()) {
      if (names.includes(arg)) return args[i + 1];
      const name = names.find((one) => one.startsWith("--") && arg.startsWith(`${one}=`));
      if (name !== undefined) return arg.slice(name.length + 1);
    }
    return undefined;
  };

/** Other programs that can run a command by an option, a script or `!`. */
export const RUNNERS: Readonly<Record<string, Program>> = {
  ...together("agetty getty mgetty", when(/(^|\s)(-\w*l|--login-program)\b/, "root-shell")),
  ...together(
    "c89 c99 tcc icc icx nvcc gfortran gdc ldc2 dmd ifort",
    when(/(^|\s)(-wrapper|-fplugin=|-run\b|--compiler-bindir|-ccbin)/, "option-runs"),
  ),
  ...together("cowsay cowthink", when(/(^|\s)-f\s*\S*\//, "option-runs")),
  cpan: byWords(when(/https?:\/\//, "remote-run"), when(/(^|\s)-[ej]\b|!/, "option-runs")),
  ...together(
    "mvn mvnw mvnd",
    when(/\bexec:exec\b.*-Dexec\.executable=(?!"?(?:java|node|npm|npx|yarn|python3?|make)\b)/s, "option-runs"),
  ),
  csvtool: runs(/^call\b/),
  dnsmasq: runs(/--?(conf|dhcp|dhcp-lua)-?script|-6\b/),
  dvips: runs(/-R0/),
  enscript: runs(/(^|\s)(-\w*I|--filter)/),
  exiftool: runs(/(^|\s)-(if\d?|config|userparam)\b.*(system|exec|`|\/)|(^|\s)-config\b/),
  gimp: runs(/(^|\s)(-b|--batch)\b/),
  blender: runs(/--python-expr/),
  inkscape: runs(/--shell/),
  ...together("libreoffice soffice", when(/macro:|vnd\.sun\.star\.script/, "option-runs")),
  gtester: runs(/./),
  ...together("ispell aspell", when(/!/, "option-runs")),
  logrotate: byWords(
    when(/(^|\s)(-l|--log)\b.*\|/, "option-runs"),
    when(/(^|\s)(-\w*f|--force)\b.*\/etc\//, "system-config"),
  ),
  ...together("groff troff pic gpic nroff eqn", when(/(^|\s)-\w*U/, "option-runs")),
  ...together(
    "openvpn",
    when(
      /--(up|down|route-up|script-security|plugin|tls-verify|auth-user-pass-verify|client-connect|ipchange|iproute)\b|--config\b/,
      "option-runs",
    ),
  ),
  ...together(
    "pppd xl2tpd vpnc openconnect",
    when(/--?(connect|disconnect|script|init|welcome|pty|csd-wrapper)\b/, "option-runs"),
  ),
  ...together("neofetch fastfetch screenfetch hyfetch", when(/--config\s+\S*\//, "option-runs")),
  ...together("perlbug perlthanks", when(/(^|\s)-e\b/, "option-runs")),
  ...together("rpmbuild rpmspec rpmquery rpmdb", when(/(--eval|--define|-E)\b.*%[({]/, "option-runs")),
  ...together("wireshark tshark dumpcap rawshark sharkd", when(/(^|\s)-X\s*lua_script/, "option-runs")),
  ...together("facter", when(/--(custom|external)-dir/, "option-runs")),
  "run-parts": byWords(when(/^(?!.*--(test|list))/, "option-runs")),
  "run-mailcap": runs(/./),
  sshuttle: byWords(when(/(^|\s)(-e|--ssh-cmd)\b/, "option-runs")),
  smbclient: thenRuns(byWords(), (args) => /!(.*)$/s.exec(valueOf("-c", "--command")(args) ?? "")?.[1]),
  ...together(
    "mpv vlc cvlc mplayer",
    when(/--?(script|scripts|input-conf|lua-intf|vout-lua|ytdl-path)\b\S*[/.]|subprocess|--idle.*run/, "option-runs"),
  ),
  ...together(
    "yt-dlp youtube-dl gallery-dl",
    when(
      /--(exec|exec-before-download|postprocessor-args|downloader|external-downloader|plugin-dirs|config-locations)\b.*[/;|`$]|--exec/,
      "option-runs",
    ),
  ),
  ...together("aria2", when(/--on-/, "option-runs")),
  ...together("rofi dmenu_run wofi", when(/-(run-command|run-shell-command|terminal)\b/, "option-runs")),
  ...together(
    "newsboat neomutt alpine pine irssi weechat",
    when(/(^|\s)(-F|-e|-x|--execute|-p|--startup-script|--run-command|-r)\s*\S*[!|/]/, "option-runs"),
  ),
  ...together("ghostscript gs", when(/-dNOSAFER|%pipe%/, "option-runs")),
  ...together(
    "convert magick mogrify",
    when(/(^|\s)(ephemeral|msl|text|label|caption):@?\/etc\/shadow|\|/, "option-runs"),
  ),
  ...together("graphviz dot neato", when(/(^|\s)-l\S*\.so/, "option-runs")),
  ...together("ctags etags", when(/--(options|_interactive|optlib-dir)\b|!/, "option-runs")),
  ...together("cscope", when(/(^|\s)-[is]\s*\//, "option-runs")),
  ...together("genisoimage mkisofs xorriso", when(/\/etc\/shadow|-as .*exec/, "secret-read")),
  ...together(
    "pandoc",
    when(/(^|\s)(-F|-L|--filter|--lua-filter|--pdf-engine)[= ]?(\/tmp|\/var\/tmp|\.\/\S*\.sh)/, "option-runs"),
  ),
  ...together("texexec context xetex luatex", when(/shell-escape|write18/, "option-runs")),
  ...together("pre-commit", when(/^try-repo/, "remote-run"), when(/^(install|init-templatedir|uninstall)/, "git-hook")),
  ...together(
    "lefthook simple-git-hooks overcommit",
    when(/^(install|uninstall|add|--install|--uninstall)/, "git-hook"),
  ),
  husky: thenRuns(byWords(), (args) => (/^(add|set)$/.test(args[0] ?? "") ? args[2] : undefined)),
  ...together("twine", when(/--repository-url|(^|\s)(-r|--repository)\s+(?!pypi\b|testpypi\b)\S/, "package-index")),
  ...together(
    "java javaw jcmd",
    when(
      /(^|\s)-(javaagent|agentpath|agentlib):|-XX:\+?(OnError|OnOutOfMemoryError|Flags|VMOptionsFile)=|JVMTI\.agent_load/,
      "env-code",
    ),
    when(/GC\.heap_dump/, "secret-read"),
  ),
  // Commands of package managers that run downloaded code
  ...together("easy_install", when(/./, "remote-run")),
  ...together("coursier cs jbang jpm", when(/https?:\/\//, "remote-run")),
  ...together("bpkg basher zinit antigen zplug fisher tpm", when(/\b(install|add|light|load|bundle)\b/, "remote-run")),
  ...together(
    "code code-insiders codium cursor",
    when(/^tunnel\b|^serve-web\b/, "reverse-shell"),
    when(/--install-extension \S*(\.vsix|http)/, "remote-run"),
  ),
  // Wrappers with their own way to name a command
  flatpak: thenRuns(
    byWords(
      when(/^(remote-add|remote-modify)\b/, "package-index"),
      when(/^(override)\b.*(--filesystem=(host|\/)|--device=all|--talk-name)/, "container-host"),
      when(/^run\b.*--command=(ba|z|da)?sh/, "option-runs"),
    ),
    (args) => valueOf("-c")(args),
  ),
  infisical: thenRuns(byWords(when(/^(export|secrets)/, "secret-read")), (args) =>
    args[0] === "run" ? (valueOf("--command")(args) ?? afterDashes(args)) : undefined,
  ),
  balena: thenRuns(byWords(when(/\b(rm|delete|purge|shutdown|reboot|restart)\b/, "infrastructure")), (args) =>
    args.includes("ssh") ? args[args.indexOf("ssh") + 2] : undefined,
  ),
  ...Object.fromEntries(
    ["repo", "mr", "gita", "meta", "mani", "lerna", "rush", "nx"].map((name) => [
      name,
      thenRuns(byWords(when(/\b(sync\b.*--force-(sync|checkout)|sync -d|forall .*-c .*rm)\b/, "git-discard")), (args) =>
        /^(forall|run|shell|exec|super)$/.test(args[0] ?? "")
          ? (valueOf("-c", "--command")(args) ?? after(/^(run|exec|shell|super)$/)(args))
          : undefined,
      ),
    ]),
  ),
  ...Object.fromEntries(
    ["cap", "fab", "mina", "dep"].map((name) => [
      name,
      thenRuns(byWords(when(/\b\w*:(rollback|stop|restart|destroy|drop|remove|cleanup)\b/, "infrastructure")), (args) =>
        args.includes("--") ? afterDashes(args) : /\[(.+)\]$/s.exec(args.join(" "))?.[1],
      ),
    ]),
  ),
  "aws-vault": thenRuns(byWords(when(/^(export|login|remove|rm)\b/, "secret-read")), (args) =>
    args[0] === "exec"
      ? args.includes("--")
        ? afterDashes(args)
        : args.filter((arg) => !arg.startsWith("-")).slice(2)
      : undefined,
  ),
  ...together("ld.so ld-linux.so ld-linux-x86-64.so", when(/./, "env-code")),
};
