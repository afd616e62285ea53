import type { RoleRow } from "./role.ts";

/** Options and texts from manuals that delete, stop or publish, and those whose value has a special form. */
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
];
