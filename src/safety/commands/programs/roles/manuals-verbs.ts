import type { RoleRow } from "./role.ts";

/** Options and texts from manuals that delete, stop or publish, and those whose value has a form of its own. */
export const MANUALS_VERBS: readonly RoleRow[] = [
  ["fetchmail", { manual: "fetchmail, fetchmail 6.4.37-1", harm: "database-drop", when: /(?:^|\s)(?:-\w*F|--flush)\b/ }],
  ["firejail", { manual: "firejail, firejail 0.9.72-2", harm: "container-stop", when: /--shutdown[= ]/ }],
  ["incrontab", { manual: "incrontab, incron 0.5.12-2", harm: "schedule", when: /^(?!.*(?:^|\s)(?:-l|-t|-h|--list|--types|--help))/ }],
  ["hping3 hping", { manual: "hping3, hping3 3.a2.ds2-10", harm: "infrastructure", when: /--flood|--faster/ }],
  ["emacsclient", { manual: "emacsclient.emacs, emacs-bin-common 28.2", command: "a alternate-editor", data: "e eval s f d F T socket-name server-file display" }],
  ["gdiffmk", { manual: "gdiffmk, groff 1.22.4-10", command: "x", data: "a c d" }],
  ["bpftrace", { manual: "bpftrace, bpftrace 0.17.0-1", write: "o", runs: "c", data: "e f I p B l" }],
  ["gvpr", { manual: "gvpr, graphviz 2.42.2-7", command: "#1", when: /\bsystem\s*\(/ }],
  ["cmake", { manual: "cmake, cmake 3.25.1-1", command: "D", when: /_LAUNCHER(?::\w+)?=(?!["']?(?:\S*\/)?(?:s?ccache|distcc|icecc|buildcache)\b)/ }],
  ["duplicity", { manual: "duplicity, duplicity 0.8.22-1", command: "rsync-options ssh-options", when: /ProxyCommand|LocalCommand|-e\s|--rsh/ }],
  ["erl werl", { manual: "erl, erlang-base 25.2.3", harm: "option-runs", when: /(?:^|\s)-(?:run|s)\s+(?:os|shell|file|inets|httpc|erl_eval|code)\b|\b(?:del_dir_r|os:cmd|open_port)\b/ }],
  ["git", { manual: "git-fast-export, git-man 2.39.5", verbs: "fast-export fast-import", write: "export-marks export-pack-edges" }],
  ["gst-launch-1.0 gst-launch", { manual: "gst-launch-1.0, gstreamer1.0-tools 1.22.0", write: "location=", when: /(?:sink|mux\w*)\b[^!]*\blocation=/ }],
  ["gst-launch-1.0 gst-launch", { manual: "gst-launch-1.0, gstreamer1.0-tools 1.22.0", read: "location=", when: /src\b[^!]*\blocation=/ }],
  ["convert magick mogrify identify montage composite display", { manual: "convert-im6.q16, imagemagick-6.q16 6.9.11", harm: "option-runs", when: /(?:^|\s)["']?(?:msl|mvg|ephemeral|delegate):/i }],
  ["gnuplot", { manual: "gnuplot-nox, gnuplot-nox 5.4.4", harm: "option-runs", when: /\bset\s+(?:out\w*|print|table)\s+["']\s*\||["']<\s*\w/ }],
  ["gnuplot", { manual: "gnuplot-nox, gnuplot-nox 5.4.4", writes: /\bset\s+(?:out\w*|print|table)\s+["']([^"'|<]+)["']/g }],
  ["git", { manual: "git-lfs-merge-driver, git-lfs 3.3.0", verbs: "merge-driver", command: "program" }],
  ["brz bzr", { manual: "brz, brz 3.3.2", harm: "option-runs", when: /(?:ssh|sftp):\/\/-/ }],
  ["buildah", { manual: "buildah-run, buildah 1.28.2", harm: "container-host", when: /(?:^|\s)(?:-v|--volume)[= ]?\/:/ }],
];
