import type { RoleRow } from "./role.ts";

/** Programs for hosts, names and services of a network, from their manuals. */
export const NETWORK_TOOLS: readonly RoleRow[] = [
  // Names
  ["getent", { verbs: "hosts ahosts ahostsv4 ahostsv6 networks netgroup ethers", host: "#*" }],
  ["dig kdig delv dog doggo q drill", { host: "#*", data: "b p t c y", read: "f k" }],
  ["host nslookup", { host: "#*", data: "c t N R W m p" }],
  ["resolvectl systemd-resolve", { verbs: "query service openpgp tlsa", host: "#*", data: "t c p i" }],
  ["systemd-resolve", { host: "#*", data: "t c p i interface type class" }],
  ["avahi-resolve avahi-resolve-host-name avahi-resolve-address", { host: "#* n name a address" }],
  ["adnshost ahost adig unbound-host zonemaster-cli dnstracer dnsenum dnsrecon dnsmap fierce", { host: "#* d domain" }],
  ["dns-sd", { host: "#*", when: /-[GQZ]/ }],
  ["dscacheutil", { host: "#*", when: /-q host/ }],
  ["whois rwhois jwhois", { host: "#* h host", data: "p port" }],
  ["finger pinky rusers rwho rup", { host: "#*" }],
  // Echoes and routes
  ["ping ping4 ping6 fping oping", { host: "#*", data: "c i I l m M p Q s S t T W w", read: "f" }],
  ["arping tcping hping3 hping nping tcptraceroute", { host: "#*", data: "c I i s p w" }],
  [
    "traceroute traceroute6 tracepath tracepath6 lft paris-traceroute mtr mtr-packet",
    { host: "#*", read: "F filename" },
  ],
  ["ip", { verbs: "get", host: "#1" }],
  ["arp", { host: "#1", data: "i H s d", read: "f file" }],
  [
    "nmap zmap masscan rustscan naabu unicornscan",
    {
      host: "#*",
      read: "iL excludefile includefile conf",
      write: "oN oX oG oA oS output-filename",
      config: "conf datadir",
      load: "script script-args-file",
    },
  ],
  ["nmap", { read: "iL excludefile", load: "script", words: true }],
  ["iperf iperf3", { host: "c client", data: "p t i B P w l M n b", read: "F file rsa-public-key-path" }],
  ["netperf qperf sockperf uperf", { host: "H #1" }],
  ["ncat nc netcat nc.openbsd nc.traditional socat websocat cryptcat", { host: "proxy x" }],
  // Mail, time, printing, logs, chat
  ["ntpdate ntpdig sntp rdate htpdate ntpq ntpdc chronyd msntp", { host: "#*", data: "a e o t k" }],
  ["chronyc", { host: "h", data: "p" }],
  [
    "lp lpr lpstat lpq lprm cancel cupsenable cupsaccept lpoptions lpinfo",
    { host: "h H", data: "d P n o q t u U", read: "#*" },
  ],
  ["lpstat lpq lpinfo cancel lprm lpoptions", { host: "h H" }],
  ["logger", { host: "n server", read: "f file", data: "p t P S u i id size priority tag port socket" }],
  [
    "fetchmail getmail mbsync offlineimap mpop isync imapfilter",
    { host: "#*", config: "f fetchmailrc rcfile c config", command: "m mda preconnect postconnect plugin plugout" },
  ],
  ["mosquitto_pub mosquitto_sub mosquitto_rr", { sends: "h host L url", data: "p t m q i u P k", read: "f file" }],
  [
    "kcat kafkacat kafka-console-producer kafka-console-consumer kafka-topics",
    { sends: "b bootstrap-server broker-list", config: "F", data: "t p o c f K D" },
  ],
  ["amqp-publish amqp-get amqp-consume rabbitmqadmin", { sends: "u url s server H host" }],
  ["nats nsq_tail nsq_pub to_nsq", { sends: "s server nsqd-tcp-address lookupd-http-address" }],
  ["ii ircdog sic irssi", { host: "c connect h s", config: "config home" }],
  ["xmpp-client sendxmpp", { sends: "#* j jserver", config: "f file" }],
  [
    "slackcat termbin pastebinit wgetpaste sprunge ix wormhole croc magic-wormhole transfer ffsend",
    { sends: "#* b i" },
  ],
  // Remote shells and files
  ["ssh autossh", { host: "J", config: "F", load: "I", stop: true, data: "B b c D E e i L l m O o p Q R S W w" }],
  ["scp sftp", { host: "J", config: "F", read: "b", data: "c D i l o P S X" }],
  ["ssh-keyscan", { host: "#*", read: "f", data: "p T t" }],
  ["ssh-copy-id rlogin rsh rexec mosh et eternalterminal", { host: "#1", data: "i p l o" }],
  ["sshfs", { host: "#1", command: "ssh_command", config: "F", data: "p o" }],
  ["sshfs", { command: "o", when: /ssh_command=(?!ssh\b)/ }],
  ["telnet", { host: "#1", data: "b e k l n X" }],
  [
    "rsync",
    {
      host: "address sockopts",
      read: "files-from exclude-from include-from password-file f filter",
      data: "e B T M rsh exclude include bwlimit port rsync-path log-file backup-dir suffix temp-dir partial-dir chmod chown timeout max-size min-size out-format info debug compare-dest copy-dest link-dest",
    },
  ],
  [
    "smbclient smbget smbtree smbmap nmblookup rpcclient net smbcacls smbcquotas smbspool",
    {
      sends: "#1 L list I ip-address H host",
      config: "s configfile",
      data: "U c p W n O A m user command port authentication-file",
    },
  ],
  ["showmount rpcinfo nfsstat nfs-ls nfs-cat nfs-cp mount.nfs", { host: "#*" }],
  ["ftp ncftp ncftpget ncftpput ncftpls tnftp lftp pftp yafc", { host: "#1", data: "u p P d e c f" }],
  ["tftp atftp", { host: "#1" }],
  ["lftp lftpget", { command: "e c", when: /!/ }],
  ["cadaver davfs2 rclonefs s3fs gcsfuse goofys", { sends: "#*" }],
  ["gopher phetch bombadillo amfora gmni gemget gmnlm", { host: "#*" }],
  ["finger-client w3mman", { host: "#*" }],
  // Directories, monitoring, management
  [
    "ldapsearch ldapwhoami ldapcompare ldapmodify ldapadd ldapdelete ldapmodrdn ldapexop ldapurl",
    { sends: "H h", read: "f y", data: "b D w s l z p Y U R X o e E" },
  ],
  [
    "snmpget snmpwalk snmpbulkwalk snmpbulkget snmpgetnext snmpset snmptrap snmptable snmpstatus snmptest snmpdf",
    { sends: "#1", data: "v c l u a A x X n r t O I L m M Z" },
  ],
  [
    "nrpe check_nrpe check_http check_ssh check_tcp check_ping check_dns check_ldap check_by_ssh",
    { sends: "H I hostname" },
  ],
  ["zabbix_get zabbix_sender", { sends: "s z host zabbix-server", config: "c config", read: "i" }],
  ["ipmitool ipmipower ipmiconsole redfishtool", { sends: "H h r", data: "U P I L k f p" }],
  ["winrs winrm wmic evil-winrm crackmapexec nxc psexec.py wmiexec.py smbexec.py", { sends: "#* H i r" }],
  [
    "testssl testssl.sh sslscan sslyze ssldump tlsx gnutls-cli gnutls-cli-debug",
    { host: "#*", data: "p port x509cafile priority" },
  ],
  [
    "nikto wapiti sqlmap gobuster ffuf dirb dirbuster wfuzz feroxbuster hydra medusa ncrack nuclei httpx subfinder amass whatweb wpscan",
    { sends: "#* u url h host d domain", read: "w l list P L" },
  ],
  // Load and requests
  [
    "ab wrk wrk2 hey siege bombardier oha autocannon vegeta boom h2load cassowary plow loadtest httperf",
    { sends: "#* server", data: "n c t d H A P T p m", read: "f file b body-file" },
  ],
  ["k6 locust artillery", { sends: "host H", url: "#*" }],
  ["httpstat httping httpie-go curlie hurl restish evans grpcurl grpc_cli buf", { sends: "#* g x" }],
  ["wscat websocat wsdump wsc", { sends: "#* c connect" }],
  ["speedtest speedtest-cli fast librespeed-cli", { host: "server s" }],
  // Transfers
  [
    "wget wget2",
    {
      read: "i input-file",
      host: "B base e",
      config: "config",
      command: "use-askpass",
      write: "rejected-log warc-file save-cookies hsts-file",
      data: "o a O P T t w Q U l A R D I X",
    },
  ],
  [
    "curl",
    {
      host: "doh-url x proxy preproxy socks4 socks4a socks5 socks5-hostname resolve connect-to dns-servers ftp-port mail-from proxy1.0",
      load: "engine crlfile",
      data: "A b c C d D e E F h H K m o P Q r t T u U w X y Y z Z",
    },
  ],
  [
    "aria2c",
    {
      read: "i input-file",
      host: "#* all-proxy http-proxy https-proxy",
      config: "conf-path",
      command:
        "on-download-complete on-download-start on-download-error on-download-stop on-download-pause on-bt-download-complete",
      write: "l log save-session",
      data: "d o x s j k U T",
    },
  ],
  [
    "axel lwp-download lwp-request lwp-mirror GET HEAD POST httrack wpull monolith single-file grab-site",
    { host: "#*", config: "n" },
  ],
  [
    "lynx",
    { host: "#*", read: "dump source", config: "cfg lss", command: "editor", write: "error_file cmd_log", words: true },
  ],
  ["links links2 elinks w3m browsh carbonyl", { host: "#*", config: "config-file config-dir bookmark-file config" }],
  [
    "chromium chromium-browser google-chrome google-chrome-stable chrome firefox brave-browser microsoft-edge opera vivaldi epiphany falkon midori qutebrowser surf luakit",
    {
      host: "#* proxy-server host-resolver-rules remote-debugging-address",
      command: "renderer-cmd-prefix utility-cmd-prefix gpu-launcher browser-subprocess-path",
      load: "load-extension",
    },
  ],
  [
    "xdg-open open gnome-open kde-open exo-open sensible-browser www-browser x-www-browser gvfs-open start wslview garcon-url-handler",
    { url: "#*" },
  ],
  [
    "transmission-cli transmission-remote transmission-daemon rtorrent deluge-console qbittorrent-nox ctorrent webtorrent peerflix",
    { host: "#*", command: "f finish" },
  ],
  [
    "yt-dlp youtube-dl gallery-dl you-get lux annie streamlink svtplay-dl spotdl scdl instaloader",
    {
      host: "#* proxy source-address",
      read: "a batch-file load-info-json cookies",
      config: "config-location config-locations",
      load: "plugin-dirs",
      command: "exec exec-before-download downloader external-downloader player p",
    },
  ],
  // Forwarding
  ["proxychains proxychains4 torsocks", { config: "f", stop: true }],
  ["sshuttle", { host: "r remote", command: "e ssh-cmd", data: "x l D v" }],
  [
    "openvpn",
    {
      host: "remote",
      config: "config",
      command: "up down route-up ipchange auth-user-pass-verify tls-verify client-connect learn-address",
      load: "plugin",
      words: true,
    },
  ],
  ["tcpdump", { read: "F", data: "i c C G s w r T W Z z B m y E M" }],
  ["ssldump ngrep", { read: "I", data: "d i" }],
  ["xhost", { host: "#*" }],
  [
    "xdpyinfo xwininfo xprop xrandr xset xmodmap xterm xclock xeyes xmessage xwd xdotool",
    { host: "display", words: true },
  ],
  ["pppd", { command: "#1", verbs: "connect disconnect init pty welcome" }],
  ["ssh-add", { load: "s e" }],
];
