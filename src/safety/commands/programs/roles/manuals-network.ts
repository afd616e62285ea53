import type { RoleRow } from "./role.ts";

/** Options from the manuals of programs for hosts, mail, transfers and services: what the other tables do not say. */
export const MANUALS_NETWORK: readonly RoleRow[] = [
  [
    "curl",
    {
      manual: "curl, curl 7.88.1-10+deb12u15",
      write: "c cookie-jar D dump-header o output trace trace-ascii stderr etag-save hsts alt-svc libcurl output-dir",
      read: "etag-compare pubkey E cert key cacert",
      data: "A b C d e F h H K m P Q r t T u U w X x y Y z",
    },
  ],
  [
    "wget",
    {
      manual: "wget, wget 1.21.3-1+deb12u1",
      write:
        "o output-file a append-output O output-document P directory-prefix warc-file warc-dedup warc-tempdir rejected-log save-cookies hsts-file",
      read: "load-cookies post-file body-file input-metalink private-key certificate",
      data: "e i B t T w Q U l A R D I X",
    },
  ],
  [
    "wget2",
    {
      write: "o output-file a append-output O output-document P directory-prefix save-cookies hsts-file",
      read: "load-cookies post-file body-file",
      command: "use-askpass-command",
      config: "config",
      data: "e i B t T w Q U l A R D I X",
    },
  ],
  [
    "aria2c",
    {
      manual: "aria2c, aria2 1.36.0-1",
      write: "d dir o out l log save-cookies server-stat-of save-session",
      read: "load-cookies netrc-path server-stat-if certificate private-key i input-file",
      config: "conf-path",
      data: "x s j k U T S V Z",
    },
  ],
  ["lftp", { manual: "lftp, lftp 4.9.2-2+b1", write: "log", data: "u p P d e c f O" }],
  [
    "fetchmail",
    {
      manual: "fetchmail, fetchmail 6.4.37-1",
      write: "L logfile bsmtp i idfile pidfile",
      data: "t w S b B u p P r A f m M E Q",
    },
  ],
  [
    "msmtp",
    {
      manual: "msmtp, msmtp 1.8.23-1",
      write: "X logfile",
      read: "tls-key-file tls-cert-file aliases",
      command: "passwordeval",
      config: "C file",
      data: "a f N R t",
    },
  ],
  ["mbsync", { manual: "mbsync, isync 1.4.4-5", config: "c config" }],
  ["mutt neomutt", { manual: "mutt, mutt 2.2.12-0.1~deb12u2", config: "F", command: "e", data: "a b c f H i m s Q A" }],
  [
    "w3m",
    {
      manual: "w3m, w3m 0.5.3+git20230121-2",
      config: "config",
      read: "post",
      write: "cookie-jar",
      data: "I O T B F l o s t",
    },
  ],
  ["lynx", { write: "error_file cmd_log", words: true }],
  [
    "nmap",
    {
      manual: "nmap, nmap 7.93+dfsg1-1",
      write: "oN oX oS oG oA",
      read: "iL excludefile resume script-args-file",
      settings: "datadir",
      words: true,
    },
  ],
  [
    "ncat",
    {
      manual: "ncat, ncat 7.93+dfsg1-1",
      command: "e exec c sh-exec lua-exec",
      write: "o output x hex-dump",
      read: "ssl-key ssl-cert allowfile denyfile",
      data: "p s w d g G i m",
    },
  ],
  ["socat", { manual: "socat, socat 1.7.4.4-2", write: "lf r R", words: true }],
  [
    "tcpdump",
    { manual: "tcpdump, tcpdump 4.99.3-1", write: "w", command: "z", read: "F V r", data: "i c C G s T W y E M B m" },
  ],
  [
    "tshark dumpcap",
    {
      manual: "tshark, tshark 4.0.17-0+deb12u3",
      write: "w temp-dir log-file",
      data: "i c C G s T W y E M B b d f F Y r R z N o O e K H t u",
    },
  ],
  ["tcpflow tcpxtract", { write: "o", data: "i r" }],
  [
    "ssh",
    { manual: "ssh, openssh-client 9.2p1-2+deb12u10", write: "E", data: "B b c D e F I i J L l m O o p Q R S W w" },
  ],
  ["ssh-copy-id", { manual: "ssh-copy-id, openssh-client 9.2p1-2+deb12u10", read: "i", config: "F", data: "p o" }],
  [
    "sshuttle",
    { manual: "sshuttle, sshuttle 1.1.1-1", write: "pidfile", command: "e ssh-cmd", read: "s X", data: "x l D v r N" },
  ],
  ["sshfs", { manual: "sshfs, sshfs 3.7.3-1.2~deb12u1", config: "F", data: "p o" }],
  ["mosh", { manual: "mosh, mosh 1.4.0-1+b1", command: "ssh client server", data: "p" }],
  [
    "openvpn",
    {
      manual: "openvpn, openvpn 2.6.14-0+deb12u2",
      write: "log log-append status writepid ifconfig-pool-persist replay-persist tls-export-cert",
      command:
        "iproute client-disconnect route-pre-down tls-crypt-v2-verify up down route-up ipchange learn-address auth-user-pass-verify tls-verify client-connect",
      load: "plugin engine providers",
      config: "config client-config-dir",
      read: "askpass auth-user-pass",
      words: true,
    },
  ],
  [
    "dnsmasq",
    {
      manual: "dnsmasq, dnsmasq-base 2.90-4~deb12u2",
      write: "x pid-file l dhcp-leasefile log-facility 8 dumpfile dnssec-timestamp",
      command: "dhcp-script 6 conf-script",
      load: "dhcp-luascript",
      config: "C conf-file conf-dir 7",
      read: "H addn-hosts r resolv-file servers-file dhcp-hostsfile dhcp-optsfile",
      data: "a A b i I K L M N p P q S s t u U X z Z F G g",
    },
  ],
  [
    "dhclient dhcpcd",
    {
      manual: "dhclient, isc-dhcp-client 4.4.3-P1-2",
      command: "sf script c",
      config: "cf f config",
      write: "lf pf df",
      words: true,
    },
  ],
  [
    "pppd",
    { manual: "pppd, ppp 2.4.9-1+1.1+b1", command: "connect disconnect init pty welcome", load: "plugin", words: true },
  ],
  [
    "wpa_supplicant hostapd",
    { manual: "wpa_supplicant, wpasupplicant 2.10-12+deb12u3", config: "c", write: "P f", data: "i D b g G O e I N" },
  ],
  ["mtr", { manual: "mtr, mtr-tiny 0.95-1", read: "F filename", data: "i c s B Q a f m p" }],
  ["iperf3 iperf", { write: "logfile pidfile I", read: "F file rsa-private-key-path", data: "p f i c t n b P w M l" }],
  [
    "mosquitto_pub",
    {
      manual: "mosquitto_pub, mosquitto-clients 2.0.11-1.2+deb12u2",
      read: "f file cafile cert key",
      sends: "h host L url",
      data: "p t m q i u P k",
    },
  ],
  [
    "mosquitto_sub mosquitto_rr",
    {
      manual: "mosquitto_sub, mosquitto-clients 2.0.11-1.2+deb12u2",
      read: "cafile cert key",
      sends: "h host L url",
      data: "p t m q i u P k C W F",
    },
  ],
  [
    "ldapsearch",
    { manual: "ldapsearch, ldap-utils 2.5.13+dfsg-5", write: "T", data: "b D w s l z p Y U R X o e E H h f y" },
  ],
  [
    "smbclient",
    {
      manual: "smbclient, smbclient 4.17.12+dfsg-0+deb12u4",
      write: "l log-basename",
      read: "A authentication-file",
      config: "s configfile",
      data: "U p W n O m I L",
    },
  ],
  [
    "gnutls-cli",
    {
      manual: "gnutls-cli, gnutls-bin 3.7.9-2+deb12u7",
      write: "logfile save-cert save-ocsp save-server-trace save-client-trace",
      read: "x509keyfile x509certfile",
      load: "provider",
      data: "p priority",
    },
  ],
  [
    "stunnel stunnel3",
    {
      manual: "stunnel, stunnel4 5.68-2+deb12u1",
      command: "l L",
      write: "o O P",
      read: "p A a",
      data: "C D d n N r R s g t u v",
    },
  ],
  [
    "yt-dlp youtube-dl",
    {
      manual: "yt-dlp, yt-dlp 2023.03.04-1",
      write: "o output download-archive cache-dir P paths print-to-file cookies",
      command: "exec exec-before-download downloader external-downloader netrc-cmd",
      load: "plugin-dirs",
      config: "config-locations config-location",
      read: "a batch-file load-info-json netrc-location client-certificate-key",
      data: "f S u p x N R",
    },
  ],
  [
    "hping3 hping",
    { manual: "hping3, hping3 3.a2.ds2-10", read: "E file", data: "a b c d e i I j k l m N o p s t T w" },
  ],
  ["ip", { manual: "ip, iproute2 6.1.0-3", read: "b batch", data: "c f l n netns rc rcvbuf" }],
  ["tc", { manual: "tc, iproute2 6.1.0-3", read: "b batch", config: "cf conf", data: "n netns" }],
  ["nft", { manual: "nft, nftables 1.0.6-2+deb12u2", read: "f file", data: "I D" }],
  [
    "iptables ip6tables",
    {
      manual: "iptables, iptables 1.8.9-2",
      command: "modprobe",
      data: "A D I R L S F Z N X P E t p s d j g i o m w c",
    },
  ],
  [
    "iptables-apply ip6tables-apply",
    { manual: "iptables-apply, iptables 1.8.9-2", command: "c command", write: "w write", data: "t" },
  ],
  [
    "iptables-save ip6tables-save",
    { manual: "iptables-save, iptables 1.8.9-2", write: "f file", command: "M modprobe", data: "t" },
  ],
  [
    "iptables-restore ip6tables-restore",
    { manual: "iptables-restore, iptables 1.8.9-2", command: "M modprobe", read: "#1", data: "t T w" },
  ],
  ["dig", { manual: "dig, bind9-dnsutils 9.18.49-1~deb12u3", read: "f k", data: "b c p q t x y" }],
  ["nginx", { manual: "nginx, nginx 1.22.1-9+deb12u11", settings: "c", write: "e", data: "g s" }],
  [
    "apache2 httpd apache2ctl",
    { manual: "apache2, apache2-bin 2.4.71-1~deb12u1", settings: "f", config: "C c", write: "E", data: "D k" },
  ],
  ["lighttpd", { manual: "lighttpd, lighttpd 1.4.69-1", settings: "f", load: "m", data: "i" }],
  ["haproxy", { manual: "haproxy, haproxy 2.6.12-1+deb12u4", settings: "f", write: "p", data: "C L m n N" }],
  [
    "memcached",
    {
      manual: "memcached, memcached 1.6.18-1+deb12u1",
      write: "P pidfile",
      data: "a A b B c d f I l m M n p R s t u U",
    },
  ],
  [
    "smartd",
    {
      manual: "smartd, smartmontools 7.3-1+b1",
      command: "w warnexec",
      write: "A attributelog s savestates p pidfile",
      config: "c configfile B drivedb",
      data: "i l q r",
    },
  ],
  ["chronyd", { manual: "chronyd, chrony 4.3-2+deb12u3", config: "f", write: "l", data: "u F m P t s" }],
  ["mitmproxy mitmdump mitmweb", { load: "s scripts", write: "w save-stream-file", config: "confdir", data: "p m r" }],
  ["httpie http https", { sends: "#*", write: "o output", read: "cert cert-key", data: "a A p b h s" }],
  ["siege", { read: "f file", settings: "R rc", data: "c t r d g" }],
];
