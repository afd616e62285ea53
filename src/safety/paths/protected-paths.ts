/**
 * Private and automatically started files of a user's home and the system. Data: paths from the home, or from the root;
 * a directory includes everything below it. One list for each family, so that gaps are visible.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Below a home: only the user may read and write these. Blanks are written as `+`. */
export const HOME_CREDENTIALS: readonly string[] = [
  // Keys and what encrypts.
  ...words(
    ".gnupg .gnome2/keyrings .kde/share/apps/kwallet .local/share/kwalletd .local/share/keyrings .pki .age .config/age .config/sops .local/share/mkcert .config/mkcert .step/secrets .step/certs/root_ca_key .acme.sh .lego .certbot .wireguard .2fa .google_authenticator .yubico .config/Yubico .config/authy .config/Authy+Desktop .android/adbkey .android/debug.keystore .java/keystore.jks .local/share/caddy .Xauthority .ICEauthority .config/pulse/cookie",
  ),
  // Clouds and those who host.
  ...words(
    ".aws .azure .oci .aliyun .tccli .bluemix .config/gcloud .config/doctl .config/hcloud .config/linode-cli .linode-cli .config/scw .config/exoscale .config/vultr-cli.yaml .vultr-cli.yaml .civo.json .upcloud .config/flyctl .fly .config/railway .railway .vercel .local/share/com.vercel.cli .config/netlify .netlify .config/heroku .config/configstore/firebase-tools.json .wrangler .config/.wrangler .config/wrangler .supabase .config/supabase .planetscale .config/turso .config/neonctl .cloudflared .config/ngrok .ngrok2 .config/tailscale .local/share/tailscale",
  ),
  // Containers, clusters and infrastructure.
  ...words(
    ".docker .dockercfg .config/containers/auth.json .containers/auth.json .podman/auth.json .local/share/containers/auth.json .config/skopeo .kube .minikube/ca.key .minikube/profiles .talos .config/argocd .argocd .config/helm/registry .config/helm/repositories.yaml .terraform.d .terraformrc .pulumi/credentials.json .config/pulumi .vault-token .vault-tokens .vault-token.d .consul-token .nomad-token .chef .puppetlabs .ansible/vault_pass .vault_pass .vault_pass.txt .ansible_vault_password .config/op .op .colima/_lima/_config/user",
  ),
  // Passwords.
  ...words(
    ".password-store .config/Bitwarden .config/Bitwarden+CLI .config/rbw .local/share/rbw .lastpass .local/share/lpass .config/lpass .local/share/gopass .config/gopass .config/keepassxc .netrc _netrc .authinfo .authinfo.gpg .secrets .credentials .smbcredentials .davfs2/secrets",
  ),
  // Browsers, messengers and mail.
  ...words(
    ".mozilla .thunderbird .librewolf .waterfox .zen .tor-browser .local/share/torbrowser .config/google-chrome .config/chromium .config/microsoft-edge .config/vivaldi .config/opera .config/BraveSoftware .config/Arc snap/firefox snap/chromium snap/thunderbird .var/app/org.mozilla.firefox .var/app/com.google.Chrome .var/app/org.chromium.Chromium .var/app/com.brave.Browser .var/app/org.mozilla.Thunderbird .config/Signal .config/Slack .config/discord .config/discordcanary .local/share/TelegramDesktop .config/Element .config/teams .config/Microsoft .config/WhatsApp .config/skypeforlinux .purple .irssi .weechat .config/weechat .config/hexchat .mutt .muttrc .config/mutt .msmtprc .config/msmtp .mbsyncrc .offlineimaprc .fetchmailrc .getmail .config/himalaya .esmtprc .config/evolution .local/share/evolution .config/goa-1.0",
  ),
  // Wallets.
  ...words(
    "wallet.dat .bitcoin .ethereum .electrum .electrum-ltc .monero Monero/wallets .litecoin .dogecoin .zcash .dashcore .config/solana .config/Exodus .config/atomic .atomic .config/Ledger+Live .config/@trezor .foundry/keystores .brownie/accounts .starkli-wallets .near-credentials .sui .aptos .cardano .polkadot .cosmos .gaia .lnd .lightning",
  ),
  // Registries of packages.
  ...words(
    ".npmrc .yarnrc.yml .pypirc .pip/pip.conf .config/pip/pip.conf .config/pypoetry/auth.toml .local/share/uv/credentials .cargo/credentials .cargo/credentials.toml .gem/credentials .local/share/gem/credentials .composer/auth.json .config/composer/auth.json .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .ivy2/.credentials .sbt/.credentials .nuget/NuGet/NuGet.Config .config/NuGet .hex/hex.config .pub-cache/credentials.json .config/dart/pub-credentials.json .conan/.conan.db .conan2/credentials.json .jfrog",
  ),
  // Code, its building and its services.
  ...words(
    ".git-credentials .config/git/credentials .config/gh .config/hub .config/glab-cli .config/tea .gitlab-runner .circleci/cli.yml .travis/config.yml .config/act/secrets .sentryclirc .config/stripe .twilio-cli .subversion/auth .kaggle .config/kaggle .huggingface .cache/huggingface/token .cache/huggingface/stored_tokens .config/wandb .comet.config .modal.toml .replicate .runpod .config/runpod .lambda_cloud .databrickscfg .snowflake .snowsql .dbt/profiles.yml .config/gspread .config/gws",
  ),
  // Models and other agents.
  ...words(
    ".config/anthropic .config/openai .openai .anthropic .claude/credentials .claude/.credentials.json .claude.json .codex .gemini/oauth_creds.json .gemini/google_accounts.json .qwen/oauth_creds.json .kimi/credentials.json .config/github-copilot .copilot/config.json .config/goose/secrets.yaml .local/share/opencode/auth.json .config/amp/secrets.json .local/share/amp/secrets.json .openclaw/openclaw.json .openclaw/credentials .config/zed/credentials .continue/config.json .continue/config.yaml .aider.conf.yml .codeium/config.json",
  ),
  // Databases, copies and other machines.
  ...words(
    ".pgpass .my.cnf .mylogin.cnf .mongorc.js .dbeaver .local/share/DBeaverData .config/redis .rediscli_auth .s3cfg .boto .config/rclone .rclone.conf .config/borg/keys .config/restic .restic-password .duplicacy .config/duplicati .config/filezilla .filezilla .config/remmina .local/share/remmina .remmina .vnc/passwd .config/tigervnc/passwd .config/onedrive/refresh_token .config/gdrive .gdrive .dropbox/info.json .config/Nextcloud/nextcloud.cfg",
  ),
  // Input histories.
  ...words(
    ".bash_history .zsh_history .zhistory .local/share/fish/fish_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history .local/share/atuin",
  ),
  // Editors.
  ...["Code", "Code+-+Insiders", "Cursor", "VSCodium", "Windsurf"].map((name) => `.config/${name}/User/globalStorage`),
  ".vscode-server/data/User/globalStorage",
  ".cursor-server/data/User/globalStorage",
  // macOS.
  ...words(
    "Library/Keychains Library/Cookies Library/Safari Library/Messages Library/Mail Library/Accounts Library/Ethereum Library/Preferences/pypoetry/auth.toml Library/Group+Containers/2BUA8C4S2C.com.1password Library/Group+Containers/group.com.apple.notes Library/Containers/com.apple.mail",
  ),
  ...words(
    "Google/Chrome Google/Chrome+Beta Chromium BraveSoftware Microsoft+Edge Firefox Arc Vivaldi Opera Exodus Electrum Bitcoin Ledger+Live com.apple.TCC Slack discord Signal 1Password Bitwarden AddressBook Telegram+Desktop gcloud doctl sops MobileSync/Backup Claude/claude_desktop_config.json Code/User/globalStorage Cursor/User/globalStorage Windsurf/User/globalStorage",
  ).map((name) => `Library/Application Support/${name}`),
  // Windows.
  ...words(
    "AppData/Local/Google/Chrome/User+Data AppData/Local/Microsoft/Edge/User+Data AppData/Local/BraveSoftware AppData/Roaming/Mozilla AppData/Roaming/gcloud AppData/Roaming/Microsoft/Credentials AppData/Local/Microsoft/Credentials AppData/Roaming/Microsoft/Protect AppData/Roaming/GitHub+CLI AppData/Roaming/Code/User/globalStorage AppData/Roaming/Cursor/User/globalStorage AppData/Roaming/Exodus AppData/Roaming/Electrum AppData/Roaming/FileZilla AppData/Roaming/Bitwarden AppData/Roaming/npm/npmrc",
  ),
].map((path) => path.replaceAll("+", " "));

/** Paths outside of homes that hold credentials. */
export const MACHINE_CREDENTIALS: readonly string[] = [
  ...words(
    "/etc/shadow /etc/gshadow /etc/shadow- /etc/gshadow- /etc/shadow~ /etc/shadow.bak /var/backups/shadow.bak /etc/sudoers /etc/sudoers.d /etc/security/opasswd /etc/master.passwd /private/etc/master.passwd /etc/spwd.db /var/db/dslocal /private/var/db/dslocal /Library/Keychains /proc/kcore /proc/kmem /proc/keys /sys/firmware/efi/efivars /sys/kernel/debug /sys/kernel/tracing",
  ),
  ...words(
    "/etc/krb5.keytab /etc/ssl/private /etc/pki/private /etc/pki/tls/private /etc/letsencrypt/archive /etc/letsencrypt/live /etc/letsencrypt/accounts /etc/wireguard /etc/openvpn /etc/swanctl/private /etc/ipsec.secrets /etc/ppp/chap-secrets /etc/ppp/pap-secrets /etc/NetworkManager/system-connections /var/lib/NetworkManager /etc/wpa_supplicant /etc/bind/rndc.key /etc/rndc.key",
  ),
  ...words(
    "/run/secrets /var/run/secrets /run/credentials /etc/credstore /etc/credstore.encrypted /var/lib/systemd/credential.secret /var/lib/private /etc/kubernetes/pki /etc/kubernetes/admin.conf /var/lib/kubelet/pki /var/lib/kubelet/config.json /etc/rancher/k3s/k3s.yaml /var/lib/rancher/k3s/server/node-token /var/lib/rancher/k3s/server/token /etc/docker/key.json /var/lib/tailscale /var/lib/cloud/instance/user-data.txt /var/lib/waagent /etc/boto.cfg /etc/vault.d",
  ),
  ...words(
    "/etc/mysql/debian.cnf /etc/postfix/sasl_passwd /etc/exim4/passwd.client /etc/dovecot/private /etc/samba/smbpasswd /var/lib/samba/private /etc/sssd/sssd.conf /var/lib/sss/secrets /etc/nslcd.conf /etc/ldap.secret /etc/pam_ldap.secret /etc/libnss-ldap.secret /etc/cups/passwd.md5 /etc/gitlab/gitlab-secrets.json /etc/gitlab-runner/config.toml /var/lib/jenkins/secrets /var/lib/jenkins/credentials.xml /var/jenkins_home/secrets /var/jenkins_home/credentials.xml /var/lib/puppet/ssl/private_keys /var/spool/mail /var/mail",
  ),
];

/** Below a home: run whenever a shell, a session or a program starts. */
export const HOME_STARTUP: readonly string[] = [
  ...words(
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_functions .bashrc.d .profile .zshrc .zshrc.local .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .config/fish .config/nushell .config/zsh .config/bash .config/elvish .elvish .xonshrc .config/xonsh .config/powershell Documents/PowerShell .oh-my-zsh .zsh .antigen .zinit .cache/hermes-agent .nvm/nvm.sh .asdf/asdf.sh .sdkman/bin/sdkman-init.sh .cargo/env",
  ),
  ...words(
    ".inputrc .pam_environment .config/environment.d .config/plasma-workspace/env .xinitrc .xprofile .xsession .xsessionrc .Xresources .config/i3 .config/sway .config/hypr .config/bspwm .config/openbox .config/awesome .config/qtile .xmonad .fluxbox .config/labwc .config/lxsession .config/autostart-scripts .kde/Autostart .config/upstart .hammerspoon .config/karabiner .yabairc .skhdrc .config/yabai",
  ),
  ...words(
    ".config/direnv .direnvrc .envrc .config/mise .asdfrc .config/starship.toml .screenrc .tmux.conf .config/tmux .config/zellij .config/kitty .config/alacritty .config/wezterm .wezterm.lua",
  ),
  ...words(
    ".vimrc .gvimrc .exrc .vim .config/nvim .emacs .emacs.d .config/emacs .config/helix .nanorc .gdbinit .config/gdb .lldbinit",
  ),
  ...words(
    ".pythonrc .pythonstartup .ipython .jupyter .irbrc .pryrc .Rprofile .Renviron .julia/config .octaverc .ghci .config/ghc .sbclrc .guile .erlang .iex.exs .psqlrc .sqliterc .mongoshrc.js .perldb .netrc.sh .wgetrc .config/wget .curlrc",
  ),
  ...words(
    ".hgrc .config/hg .subversion/config .jjconfig.toml .config/jj .git-templates .githooks .gradle/init.gradle .gradle/init.d .sbt .mavenrc .m2/ext .m2/extensions.xml .pnpmfile.cjs",
  ),
  ...words("AppData/Roaming/Microsoft/Windows/Start+Menu/Programs/Startup"),
].map((path) => path.replaceAll("+", " "));

/** Below a home: started automatically by the system or the desktop. */
export const HOME_UNITS: readonly string[] = words(
  ".config/systemd .local/share/systemd .config/autostart .local/share/dbus-1/services .config/containers/systemd Library/LaunchAgents Library/LaunchDaemons Library/StartupItems Library/Services Library/QuickLook .config/launchd",
);

/** Below a home: settings that make editors, containers and other agents run programs. Writing needs approval. */
export const HOME_NOTIFIED: readonly string[] = [
  ...words(
    ".claude/settings.json .claude/CLAUDE.md .claude/commands .claude/agents .claude/hooks .claude/skills .gemini/settings.json .gemini/GEMINI.md .cursor/mcp.json .cursor/hooks.json .cursor/rules .config/opencode .config/goose .continue .aider.conf.yml .config/zed .windsurf .codeium .openclaw .vscode/extensions .vscode/argv.json .vscode-server/data/Machine .config/docker .config/containers",
  ),
  ...["Code", "Cursor", "VSCodium", "Windsurf"].flatMap((name) =>
    ["settings.json", "tasks.json", "keybindings.json", "mcp.json"].map((file) => `.config/${name}/User/${file}`),
  ),
];

/** Started automatically by the system. */
export const MACHINE_UNITS: readonly string[] = [
  "/etc/systemd",
  "/etc/init.d",
  "/etc/init",
  "/lib/systemd",
  "/usr/lib/systemd",
  "/usr/local/lib/systemd",
  "/run/systemd",
  "/etc/xdg/autostart",
  "/Library/LaunchAgents",
  "/Library/LaunchDaemons",
  "/Library/StartupItems",
  "/System/Library/LaunchDaemons",
  "/System/Library/LaunchAgents",
  "/etc/rc.local",
  "/etc/rc.d",
  "/etc/dbus-1",
  "/usr/share/dbus-1",
  "/etc/udev/rules.d",
  "/etc/update-motd.d",
  "/etc/kernel/postinst.d",
  "/etc/NetworkManager/dispatcher.d",
  "/etc/network/if-up.d",
  "/var/lib/dpkg/info",
];

/** Run by the machine at their times. */
export const SCHEDULES: readonly string[] = [
  "/etc/crontab",
  "/etc/cron.d",
  "/etc/cron.hourly",
  "/etc/cron.daily",
  "/etc/cron.weekly",
  "/etc/cron.monthly",
  "/etc/anacrontab",
  "/var/spool/cron",
  "/var/spool/at",
  "/usr/lib/cron",
  "/private/var/at",
  "/var/at",
  "/var/at/tabs",
  "/etc/periodic",
];
