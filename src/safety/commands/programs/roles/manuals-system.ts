import type { RoleRow } from "./role.ts";

/** Options from the manuals of programs for the system, services, containers and packages. */
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
];
