import type { RoleRow } from "./role.ts";

/** More options and texts from manuals whose harm is in their form. */
export const MANUALS_TEXTS: readonly RoleRow[] = [
  [
    "sqlite3 sqlite",
    { manual: "sqlite3, sqlite3 3.40.1", writes: /(?:\bwritefile\(\s*["']|(?:^|\s)\.(?:clone|save)\s+)([^"'\s)|]+)/g },
  ],
  ["ssh-keygen", { manual: "ssh-keygen, openssh-client 9.2p1", write: "f", when: /(?:^|\s)-R/, data: "R E b t C N P" }],
  [
    "strace ltrace systemd-run machinectl flatpak bwrap firejail",
    {
      manual: "strace, strace 6.1",
      harm: "env-code",
      when: /(?:-E\s*|--?(?:set)?env[= ])(?:LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|BASH_ENV|PYTHONSTARTUP|PERL5OPT)[= ]/,
    },
  ],
  ["stunnel stunnel3", { manual: "stunnel3, stunnel4 5.68", harm: "reverse-shell", when: /(?:^|\s)-[lL]\s*\S*sh\b/ }],
  [
    "systemd-dissect",
    { manual: "systemd-dissect, systemd-container 252", write: "#last", when: /(?:^|\s)(?:--copy-from|-x)\b/ },
  ],
  ["tar gtar bsdtar", { manual: "tar, tar 1.34", harm: "recursive-delete", when: /--recursive-unlink/ }],
  ["vifm", { manual: "vifm, vifm 0.12", harm: "option-runs", when: /(?:^|\s)\+["']?:?!/ }],
  [
    "virsh",
    {
      manual: "virsh, libvirt-clients 9.0.0",
      harm: "container-stop",
      when: /\b(?:reset|snapshot-revert|managedsave-remove|snapshot-delete|inject-nmi)\b|--hmp.*\b(?:quit|q|system_reset|system_powerdown|stop)\b/,
    },
  ],
  ["wpa_cli", { manual: "wpa_cli, wpasupplicant 2.10", command: "a", data: "p i s g G P h" }],
  [
    "xdvi",
    {
      manual: "xdvi, texlive-binaries 2022",
      command: "interpreter browser",
      harm: "option-runs",
      when: /-allowshell|-interpreter|-browser/,
      words: true,
    },
  ],
  [
    "yt-dlp youtube-dl",
    {
      manual: "yt-dlp, yt-dlp 2023.03.04",
      harm: "secret-read",
      when: /--cookies-from-browser\b.*--cookies[= ]|--cookies[= ].*--cookies-from-browser\b/,
    },
  ],
  ["yt-dlp youtube-dl", { manual: "yt-dlp, yt-dlp 2023.03.04", writes: /--print-to-file\s.*?\s([~/]\S+)/g }],
  ["R", { manual: "R, r-base-core 4.2.2", verbs: "BATCH", write: "#2" }],
  [
    "R Rscript",
    {
      manual: "R, r-base-core 4.2.2",
      writes:
        /\b(?:writeLines|cat|write|sink|saveRDS|save|dput|write\.(?:csv|table)|file\.(?:copy|rename|append))\([^()]*["']([~/][^"']+)["']/g,
    },
  ],
  ["pax", { manual: "pax, pax 20190825", harm: "system-config", when: /(?:^|\s)-\w*r.*-s\s*(\S)\S*\1\/(?!tmp)/ }],
  ["distccd", { manual: "distccd, distcc 3.4", harm: "option-runs", when: /--enable-tcp-insecure|--make-me-a-botnet/ }],
  ["tshark", { manual: "tshark, tshark 4.0.17", writes: /--export-objects[= ][\w-]+,(\S+)/g }],
  ["expect", { manual: "expect, expect 5.45.4", calls: /\bsystem\s+["{]?([^"};]+)/g }],
  [
    "feh",
    { manual: "feh, feh 3.9.1", command: "action1 action2 action3 action4 action5 action6 action7 action8 action9" },
  ],
  [
    "gdb",
    {
      manual: "gdb, gdb 13.1",
      writes: /\bset logging (?:file|redirect)\s+(\S+)/g,
      harm: "force-kill",
      when: /-(?:ex|eval-command)[= ]kill\b/,
    },
  ],
  ["gh", { manual: "gh-workflow-disable, gh 2.23.0", harm: "infrastructure", when: /^workflow disable\b/ }],
  ["git", { manual: "git-svn, git-man 2.39.5", verbs: "svn clone init", load: "template", when: /^svn\b/ }],
  ["git", { manual: "git-apply, git-man 2.39.5", harm: "system-config", when: /\bapply\b.*--unsafe-paths/ }],
  ["go", { manual: "go-run, golang-1.19", harm: "remote-run", when: /^run\b.*\bhttps?:\/\// }],
  ["install ginstall", { manual: "install, coreutils 9.1", command: "strip-program", data: "g m o t S" }],
  [
    "docker podman nerdctl buildah",
    { manual: "podman-build, podman 4.3.1", reads: /--secret[= ]\S*?\bsrc=([^,\s]+)/g },
  ],
  ["docker podman nerdctl", { manual: "docker-save, docker.io 20.10.24", verbs: "save export", write: "o output" }],
  [
    "docker",
    {
      manual: "docker-plugin-install, docker.io 20.10.24",
      harm: "container-host",
      when: /^plugin\b.*--grant-all-permissions/,
    },
  ],
  ["cargo", { manual: "cargo, cargo 0.66.0", settings: "config", when: /--config[= ]\S*\.toml/ }],
  ["gem", { harm: "package-index", when: /^push\b.*--host[= ]/ }],
  [
    "redis-cli valkey-cli keydb-cli",
    { manual: "redis-cli, redis-tools 7.0.15", harm: "database-drop", when: /\b(?:slaveof|replicaof)\s+(?!no\b)\S/i },
  ],
  [
    "java",
    {
      manual: "java, openjdk-17-jre-headless 17",
      writes: /-(?:Xlog:\S*?file=|XX:(?:ErrorFile|HeapDumpPath|LogFile)=|Xloggc:)([^:\s,]+)/g,
    },
  ],
  ["mpv mplayer", { manual: "mpv, mpv 0.35.1", command: "ytdl-raw-options", when: /ytdl-raw-options\S*\bexec=/ }],
  [
    "skopeo",
    {
      manual: "skopeo-copy, skopeo 1.9.3",
      verbs: "copy sync",
      writes: /\b(?:dir|oci|docker-archive|oci-archive):(\/[^:\s]+)/g,
    },
  ],
  ["source-highlight", { manual: "source-highlight, source-highlight 3.1.9", command: "ctags" }],
  [
    "systemd-firstboot",
    {
      manual: "systemd-firstboot, systemd 252",
      harm: "privilege-config",
      when: /--(?:root-password|root-shell|force|reset)/,
    },
  ],
  ["w3m", { manual: "w3m, w3m 0.5.3", config: "config", words: true }],
  [
    "w3m",
    {
      manual: "w3m, w3m 0.5.3",
      command: "o",
      when: /(?:^|\s)-o\s*["']?\w*(?:browser|editor|mailer|viewer|cgi|passwd_file|siteconf|urimethodmap|mailcap)\w*=/,
      words: true,
    },
  ],
  ["xauth", { manual: "xauth, x11-xserver-utils 7.7", verbs: "extract nextract", write: "#1" }],
  [
    "xfs_io",
    {
      manual: "xfs_io, xfsprogs 6.1.0",
      write: "#last",
      when: /\b(?:pwrite|truncate|fallocate|fpunch|fzero|fcollapse|finsert|reflink|dedupe|chattr|allocsp|resvsp|unresvsp)\b/,
      data: "c C p",
    },
  ],
  ["lz4", { manual: "lz4, lz4 1.9.4", write: "#2", data: "b B T" }],
  [
    "flatpak",
    {
      manual: "flatpak-override, flatpak 1.14",
      harm: "container-host",
      when: /^override\b.*(?:--filesystem=(?:host|home|\/|~\/?$)|--socket=session-bus|--device=all|--talk-name=org\.freedesktop\.Flatpak)/,
    },
  ],
  [
    "dpkg-shlibdeps dpkg-gencontrol dpkg-gensymbols",
    { manual: "dpkg-shlibdeps, dpkg-dev 1.21.22", write: "O", data: "p l x d e T S c f F P v I L" },
  ],
  ["svn", { manual: "svn, subversion 1.14.2", verbs: "export checkout co", write: "#2" }],
  ["mbsync", { manual: "mbsync, isync 1.4.4", harm: "mirror-delete", when: /(?:^|\s)(?:-\w*[XR]|--expunge|--remove)/ }],
  ["mcedit mc", { manual: "mcedit, mc 4.8.29", write: "#* e edit" }],
  [
    "setfacl",
    {
      manual: "setfacl, acl 2.3.1",
      harm: "credential-write",
      when: /\.ssh\b|\.gnupg\b|\.aws\b|\/etc\/(?:shadow|sudoers)/,
    },
  ],
  [
    "btrfs",
    {
      manual: "btrfs-check, btrfs-progs 6.2",
      harm: "disk-change",
      when: /^check\b.*(?:--repair|--init-(?:csum|extent)-tree)/,
    },
  ],
  ["ant", { manual: "ant, ant 1.10.13", write: "l logfile", words: true }],
  ["asciinema", { manual: "asciinema, asciinema 2.2.0", verbs: "rec", write: "#1", runs: "c command" }],
  ["calcurse", { manual: "calcurse, calcurse 4.7.1", harm: "database-drop", when: /--purge/ }],
  ["cpanm", { manual: "cpanm, cpanminus 1.7046", harm: "package-index", when: /(?:^|\s)(?:https?|ftp):|--mirror[= ]/ }],
  ["ddrescue", { manual: "ddrescue, gddrescue 1.27", write: "#2 #3" }],
  ["encfs gocryptfs", { manual: "encfs, encfs 1.9.5", command: "extpass", words: true }],
  [
    "etcdctl",
    {
      manual: "etcdctl, etcd-client 3.4.23",
      harm: "privilege-config",
      when: /\b(?:auth disable|(?:user|role) delete)\b/,
    },
  ],
  [
    "exiftool",
    { manual: "exiftool, libimage-exiftool-perl 12.57", harm: "option-runs", when: /\b(?:system|exec|qx)\s*[({"']/ },
  ],
  ["exiftool", { manual: "exiftool, libimage-exiftool-perl 12.57", reads: /<=(\S+)/g }],
  ["flit twine", { manual: "flit, flit 3.8.0", harm: "package-index", when: /--repository(?:-url)?[= ]https?:/ }],
  ["gm", { manual: "gm, graphicsmagick 1.4", verbs: "convert montage composite", write: "#last" }],
  [
    "lldb",
    { manual: "lldb-14, lldb-14 14.0.6", harm: "force-kill", when: /process\s+kill|command\s+script\s+import\s+\/tmp/ },
  ],
  ["masscan", { manual: "masscan, masscan 1.3.2", write: "oL oX oJ oG oB oU", config: "c conf resume", words: true }],
  [
    "mkimage",
    { manual: "mkimage, u-boot-tools 2023.01", write: "#last", load: "N engine", data: "A O T C a e n d f k K r o" },
  ],
  ["mkvextract", { manual: "mkvextract, mkvtoolnix 74.0.0", writes: /(?:^|\s)\d+:(\S+)/g }],
  ["nasm", { manual: "nasm, nasm 2.16.01", write: "o l MD MF L", words: true }],
  ["newsboat", { manual: "newsboat, newsboat 2.21", config: "C config-file", data: "u c" }],
  ["openocd", { manual: "openocd, openocd 0.12.0", write: "l log_output", data: "c f s d" }],
  ["procmail", { manual: "procmail, procmail 3.22", config: "#*" }],
  ["rr", { manual: "rr, rr 5.6.0", verbs: "replay", command: "d debugger" }],
  [
    "sv",
    {
      manual: "sv, runit 2.1.2",
      harm: "service-stop",
      when: /^(?:-\S+\s+)*(?:down|exit|stop|shutdown|force-\w+|kill|term|restart|try-restart|d|x|k|t)\b/,
    },
  ],
  ["runsv runsvdir", { manual: "runsv, runit 2.1.2", command: "#1" }],
  ["task", { manual: "task, taskwarrior 2.6.2", harm: "database-drop", when: /(?:^|\s)purge\b/ }],
  ["task", { manual: "task, taskwarrior 2.6.2", writes: /\brc\.(?:data|hooks)\.location[=:](\S+)/g }],
  [
    "task",
    {
      manual: "task, taskwarrior 2.6.2",
      harm: "option-runs",
      when: /\brc(?::|\.hooks\.location[=:])\/(?:tmp|var\/tmp)\//,
    },
  ],
  [
    "virtualenv",
    { manual: "virtualenv, virtualenv 20.17.1", harm: "recursive-delete", when: /--clear\s+(?:\/home|\/root|~)/ },
  ],
  ["xdotool", { manual: "xdotool, xdotool 3.20160805", harm: "force-kill", when: /\bwindow(?:kill|quit|close)\b/ }],
  ["xorriso", { manual: "xorriso, xorriso 1.5.4", write: "outdev dev", command: "external_filter", words: true }],
  ["xorriso", { manual: "xorriso, xorriso 1.5.4", harm: "option-runs", when: /-external_filter\s/ }],
  ["etcdctl", { manual: "etcdctl, etcd-client 3.4.23", verbs: "save", write: "#1" }],
  [
    "pytest",
    {
      manual: "pytest, python3-pytest 7.2.1",
      harm: "recursive-delete",
      when: /--basetemp[= ](?:\/(?!tmp\/\w)|~|\.\.)/,
    },
  ],
  ["git", { manual: "git-worktree, git-man 2.39.5", verbs: "add", write: "#1", when: /\bworktree\s+add\b/ }],
  ["rsync", { manual: "rsync, rsync 3.2.7", settings: "config", when: /--daemon/ }],
  ["make gmake bmake", { manual: "gmake, make 4.3", calls: /(?:^|\s)[A-Z][A-Z_]*=((?:rm|curl|sh)\s[^;&]*)/g }],
  ["mvn mvnw mvnd", { harm: "option-runs", when: /-Dexec\.executable=\/(?:tmp|var\/tmp|dev\/shm)\// }],
  // No manual was opened for these.
  [
    "macchanger airmon-ng usbreset setserial chvt deallocvt loadkeys setfont fbset rfkill",
    { harm: "system-config", when: /^(?!.*(?:^|\s)(?:-h|--help|-V|--version|-s|--show|list)\b)\S/ },
  ],
  ["stty", { harm: "system-config", when: /-F\s*\/dev\/\S+\s+(?!-a\b|size\b)/ }],
  ["swapon", { harm: "system-config", when: /^(?!.*--(?:show|summary|help|version))(?!-s\b)\S/ }],
  [
    "systemd-sysext systemd-confext",
    { manual: "systemd-sysext, systemd 252", harm: "system-config", when: /\b(?:merge|unmerge|refresh)\b/ },
  ],
  [
    "portablectl",
    {
      manual: "portablectl, systemd-container 252",
      harm: "unit",
      when: /\b(?:attach|reattach|detach|remove|set-limit)\b/,
    },
  ],
  [
    "machinectl",
    { manual: "machinectl, systemd-container 252", harm: "system-config", when: /\b(?:import-\w+|pull-\w+)\b/ },
  ],
  [
    "xdg-settings xdg-mime",
    { manual: "xdg-settings, xdg-utils 1.1.3", harm: "system-config", when: /^(?:set|default|install|uninstall)\b/ },
  ],
  ["aide", { manual: "aide, aide 0.18.3", harm: "system-config", when: /--(?:init|update)|(?:^|\s)-[iu]\b/ }],
  ["certutil", { harm: "credential-write", when: /(?:^|\s)-(?:D|F|A|M|W)\b/ }],
  ["secret-tool keyctl", { harm: "credential-write", when: /^(?:clear|store|revoke|unlink|purge|invalidate|reap)\b/ }],
  ["gnome-keyring-daemon", { harm: "credential-write", when: /--(?:replace|unlock|login)/ }],
  ["john", { write: "pot session log-file", when: /=/ }],
  ["sphinx-build", { config: "c", data: "b d D A t j w W" }],
  ["sqlmap", { harm: "remote-run", when: /--os-(?:shell|cmd|pwn)|--file-write|--sql-shell/ }],
  [
    "hydra medusa ncrack arpspoof tcpreplay bettercap",
    { harm: "privilege-config", when: /(?:^|\s)(?:-[lLiTHUu]|--intf1)[ =]?\S/ },
  ],
  ["stress-ng stress", { harm: "force-kill", when: /--(?:vm|hdd|fork|all|sequential)(?!.*(?:--timeout|-t)\b)/ }],
  [
    "mkdocs hugo jekyll",
    { settings: "config", load: "plugins", write: "d destination site-dir", data: "f config-file s source p port" },
  ],
  ["monit", { manual: "monit, monit 5.33.0", write: "l p s", config: "c", data: "d g H" }],
];
