/** Tables that are loaded when one of their programs is met first, and the names in them. */
export const LATER = {
  interpreters: `pytest py.test bash sh zsh dash ksh mksh ash fish rbash yash posh csh tcsh nu elvish xonsh python
    python2 python3 pypy pypy3 ipython node nodejs tsx ts-node perl ruby jruby irb php lua luajit Rscript R julia
    guile racket elixir erl ghc runghc scala groovy clojure bb tclsh wish octave gnuplot raku sbcl scheme maxima
    sage ocaml swift jshell bpftrace gjs qjs awk gawk mawk nawk deno bun powershell pwsh make gmake bmake`,
  packages: `pip pip3 pipx uv uvx poetry pipenv pdm hatch rye npm pnpm yarn cnpm npx pnpx bunx go cargo gem bundle
    apt apt-get aptitude apt-key add-apt-repository apt-add-repository dnf yum yum-config-manager rpm zypper pacman
    apk brew choco composer luarocks nuget dotnet corepack`,
  git: "git hub gh glab git-lfs",
  containers: `docker podman nerdctl docker-compose podman-compose kubectl oc k3s microk8s k helm lxc crictl ctr
    virsh multipass limactl colima minikube kind k3d`,
  remote: `nc ncat netcat nc.traditional nc.openbsd socat telnet openssl scp sftp ssh-keygen ssh-copy-id ssh-add
    tcpdump nslookup dig host drill whois mail mailx sendmail mutt msmtp swaks ftp tftp lftp nmap traceroute mtr`,
  machine: `shutdown reboot halt poweroff init telinit systemctl service rc-service invoke-rc.d update-rc.d
    chkconfig launchctl loginctl kexec supervisorctl pm2 monit sv rc-update nginx apachectl apache2ctl kill pkill
    killall skill killall5 xkill crontab at batch atrm sysctl modprobe insmod rmmod setenforce swapoff iptables
    ip6tables nft ufw firewall-cmd pfctl spctl csrutil nvram auditctl mount umount useradd adduser userdel deluser
    usermod groupadd groupdel gpasswd passwd chpasswd visudo chsh vipw dscl update-alternatives hostnamectl
    timedatectl localectl osascript dbus-send busctl gdbus`,
  fetchers:
    "curl wget wget2 http https xh aria2c axel lynx links w3m elinks fetch lwp-request GET POST grpcurl websocat wscat",
  power: `openrc-shutdown s6-linux-init-hpr s6-linux-init-shutdown s6-shutdown s6-reboot s6-poweroff s6-halt
    dinit-shutdown rc-shutdown hibernate-ram sysvinit-shutdown runsvdir-stop runit-init openrc-init sinit minit
    dinitctl finit shepherd herd upsmon upsdrvctl apcupsd gnome-session-quit mate-session-save cinnamon-session-quit
    xfce4-session-logout lxqt-leave lxsession-logout plasma-shutdown qdbus qdbus6 qdbus-qt5 dcop pm-suspend
    pm-hibernate pm-suspend-hybrid zzz`,
  disks: `mkfs mke2fs mkntfs mkdosfs mkexfatfs newfs newfs_apfs newfs_hfs newfs_msdos mkudffs dd dcfldd dc3dd wipefs
    blkdiscard nwipe ddrescue dd_rescue dd_rhelp ntfsclone partclone.ext4 partclone.restore partclone.dd fsarchiver
    bmaptool rpi-imager ventoy Ventoy2Disk.sh woeusb ocs-sr qemu-img format usbimager caligula isodump mkswap fdisk
    cfdisk sfdisk gdisk sgdisk cgdisk parted diskutil hdparm nvme cryptsetup badblocks mdadm zpool zfs pvcreate
    pvremove vgremove lvremove dmsetup hdiutil debugfs growpart bcachefs make-bcache veracrypt tcplay zuluCrypt-cli
    blkzone sg_sanitize sg_unmap sg_write_same gpt systemd-repart etcher-cli sg_dd ddpt lvm blockdev blkid dumpe2fs
    xfs_info f3probe fio ioping flashcp flash_erase flash_eraseall nandwrite ubiformat ceph-volume stratis vdo
    install-mbr ms-sys syslinux wodim dvd+rw-format growisofs vgcreate`,
  databases: `psql pgcli mysql mariadb mycli sqlite3 sqlite litecli duckdb clickhouse-client clickhouse sqlcmd isql
    sqlplus cqlsh bq snowsql trino presto hive spark-sql cockroach usql mssql-cli beeline impala-shell vsql nzsql
    hdbsql db2 bteq ysqlsh mclient pspg sqlite-utils dolt h2 mysqlsh monetdb ksql athenacli psql-cli cypher-shell
    neo4j-shell memgraph mgconsole neo4j-admin arangosh nodetool rethinkdb surreal couchbase-cli cbq ldapdelete
    ldapmodify memcached-tool osqueryi iredis keydb-cli diesel sqlx dbmate goose migrate atlas soda sqitch phinx
    console dropdb dropuser mysqladmin redis-cli valkey valkey-cli mongo mongosh etcdctl influx consul mongorestore
    pg_restore`,
  clouds: `rails rake manage.py django-admin flask symfony sail artisan prisma sequelize sequelize-cli knex typeorm
    mix flyway liquibase drizzle-kit alembic supabase terraform tofu terragrunt tf pulumi aws awslocal gcloud gsutil
    az doctl heroku fly flyctl vercel netlify railway wrangler firebase eksctl kops linode linode-cli hcloud scw oci
    ibmcloud cf serverless sls sam cdk sst copilot amplify cdktf packer vault nomad rclone s3cmd mc b2 flux argocd
    istioctl velero ansible ansible-playbook chef knife hermes hermes-agent`,
  systems: `psshutdown psshutdown64 tsshutdn remove-item stop-process stop-computer restart-computer
    set-executionpolicy clear-disk format-volume initialize-disk stop-service restart-service new-service
    register-scheduledtask set-itemproperty new-localuser add-localgroupmember set-mppreference invoke-expression
    clear-recyclebin iwr irm invoke-webrequest invoke-restmethod iex schtasks reg net sc robocopy taskkill icacls
    wevtutil auditpol secedit fsutil dism msiexec setx sdelete diskshadow powercfg takeown vssadmin wbadmin bcdedit
    cipher diskpart wmic certutil mshta regsvr32 rundll32 bitsadmin cscript wscript defaults systemsetup
    networksetup scutil pmset tmutil pwpolicy bless asr profiles tccutil dseditgroup sysadminctl kextload kextunload
    uadmin initctl rabbitmqctl pg_ctl pg_ctlcluster pg_dropcluster caddy mongod varnishadm asterisk svc s6rc s6-rc
    openrc btrfs update-grub grub-mkconfig grub2-mkconfig grub-install efibootmgr update-initramfs dracut ldconfig
    smartctl flashrom fwupdmgr zmodload ztcp gcore procdump jmap machinectl cmake ffmpeg gcc g++ cc c++ clang
    clang++ ld ld.lld ld.gold latex pdflatex xelatex lualatex tex latexmk puppet salt-key salt salt-call salt-ssh`,
  shares: `serve http-server live-server miniserve darkhttpd sfz dufs simple-http-server static-server ghttpd webfsd
    thttpd mini_httpd httpd-static screencapture gnome-screenshot grim scrot maim flameshot spectacle xwd import
    ksnip screenshot fbgrab arecord pbpaste pbcopy xclip xsel wl-paste wl-copy clip.exe`,
  tunnels: `ttyd gotty wetty shell2http shellinabox shellinaboxd sshx teleconsole tmate upterm x11vnc x0vncserver
    vncserver Xvnc wayvnc telnetd in.telnetd rshd in.rshd rexecd sshd dropbear tinysshd pwncat pwncat-cs msfconsole
    msfvenom msfrpcd evil-winrm sliver-client sliver-server cryptcat sbd rcat rustcat powercat dnscat dnscat2 iodine
    iodined ptunnel hans villain havoc starkiller weevely responder bettercap ettercap beef-xss gs-netcat gsocket
    blitz rustdesk anydesk teamviewer frpc frps chisel ligolo ligolo-proxy ligolo-agent revsocks rpivot regeorg gost
    nps npc zrok inlets pagekite boringproxy rathole ngrok bore lt localtunnel serveo loophole expose cloudflared
    tailscale zerotier-cli devtunnel code-server openvscode-server jupyter jupyter-lab jupyter-notebook mimikatz
    lazagne secretsdump.py secretsdump impacket-secretsdump firefox_decrypt.py chromepass hashdump`,
  administration: `nsupdate ldappasswd ldapadd slapadd mysql_secure_installation virt-sysprep virt-customize
    grub-set-default grub-reboot kldload kldunload tcpkill sg_format grub-editenv ipvsadm iw hciconfig exportfs
    postconf usbguard cloud-init plymouth-set-default-theme vgexport vgimport vgcfgrestore vgsplit vgmerge lvmconfig
    gsettings dconf subscription-manager insights-client elasticsearch-reset-password elasticsearch-users
    opensearch-reset-password xhost coredumpctl paperkey slay fclones camcontrol disklabel bsdlabel bioctl
    bitcoin-cli litecoin-cli dogecoin-cli monero-wallet-cli slapcat pdbedit samba-tool vncpasswd ykman
    docker-credential-desktop docker-credential-pass docker-credential-osxkeychain docker-credential-secretservice
    docker-credential-ecr-login docker-credential-gcr dockerd containerd ktutil grubby kernelstub kernel-install
    bootctl mkinitcpio mkinitramfs augtool crudini etckeeper debconf-set-selections dpkg-reconfigure dpkg-divert
    dpkg-statoverride dpkg alternatives eselect authselect authconfig pam-auth-update realm chage chfn groupmod
    newusers addgroup delgroup chgpasswd vigr pwconv pwunconv faillock pwck grpck lpadmin cupsctl cupsdisable
    cupsaccept cupsreject lpmove kadmin kadmin.local smbpasswd htpasswd newgrp kinit locale-gen update-locale
    localedef update-ca-certificates update-ca-trust trust update-crypto-policies fips-mode-setup rpm-ostree ostree
    snapper timeshift nixos-rebuild nix-collect-garbage nix-store nix-channel guix chcon restorecon semanage
    semodule setsebool togglesebool aa-disable aa-complain aa-enforce aa-teardown aa-remove-unknown apparmor_parser
    kmod depmod dkms bpftool kpatch livepatch canonical-livepatch udevadm systemd-hwdb systemd-sysctl
    systemd-tmpfiles systemd-sysusers tuned-adm cpupower cpufreq_set x86_energy_perf_policy wrmsr setpci zramctl
    rtcwake rfkill isolcpus irqbalance prctl hwclock ntpdate sntp chronyc netplan nmcli nmtui ifup ifdown ifconfig
    iwconfig route arp tc ethtool brctl bridge ovs-vsctl ovs-ofctl wg wg-quick resolvectl resolvconf vconfig
    ebtables arptables iptables-restore ip6tables-restore iptables-nft iptables-legacy netfilter-persistent ipset
    conntrack fail2ban-client csf shorewall ipfw pf netsh losetup multipath kpartx pivot_root switch_root quotaon
    quotaoff setquota edquota xfs_quota vgchange lvchange vgreduce vgrename lvrename lvreduce lvresize lvextend
    lvconvert lvcreate vgextend pvmove pvresize resize2fs xfs_growfs xfs_admin tune2fs e2label fatlabel ntfslabel
    ntfsresize fsck fsck.ext4 fsck.xfs fsck.vfat e2fsck xfs_repair btrfstune reiserfstune ntfsfix testdisk photorec
    gpart addpart delpart resizepart partx sgdisk-restore mdmon fdformat qm pct pvesh xe xl esxcli vim-cmd
    VBoxManage vboxmanage vmrun prlctl incus utmctl vmctl bhyvectl iocage bastille ezjail-admin govc vcd virt-admin
    ipmitool ipmi-chassis ipmi-power racadm hponcfg redfishtool rear ilorest perccli storcli MegaCli megacli
    hpssacli ssacli scancel qdel bkill condor_rm oardel canceljob scontrol qmgr badmin lsadmin pbsnodes mlflow
    clearml pg_resetwal pg_archivecleanup bleachbit fdupes jdupes rdfind czkawka_cli duff tmpreaper tmpwatch npkill
    kondo rmlint.sh cleanmgr bleach stacer mackup mo restic kopia rustic autorestic resticprofile iscsiadm borg
    borgmatic attic duplicity duplicati-cli rdiff-backup tarsnap eraser dban secure-delete sfill smem sswap adb
    fastboot heimdall idevicerestore idevicediagnostics odin4 mtkclient edl esptool.py esptool espefuse.py espefuse
    avrdude st-flash openocd dfu-util nrfjprog stm32flash bossac rkdeveloptool uuu svcadm svccfg snap postfix
    dovecot doveadm cyrus opensmtpd smtpctl postsuper exim exim4 squid rndc unbound-control knotc nsd-control
    pdns_control dnsdist haproxy httpd lighttpd-angel killproc stopproc circusctl forever god eye uwsgi gunicornctl
    honcho-ctl bluepill s6-svc s6-rc-update runsvctrl svok rcctl sysrc synoservice synopkg srvctl crsctl crm pcs
    crm_resource drbdadm gluster ceph rados rbd corosync-cfgtool stonith_admin nssm winsw lsnrctl emctl opmnctl
    asadmin wlst catalina.sh jboss-cli.sh kafka-server-stop.sh zkServer.sh mysqld_multi mysql.server kill-port
    killport fkill fkill-cli killport-cli valet watchdogd`,
  runners: `agetty getty mgetty c89 c99 tcc icc icx nvcc gfortran gdc ldc2 dmd ifort cowsay cowthink cpan csvtool
    mvn mvnw mvnd dnsmasq dvips enscript exiftool gimp blender inkscape libreoffice soffice gtester ispell aspell
    logrotate groff troff pic gpic nroff eqn openvpn pppd xl2tpd vpnc openconnect neofetch fastfetch screenfetch
    hyfetch perlbug perlthanks rpmbuild rpmspec rpmquery rpmdb wireshark tshark dumpcap rawshark sharkd facter
    run-parts run-mailcap sshuttle smbclient mpv vlc cvlc mplayer yt-dlp youtube-dl gallery-dl aria2 rofi dmenu_run
    wofi newsboat neomutt alpine pine irssi weechat ghostscript gs convert magick mogrify graphviz dot neato ctags
    etags cscope genisoimage mkisofs xorriso pandoc texexec context xetex luatex pre-commit lefthook
    simple-git-hooks overcommit husky twine java javaw jcmd easy_install coursier cs jbang jpm bpkg basher zinit
    antigen zplug fisher tpm code code-insiders codium cursor flatpak infisical balena repo mr gita meta mani lerna
    rush nx cap fab mina dep aws-vault ld.so ld-linux.so ld-linux-x86-64.so`,
  vaults: `security pass gopass passage op bw rbw keepassxc-cli gpg gpg2 secret-tool keyctl keyring lpass
    kwallet-query chamber sops age doppler ansible-vault unshadow mimipenguin ejson eyaml credstash git-crypt
    transcrypt blackbox_cat blackbox_decrypt_file teller berglas akeyless conjur summon systemd-creds cmdkey
    vaultcmd kubeseal john hashcat hashid pypykatz nanodump`,
  repositories: `hg sl chg svn svnadmin jj bzr brz p4 fossil darcs pijul got cvs gt git-branchless git-town
    git-machete stg bfg git-filter-repo git-filter-branch git-obliterate git-reset-file git-delete-branch
    git-delete-tag git-clear git-clear-soft git-reset git-nuke git-sweep git-trim repo-remove tea berg forgejo-cli
    az-repos dvc lakectl`,
  carriers: `dumb-init tini catatonit with-contenv execlineb s6-setuidgid setuidgid envuidgid s6-envuidgid envdir
    s6-envdir setlock s6-setlock lckdo chpst run-one run-this-one keep-one-running run-one-constantly
    run-one-until-success run-one-until-failure retry wait-for wait-for-it wait-for-it.sh wait-on
    start-server-and-test dockerize envchain foreman honcho cross-env-shell ssh-agent dbus-launch xinit cage devbox
    devenv flox scl chruby-exec schroot lxc-attach buildah rvm nvm n fnm pixi sudo-rs calife sux cgexec trickle
    torify graftcp mangohud gamemoderun prime-run optirun primusrun memusage heaptrack ccache distcc winpty
    gamescope box64 box86 kcov uftrace multitime foot wezterm urxvt rxvt st lxterminal ghostty x-terminal-emulator
    tilix terminator xfce4-terminal qterminal cool-retro-term guake terminology deepin-terminal mate-terminal kgx
    ptyxis dtach abduco pueue tsp nq zellij apptainer singularity distrobox distrobox-enter toolbox systemd-nspawn
    flatpak-spawn host-spawn srun salloc sbatch mpirun mpiexec orterun prun jsrun aprun qsub bsub pssh parallel-ssh
    clush dsh rsh rexec remsh plink`,
  archives: `rsync tar gtar bsdtar cpio pax zip unzip 7z 7za 7zr 7zz unrar unar unsquashfs dpkg-deb unison azcopy
    s5cmd lsyncd ncftp mirrordir freefilesync`,
} as const;

export type LaterTable = keyof typeof LATER;
