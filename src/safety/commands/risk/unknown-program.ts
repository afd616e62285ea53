import type { HarmId } from "./harms.ts";
import { zonesOf } from "../../paths/path-zones.ts";
import type { Call } from "../evaluate/call.ts";
import { hasMark } from "../parse/marks.ts";
import { optionHarms } from "./unknown-options.ts";
import { DATABASE_TASK, ENDS, LOSES, LOSES_TOGETHER, MAKES, OWN_THINGS, SMALL_THINGS } from "./verb-words.ts";
import { judgeVerbs, wordsOf } from "./verbs.ts";
import { wordEvidence } from "./word-evidence.ts";

/**
 * Judges the words of a program that no table lists: there are more tools than any table holds, but their authors use
 * the same few verbs. Programs of the project (`./x`, `scripts/x`) are not judged like this: their words may mean
 * anything.
 */
export function judgeUnknownProgram(call: Call, word: string): void {
  optionHarms(call);
  if (!PROJECT_TASKS.has(call.program) && call.args.slice(0, 3).some((arg) => DATABASE_TASK.test(arg)))
    call.by.harm("database-drop", `${word} ${call.args.join(" ")}`);
  if (
    (word.includes("/") && !/^\/(usr\/(local\/)?)?s?bin\//.test(word)) ||
    PROJECT_TASKS.has(call.program) ||
    TALKS.has(call.program)
  )
    return;
  const words = wordsOf(call);
  if (words.looks) return;
  const { verbs, flags } = words;
  const says = (harm: HarmId): void => call.by.harm(harm, `${word} ${call.args.join(" ")}`);
  judgeVerbs(call, words);
  wordEvidence(call, words, says);
  if (loses(call, verbs)) says("infrastructure");
  // A name that is a verb itself: `k3s-uninstall.sh`. Tools of the old kind write their verbs as options:
  // `hdfs dfs -rm -r`.
  if (
    /(^|[-_.])(uninstall|killall|destroy|wipe|purge|nuke|delete|teardown|factory-reset|clear|flush|erase|shred)([-_.]|$)|(flush|wipe|nuke)$/.test(
      call.program,
    ) &&
    /[-_.]|(flush|wipe|nuke|purge)$/.test(call.program)
  )
    says("infrastructure");
  if (
    flags.some((flag) => /^-(rmr?|rmdir|expunge|delete|destroy|skipTrash|format|purge|remove)$/.test(flag)) &&
    !FORMATS.has(call.program)
  )
    says("recursive-delete");
  if (verbs.slice(0, 2).some((verb) => ENDS.test(verb)) && !OF_DEVELOPMENT.has(call.program)) says("service-stop");
  if (verbs.slice(2, 4).some((verb) => /^(shutdown|terminate|kill-?all)$/i.test(verb))) says("service-stop");
  const manages = MANAGER.test(call.program) || call.state.root === true;
  if (manages && verbs.slice(0, 3).some((verb) => STOPS.test(verb))) says("service-stop");
  if (manages && verbs.slice(0, 3).some((verb) => CHANGES.test(verb))) says("system-config");
  if (
    (manages || /(util|tool)$/.test(call.program)) &&
    flags.some((flag) => /^--?(reset|clear|remove|disable|set)([-A-Z=]|$)/.test(flag))
  )
    says("system-config");
  // An unknown program with root's rights may change anything, unless a word says what it does.
  if (
    call.state.root === true &&
    !QUIET_AS_ROOT.has(call.program) &&
    !/^(help|version|status|list|show|info|search|build|test|install)$/.test(verbs[0] ?? "")
  )
    says("root-program");
  writesThere(call, verbs, flags, says);
}

/** Programs whose `-format` is how they print. */
const FORMATS = new Set("identify convert magick mogrify montage compare composite exiftool latexdiff".split(" "));

/** Of a thing that a developer gets again (`cache prune`, `reset cache`) it is nothing. */
function loses(call: Call, verbs: readonly string[]): boolean {
  const at = verbs.slice(0, 3).findIndex((verb) => LOSES.test(verb));
  const small = (word: string | undefined): boolean =>
    word !== undefined && (SMALL_THINGS.test(word) || OWN_THINGS.test(word));
  const made = at > 0 && MAKES.test(verbs[0]!);
  if (at >= 0 && !made && !small(verbs[at - 1]) && (/^(unpublish|yank)$/i.test(verbs[at]!) || !small(verbs[at + 1])))
    return true;
  return LOSES_TOGETHER.test(call.args.slice(0, 12).join(" ").slice(0, 400));
}

/** These stop the page or the containers under development. */
const OF_DEVELOPMENT = new Set(
  `bazel bazelisk buck2 gradle sbt mill supabase ddev lando expo watchman adb xcrun simctl emacsclient foreman
    overmind hivemind tmuxinator tmuxp jupyter mutagen minikube skaffold tilt devspace okteto garden telepresence
    vagrant colima limactl lima finch rancher-desktop localstack sam-local wp-env docksal warden sail valet mailhog
    verdaccio storybook cypress playwright webdriver-manager selenium-standalone pm swipl gprolog mpc bloop metals dune
    zls eslint_d prettierd stylelint_d rubocop spring bootsnap`.split(/\s+/),
);
/** The arguments of these are text for people. */
const TALKS = new Set(
  "say espeak espeak-ng spd-say notify-send terminal-notifier osd_cat figlet toilet banner lolcat jrnl zenity kdialog gum slack-notify".split(
    " ",
  ),
);
/** Runners of the tasks a project has named: what `delete` means there is the project's business. */
const PROJECT_TASKS = new Set(
  `just task go-task mage invoke inv nox tox doit poe grunt gulp ant lerna nx turbo moon wireit earthly dagger thor
    cake psake nuke.sh xmake tup waf redo run-s run-p npm-run-all wsrun ultra wireit zx`.split(/\s+/),
);
const MANAGER = /^[a-z][\w-]*(ctl|adm|admin|mgr|_cli)$/;
const STOPS =
  /^(stop|restart|shutdown|halt|disable|mask|kill|down|abort|quit|terminate|reload-or-restart|force-stop|stop-?all|kill-?all|suspend|deactivate|(stop|restart|disable|remove|terminate|disconnect|kill)[-_].*)$/i;
const CHANGES =
  /^(set|unset|modify|edit|reset|disable|del|remove|configure|set[-_](?!volume|mute)[\w-]+|import|restore|revert|rollback|grant|promote|demote|failover|evict|drain|detach)$/i;

/** These inspect the machine, or install and build: they need no approval when run as root. */
const QUIET_AS_ROOT = new Set(
  `iotop iftop nethogs nload bmon lshw hwinfo inxi powertop dmidecode lspci lsusb blkid lsblk smartctl sensors sar
    mpstat pidstat iostat atop btop glances ncdu duf turbostat perf vnstat ethtool arp-scan arping traceroute
    tcptraceroute mtr nmap masscan fping ifstat lsns lsipc lsmem lsirq acpi rdmsr x86info cpuid numastat slabtop
    nvidia-smi rocm-smi intel_gpu_top dstat updatedb makewhatis mandb lastlog faillog lastb utmpdump aureport
    ausearch needrestart checksec lynis rkhunter chkrootkit debsums apt-file apt-mark apt-cache apt-listchanges
    dpkg-query deborphan add-shell softwareupdate port mas cmake ninja meson scons bazel gradle mvn ant rake code
    certbot acme.sh postqueue mailq kubeadm emerge xbps-install eopkg nix-env slackpkg opkg pkg pkg_add pkgin tlmgr
    yay paru dnf5 microdnf tdnf swupd flatpak-builder modinfo xcode-select xcodebuild installer hostname
    systemd-analyze swapon tlp gitlab-runner bundle gem cpanm cpan npm mix lein sbt setcap-query certbot-list
    pip-audit act nix-build tailspin lnav multitail ccze newuidmap fatrace inotifywait strace ltrace opensnoop
    execsnoop biolatency bpftrace tcpconnect funccount profile trace-cmd latencytop wireshark tshark dumpcap ngrep
    termshark nano vim vi less emacs micro ne joe mcedit mc ranger ctop lazydocker dive docker-credential-helper
    minicom picocom screen cu tio lsof true false test logger wall mesg write spin xset xrandr xhost setxkbmap
    notify-send usermount udisksctl exportfs-list showmount rpcinfo nfsstat eject hdparm-info lpstat lpq fuser lvs
    vgs pvs lvdisplay vgdisplay pvdisplay lvscan vgscan pvscan partprobe kpartx-list dumpe2fs xfs_info tune2fs-list
    cryptsetup-status iwlist iw wavemon rfkill-list bluetoothctl upower snapper-list ntpq chronyc ntpstat resolvectl
    networkctl bootctl coredumpctl hostid oomctl userdbctl busctl-list lslogins`.split(/\s+/),
);

/** A system file among the arguments of a program that may write it, or of a verb that writes. */
function writesThere(
  call: Call,
  verbs: readonly string[],
  flags: readonly string[],
  says: (harm: HarmId) => void,
): void {
  const writes =
    (call.state.root === true && !QUIET_READERS.test(call.program)) ||
    verbs.slice(0, 2).some((verb) => WRITES.test(verb)) ||
    flags.some((flag) =>
      /^(--(set|write|in-?place|inplace|update|insert|append|replace|output|install|apply|add|merge|save)|-i|-w)(=|$)/.test(
        flag,
      ),
    );
  if (!writes) return;
  for (const arg of call.args) {
    const path = /^--[\w-]+=(\/.*|~.*)$/.exec(arg)?.[1] ?? arg;
    if (!/^(\/|~|\.\.?\/|\.git\/|\.env)/.test(path) || hasMark(path)) continue;
    for (const full of call.by.paths(path, call.state)) {
      const zones = zonesOf(full.replace(/^\/files(?=\/etc\/)/, ""), { home: call.by.home });
      if (zones.has("public-key")) continue;
      for (const [zone, harm] of PROTECTED)
        if (zones.has(zone)) {
          says(harm);
          return;
        }
    }
  }
}

const QUIET_READERS =
  /^(ls|cat|less|tail|head|grep|stat|file|wc|diff|ncdu|lnav|multitail|nginx|apachectl|named-checkconf|visudo|sshd|lsattr|namei)$/;
const WRITES =
  /^(set|write|edit|put|install|add|insert|append|replace|update|apply|patch|merge|save|copy|cp|move|mv|link|init|render|sync|unset|remove|del|delete)$/i;
const PROTECTED = [
  ["keys", "credential-write"],
  ["schedule", "schedule"],
  ["unit", "unit"],
  ["startup", "shell-startup"],
  ["git-hooks", "git-hook"],
  ["system-config", "system-config"],
  ["kernel", "kernel-setting"],
  ["agent-config", "self-config"],
] as const;
