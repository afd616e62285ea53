import type { RoleRow } from "./role.ts";

/** Options and texts from manuals that delete, stop or publish, and those whose value has a form of its own. */
export const MANUALS_VERBS: readonly RoleRow[] = [
  [
    "fetchmail",
    { manual: "fetchmail, fetchmail 6.4.37-1", harm: "database-drop", when: /(?:^|\s)(?:-\w*F|--flush)\b/ },
  ],
  ["firejail", { manual: "firejail, firejail 0.9.72-2", harm: "container-stop", when: /--shutdown[= ]/ }],
  [
    "incrontab",
    {
      manual: "incrontab, incron 0.5.12-2",
      harm: "schedule",
      when: /^(?!.*(?:^|\s)(?:-l|-t|-h|--list|--types|--help))/,
    },
  ],
  ["hping3 hping", { manual: "hping3, hping3 3.a2.ds2-10", harm: "infrastructure", when: /--flood|--faster/ }],
  [
    "emacsclient",
    {
      manual: "emacsclient.emacs, emacs-bin-common 28.2",
      command: "a alternate-editor",
      data: "e eval s f d F T socket-name server-file display",
    },
  ],
  ["gdiffmk", { manual: "gdiffmk, groff 1.22.4-10", command: "x", data: "a c d" }],
  ["bpftrace", { manual: "bpftrace, bpftrace 0.17.0-1", write: "o", runs: "c", data: "e f I p B l" }],
  ["gvpr", { manual: "gvpr, graphviz 2.42.2-7", command: "#1", when: /\bsystem\s*\(/ }],
  [
    "cmake",
    {
      manual: "cmake, cmake 3.25.1-1",
      command: "D",
      when: /_LAUNCHER(?::\w+)?=(?!["']?(?:\S*\/)?(?:s?ccache|distcc|icecc|buildcache)\b)/,
    },
  ],
  [
    "duplicity",
    {
      manual: "duplicity, duplicity 0.8.22-1",
      command: "rsync-options ssh-options",
      when: /ProxyCommand|LocalCommand|-e\s|--rsh/,
    },
  ],
  [
    "erl werl",
    {
      manual: "erl, erlang-base 25.2.3",
      harm: "option-runs",
      when: /(?:^|\s)-(?:run|s)\s+(?:os|shell|file|inets|httpc|erl_eval|code)\b|\b(?:del_dir_r|os:cmd|open_port)\b/,
    },
  ],
  [
    "git",
    {
      manual: "git-fast-export, git-man 2.39.5",
      verbs: "fast-export fast-import",
      write: "export-marks export-pack-edges",
    },
  ],
  [
    "gst-launch-1.0 gst-launch",
    {
      manual: "gst-launch-1.0, gstreamer1.0-tools 1.22.0",
      write: "location=",
      when: /(?:sink|mux\w*)\b[^!]*\blocation=/,
    },
  ],
  [
    "gst-launch-1.0 gst-launch",
    { manual: "gst-launch-1.0, gstreamer1.0-tools 1.22.0", read: "location=", when: /src\b[^!]*\blocation=/ },
  ],
  [
    "convert magick mogrify identify montage composite display",
    {
      manual: "convert-im6.q16, imagemagick-6.q16 6.9.11",
      harm: "option-runs",
      when: /(?:^|\s)["']?(?:msl|mvg|ephemeral|delegate):/i,
    },
  ],
  [
    "gnuplot",
    {
      manual: "gnuplot-nox, gnuplot-nox 5.4.4",
      harm: "option-runs",
      when: /\bset\s+(?:out\w*|print|table)\s+["']\s*\||["']<\s*\w/,
    },
  ],
  [
    "gnuplot",
    { manual: "gnuplot-nox, gnuplot-nox 5.4.4", writes: /\bset\s+(?:out\w*|print|table)\s+["']([^"'|<]+)["']/g },
  ],
  ["git", { manual: "git-lfs-merge-driver, git-lfs 3.3.0", verbs: "merge-driver", command: "program" }],
  ["brz bzr", { manual: "brz, brz 3.3.2", harm: "option-runs", when: /(?:ssh|sftp):\/\/-/ }],
  [
    "buildah",
    { manual: "buildah-run, buildah 1.28.2", harm: "container-host", when: /(?:^|\s)(?:-v|--volume)[= ]?\/:/ },
  ],
  [
    "pdflatex xelatex lualatex latex pdftex luatex xetex tex latexmk texlua",
    {
      manual: "lualatex, texlive-binaries 2022",
      harm: "option-runs",
      when: /\\write18|\bos\.execute\b|\bio\.popen\b|\\ShellEscape/,
    },
  ],
  ["lxc-stop", { manual: "lxc-stop, lxc 5.0.2", harm: "container-stop", when: /./ }],
  [
    "mdadm",
    {
      manual: "mdadm, mdadm 4.2-5",
      command: "p program alert",
      data: "l n x c z m f r y",
      when: /(?:^|\s)(?:-\w*F|--monitor|--follow)\b/,
    },
  ],
  ["meson", { manual: "meson, meson 1.0.1-5", command: "wrapper gdb-path", data: "C" }],
  [
    "objcopy strip",
    {
      manual: "objcopy, binutils-common 2.40",
      write: "#last",
      writes: /--dump-section[= ]\S*?=(\S+)/g,
      data: "I O B j R K N L G W F",
    },
  ],
  [
    "parallel sem",
    {
      manual: "parallel, parallel 20221122",
      command: "compress-program decompress-program",
      write: "joblog results tmpdir",
      data: "j a N n I L P S s d C E M",
      stop: true,
    },
  ],
  [
    "qemu-system-x86_64 qemu-system-i386 qemu-system-aarch64 qemu-system kvm",
    { manual: "qemu-system, qemu-system-x86 7.2", harm: "option-runs", when: /\bexec:|script=(?!no\b)\S|helper=/ },
  ],
  [
    "qemu-system-x86_64 qemu-system-i386 qemu-system-aarch64 qemu-system kvm qemu-nbd",
    {
      manual: "qemu-system, qemu-system-x86 7.2",
      harm: "disk-change",
      when: /(?:^|[\s=,])\/dev\/(?:sd|nvme|vd|hd|mmcblk|dm-|mapper|md)(?!.*read-?only)/,
    },
  ],
  [
    "qemu-img",
    { manual: "qemu-img, qemu-utils 7.2", verbs: "convert create dd", write: "#last", data: "f O o p s S t T m" },
  ],
  [
    "rclone",
    {
      manual: "rclone, rclone 1.60.1",
      harm: "option-runs",
      when: /\bconfig (?:create|update)\b.*\b(?:ssh|\w+_command|command)\b[= ]/,
    },
  ],
  [
    "restic",
    {
      manual: "restic, restic 0.14.0",
      command: "o option",
      when: /\b(?:rclone\.program|sftp\.command|rclone\.args|sftp\.args)=/,
      data: "r p",
    },
  ],
  [
    "sbcl",
    {
      manual: "sbcl, sbcl 2.2.9",
      harm: "option-runs",
      when: /\brun-program\b|\brun-shell-command\b|\bdelete-directory\b/,
    },
  ],
  ["screen", { manual: "screen, screen 4.9.0", write: "Logfile", words: true }],
  ["sftp", { manual: "sftp, openssh-client 9.2p1", command: "D", data: "b c F i J l o P R S s X" }],
  [
    "sftp",
    { manual: "sftp, openssh-client 9.2p1", harm: "recursive-delete", input: true, when: /^\s*-?(?:rm|rmdir)\s/m },
  ],
  [
    "smbclient",
    {
      manual: "smbclient, smbclient 4.17",
      harm: "recursive-delete",
      when: /(?:-c|--command)[= ].*\b(?:deltree|rmdir|rm|del|wdel)\b/,
    },
  ],
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
];
