import type { RoleRow } from "./role.ts";

/** Options from the manuals of programs for machines, terminals, data and media. */
export const MANUALS_MACHINE: readonly RoleRow[] = [
  ["aide", { manual: "aide, aide 0.18.3-1+deb12u5", settings: "c config", data: "B A r V" }],
  ["logrotate", { manual: "logrotate, logrotate 3.21.0-1", write: "s state l log", command: "m mail" }],
  ["rsyslogd", { manual: "rsyslogd, rsyslog 8.2302.0-1+deb12u2", config: "f", write: "i", data: "n N" }],
  ["smartctl", { manual: "smartctl, smartmontools 7.3-1+b1", settings: "B drivedb", data: "d t l s o S n" }],
  [
    "mdadm",
    { manual: "mdadm, mdadm 4.2-5", settings: "c config", write: "dump restore backup-file", data: "l n x c z" },
  ],
  [
    "cryptsetup",
    {
      manual: "cryptsetup, cryptsetup-bin 2.6.1-4~deb12u2",
      read: "d key-file",
      write: "header-backup-file",
      data: "c s h l",
    },
  ],
  ["mount", { manual: "mount, mount 2.38.1-5+deb12u3", read: "T fstab", data: "t o L U O" }],
  [
    "virt-customize virt-sysprep virt-builder",
    { command: "run-command firstboot-command firstboot run commands-from-file", write: "o output", data: "a d" },
  ],
  ["xterm uxterm rxvt rxvt-unicode urxvt", { manual: "xterm, xterm 379-1", command: "e", write: "lf", words: true }],
  ["screen", { manual: "screen, screen 4.9.0-4", config: "c", write: "Logfile", data: "e h p S s t T" }],
  [
    "Xvfb Xorg Xephyr Xnest",
    {
      manual: "Xvfb, xvfb 21.1.7-3+deb12u13",
      config: "config configdir xkbdir xkbcomp modulepath",
      write: "logfile fbdir",
      words: true,
    },
  ],
  ["xvfb-run", { manual: "xvfb-run, xvfb 21.1.7-3+deb12u13", write: "e error-file f auth-file", data: "n s w p" }],
  ["xauth", { write: "f", data: "i" }],
  ["fakeroot", { load: "l lib faked", write: "s", read: "i", data: "b" }],
  ["fzf", { manual: "fzf, fzf 0.38.0-1+b1", runs: "preview", write: "history", data: "q f n d m" }],
  ["pg_dump pg_dumpall pg_restore", { write: "f file use-list", data: "d h p U n t T N" }],
  ["sqlite3", { manual: "sqlite3, sqlite3 3.40.1-2+deb12u2", settings: "init", data: "cmd", words: true }],
  [
    "redis-cli",
    { manual: "redis-cli, redis-tools 7.0.15-1~deb12u10", write: "rdb functions-rdb", data: "h p a n r i d x" },
  ],
  [
    "restic",
    {
      manual: "restic, restic 0.14.0-1+b5",
      write: "cache-dir target t",
      command: "password-command",
      read: "p password-file",
      data: "r o",
    },
  ],
  [
    "rclone",
    {
      manual: "rclone, rclone 1.60.1+dfsg-2+b5",
      write:
        "log-file cache-dir temp-dir backup-dir output-file cpuprofile memprofile combined differ error match missing-on-dst missing-on-src",
      read: "files-from files-from-raw filter-from include-from exclude-from sftp-key-file",
      command: "password-command auth-proxy sftp-server-command metadata-mapper",
      config: "config",
      data: "o P f",
    },
  ],
  [
    "borg",
    {
      manual: "borg, borgbackup 1.2.4-1",
      command: "rsh remote-path tar-filter",
      read: "patterns-from exclude-from",
      data: "e p r",
    },
  ],
  [
    "duplicity",
    {
      manual: "duplicity, duplicity 0.8.22-1+b3",
      command: "gpg-binary",
      write: "archive-dir tempdir log-file",
      read: "encrypt-secret-keyring exclude-filelist include-filelist ssl-cacert-file",
      data: "v t",
    },
  ],
  [
    "ffmpeg ffprobe ffplay",
    {
      manual: "ffmpeg, ffmpeg 5.1.9-0+deb12u1",
      write: "dump_attachment progress vstats_file passlogfile report",
      read: "attach filter_script",
      words: true,
    },
  ],
  [
    "sox play rec",
    {
      manual: "sox, sox 14.4.2+git20190427-3.5",
      write: "temp",
      read: "effects-file comment-file",
      data: "r c b e t v",
    },
  ],
  ["lame", { manual: "lame, lame 3.100-6", write: "out-dir", data: "b V q m" }],
  [
    "mpv mplayer",
    {
      manual: "mpv, mpv 0.35.1-4",
      write:
        "log-file dump-stats stream-dump stream-record record-file screenshot-directory watch-later-directory ao-pcm-file cache-dir gpu-shader-cache-dir icc-cache-dir o",
      load: "script scripts glsl-shader glsl-shaders",
      config: "include config-dir input-conf",
      command: "input-ipc-client ytdl-path",
      read: "playlist sub-file external-file audio-file",
    },
  ],
  [
    "gst-launch-1.0 gst-inspect-1.0 gst-typefind-1.0",
    {
      manual: "gst-launch-1.0, gstreamer1.0-tools 1.22.0-2+deb12u1",
      load: "gst-plugin-load gst-plugin-path",
      words: true,
    },
  ],
  [
    "feh",
    {
      manual: "feh, feh 3.9.1-2",
      command: "A action info",
      write: "o output O output-only j output-dir",
      read: "f filelist K caption-path",
      data: "b C g H W y",
    },
  ],
  [
    "convert magick montage composite import conjure stream",
    { manual: "convert-im6.q16, imagemagick-6.q16 6.9.11.60+dfsg-1.6+deb12u15", write: "#last write", words: true },
  ],
  [
    "mogrify",
    { manual: "mogrify-im6.q16, imagemagick-6.q16 6.9.11.60+dfsg-1.6+deb12u15", write: "path write", words: true },
  ],
  [
    "dot neato fdp sfdp twopi circo",
    { manual: "dot, graphviz 2.42.2-7+deb12u1", write: "o", load: "l", data: "T K G N E A s n" },
  ],
  ["gvpr", { manual: "gvpr, graphviz 2.42.2-7+deb12u1", load: "f", write: "o", data: "a i" }],
  [
    "tesseract",
    {
      manual: "tesseract, tesseract-ocr 5.3.0-2",
      write: "#2",
      data: "l c psm oem dpi tessdata-dir user-words user-patterns",
    },
  ],
  [
    "gs ghostscript",
    {
      manual: "gs, ghostscript 10.0.0~dfsg-11+deb12u9",
      write: "sOutputFile sstdout",
      config: "sFONTMAP I",
      words: true,
    },
  ],
  [
    "weechat irssi",
    { manual: "weechat, weechat-curses 3.8-1", command: "r run-command", config: "d dir home config", data: "c n p w" },
  ],
  [
    "minicom picocom",
    {
      manual: "minicom, minicom 2.8-2",
      command: "send-cmd receive-cmd",
      write: "C capturefile g logfile",
      data: "D b s r",
    },
  ],
  ["espeak espeak-ng", { write: "w", read: "f", data: "a b g k l p s v" }],
  ["start-pulseaudio pulseaudio", { config: "F file script", load: "L load dl-search-path", write: "log-target" }],
  ["dbus-run-session dbus-launch dbus-daemon", { command: "dbus-daemon", config: "config-file", stop: true }],
  ["kadmin kinit", { manual: "kadmin, krb5-user 1.20.1-2+deb12u5", read: "k keytab t", data: "p q w r s c" }],
];
