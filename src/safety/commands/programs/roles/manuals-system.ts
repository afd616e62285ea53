import type { RoleRow } from "./role.ts";

/** Options from the manuals of programs for the system, packages, containers, media and data: what the other tables do not say. */
export const MANUALS_SYSTEM: readonly RoleRow[] = [
  [
    "systemd-nspawn",
    {
      manual: "systemd-nspawn, systemd-container 252.39-1~deb12u2",
      load: "oci-bundle",
      read: "load-credential",
      data: "D M i b u E p",
    },
  ],
  [
    "systemd-tmpfiles systemd-sysusers",
    { manual: "systemd-tmpfiles, systemd 252.39-1~deb12u2", config: "#*", data: "root prefix" },
  ],
  [
    "journalctl",
    {
      manual: "journalctl, systemd 252.39-1~deb12u2",
      write: "cursor-file",
      read: "file i D directory",
      data: "n o S U u t p g",
    },
  ],
  ["start-stop-daemon", { manual: "start-stop-daemon, dpkg 1.21.23", write: "O output", data: "n u c g k s R N P I" }],
  [
    "lxc-attach lxc-execute lxc-start",
    {
      manual: "lxc-attach, lxc 5.0.2-1+deb12u4",
      config: "f rcfile",
      write: "o logfile p pidfile L console-log",
      data: "n s u g e a E c C P",
    },
  ],
  [
    "firejail",
    {
      manual: "firejail, firejail 0.9.72-2",
      settings: "profile netfilter netfilter6 include",
      write: "output output-stderr trace put dbus-log",
      data: "join",
      stop: true,
    },
  ],
  [
    "podman docker nerdctl",
    {
      manual: "podman, podman 4.3.1+ds1-8+deb12u1+b3",
      load: "hooks-dir",
      command: "conmon",
      write: "cidfile iidfile pidfile conmon-pidfile digestfile logfile metadata-file",
      read: "env-file authfile label-file",
      data: "v e p w u l n h m a",
    },
  ],
  [
    "buildah",
    {
      manual: "buildah, buildah 1.28.2+ds1-3+deb12u1+b3",
      load: "hooks-dir",
      command: "runtime",
      write: "cidfile iidfile logfile digestfile",
      data: "v e t f",
    },
  ],
  [
    "skopeo",
    {
      manual: "skopeo, skopeo 1.9.3+ds1-1+b10",
      write: "digestfile",
      read: "authfile src-authfile dest-authfile",
      config: "policy registries.d registries-conf",
    },
  ],
  [
    "dpkg",
    {
      manual: "dpkg, dpkg 1.21.23",
      command: "pre-invoke post-invoke status-logger",
      write: "log",
      data: "D root admindir instdir",
    },
  ],
  [
    "dpkg-buildpackage",
    {
      manual: "dpkg-buildpackage, dpkg-dev 1.21.23",
      command: "r root-command check-command p sign-command R rules-file",
      write: "buildinfo-file changes-file",
      data: "a t P k m e s i I C B A T J j",
    },
  ],
  ["apt-get apt apt-cache aptitude", { manual: "apt-get, apt 2.6.2", config: "c config-file", data: "o t q a" }],
  [
    "rpm rpmbuild rpmquery",
    {
      manual: "rpm, rpm 4.18.0+dfsg-1+deb12u1",
      command: "pipe",
      config: "rcfile macros load",
      data: "D E define eval f p",
    },
  ],
  [
    "dnf yum",
    { manual: "dnf, dnf 4.14.0-3+deb12u1", config: "c config", write: "downloaddir destdir", data: "x e d y q" },
  ],
  [
    "debootstrap",
    {
      manual: "debootstrap, debootstrap 1.0.128+nmu2+deb12u2",
      write: "make-tarball",
      read: "private-key",
      data: "arch variant include",
    },
  ],
  [
    "mmdebstrap",
    {
      manual: "mmdebstrap, mmdebstrap 1.3.5-7",
      command: "setup-hook extract-hook essential-hook customize-hook",
      config: "hook-dir hook-directory",
      write: "logfile",
      data: "aptopt dpkgopt include",
    },
  ],
  [
    "pbuilder pdebuild cowbuilder",
    {
      manual: "pbuilder, pbuilder 0.231",
      config: "configfile",
      load: "hookdir",
      write: "logfile buildresult",
      data: "basetgz distribution",
    },
  ],
  [
    "sbuild",
    {
      manual: "sbuild, sbuild 0.85.0",
      command:
        "setup-hook pre-build-commands chroot-setup-commands chroot-update-failed-commands build-deps-failed-commands build-failed-commands starting-build-commands finished-build-commands chroot-cleanup-commands post-build-commands post-build-failed-commands anything-failed-commands",
      write: "build-dir stats-dir",
      data: "d c s A",
    },
  ],
  [
    "qemu-system-x86_64 qemu-system-i386 qemu-system",
    {
      manual: "qemu-system-x86_64, qemu-system-x86 7.2+dfsg-7+deb12u18+b3",
      write: "pidfile D dump-vmstate",
      load: "plugin L",
      config: "readconfig semihosting-config",
      words: true,
    },
  ],
  ["qemu-nbd", { manual: "qemu-nbd, qemu-utils 7.2+dfsg-7+deb12u18+b3", write: "pid-file", data: "k p b f s l P e" }],
  ["virsh", { manual: "virsh, libvirt-clients 9.0.0-4+deb12u2", write: "l log", data: "c d k K r" }],
  [
    "gpg gpg2",
    {
      manual: "gpg, gpg 2.2.40-1.1+deb12u2",
      write: "o output log-file logger-file status-file attribute-file trustdb-name",
      read: "passphrase-file command-file",
      config: "options homedir",
      data: "u r recipient local-user default-key status-fd photo-viewer",
    },
  ],
  [
    "gpg-agent gpg-connect-agent",
    {
      manual: "gpg-agent, gpg-agent 2.2.40-1.1+deb12u2",
      command: "pinentry-program scdaemon-program agent-program",
      write: "log-file pinentry-touch-file",
      config: "options homedir",
      read: "r",
      stop: true,
    },
  ],
  [
    "openssl",
    {
      manual: "openssl, openssl 3.0.22-1~deb12u2",
      write: "out outdir sess_out keylogfile writerand certsout",
      read: "sess_in early_data",
      words: true,
    },
  ],
  [
    "certbot letsencrypt",
    {
      manual: "certbot, certbot 2.1.0-4",
      settings: "c config config-dir",
      write: "logs-dir work-dir cert-path key-path fullchain-path chain-path",
      command: "pre-hook post-hook deploy-hook renew-hook manual-auth-hook manual-cleanup-hook",
      data: "d w m a i",
    },
  ],
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
