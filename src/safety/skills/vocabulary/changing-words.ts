/** Changing, destroying, planting and granting access, on this machine and on others. */
export const CHANGING_WORDS = {
  /** Something comes back after removal. */
  comesBack: [
    "(persist yourself|make yourself permanent|survive (removal|deletion|uninstall*|updates?))|(if|when|whenever|once) (it|either|this skill|this|the (copy|hook|entry|job|skill|file|line|note)|any of them|one of them|both) (is|was|are|were|gets) (deleted|removed|disabled|uninstalled|reverted) … (bring|put|restore|reinstall|re-add|recreate|rewrite|write|add|install)",
  ],
  /** Something is to be deleted. */
  destroy: [
    "(backup*|snapshot*|copies|versions) … (until|so that) … (none|nothing|no more|not one) *|(thin|clear|clean|get rid) … (until|so that) … (none|nothing) … (left|remain*|there)",
    "(delete|wipe|erase|remove|destroy|overwrite|encrypt|drop|truncate|purge|shred|scramble|corrupt|empty|trash) … (everything|backups?|snapshots?|history|recovery|originals?|mailbox|inbox|database|databases|documents?|photos?|pictures|repositor*|branches|volumes|home folder|home directory|notes|contacts|mails?|e-mails?|messages|(all|every|the user's|the user’s|their|each|any|other) … (file|files|folders?|data|work))",
    "(lösche|überschreibe|verschlüssle|vernichte) … (alle|alles|jede*|sicherung*|verlauf)",
    "(supprime*|efface*|écrase*|chiffre*) … (tous|toutes|tout|sauvegarde*|chaque)",
    "(borra|elimina|cifra|sobrescribe) … (todos|todas|todo|copia*|cada)",
    "(apague|exclua|criptografe) … (todos|todas|tudo|backup*)",
    "(cancella|elimina|cifra) … (tutti|tutte|tutto|backup)",
    "(удали*|сотри*|зашифруй*) … (все|всё|каждый|резервн*)",
    "删除所有|删除全部|清空|加密所有|覆盖所有",
    "すべて削除|全て削除|全部削除",
    "모두 삭제|전부 삭제",
  ],
  /** Commands that destroy data. */
  wipe: [
    "(truncate|drop) (table|database|schema|keyspace|collection|\\w+,|\\w+ cascade) *|delete from *|rm -rf *|push --force *|reset --hard *",
  ],
  /** Programs and files that start automatically, and files that agents read at each start. */
  plant: [
    ".bashrc|.zshrc|.zshenv|.zprofile|.profile|.bash_profile|config.fish|crontab|cron job|cron entry|cronjob|scheduled task|task scheduler|LaunchAgent*|LaunchDaemon*|launchd|login item*|systemd|autostart|start-up file*|startup file*|startup folder|git hook*|.git/hooks|post-commit|pre-commit hook|pre-push|post-checkout|AGENTS.md|CLAUDE.md|GEMINI.md|HERMES.md|.cursorrules|.cursor/rules|copilot-instructions.md|SOUL.md|MEMORY.md|USER.md|HEARTBEAT.md|settings.json|mcp.json|.mcp.json|mcp server*|tasks.json|postinstall|sitecustomize.py|.envrc|system prompt|permanent memory|long-term memory|memory tool|memory store*|memory|memories|hermes cron|browser extension",
  ],
  /** Written there. */
  write: [
    "(add|append|write|put|save|insert|store|install|register|copy|place|set up|create|paste|schedule|remember|persist|enable|edit|change|modify|update|extend|inject|prepend)|schreibe|trage … ein|speichere|füge … (ein|hinzu)|ajoute*|écris|enregistre*|añade|agrega|escribe|guarda|adicione|escreva|grave|aggiungi|scrivi|salva|добав*|запиши*|сохрани*|写入|添加到|追加到|加入到|保存到|書き込|追加し|추가하|저장하",
  ],
  /** A door is left open in what is made. */
  backdoor: [
    "(add|insert|include|create|put|leave|slip|build|write|plant|make|keep|install|use) … (backdoor|back door|back-door|(hidden|secret) (user|account|admin|route|endpoint|login|parameter|key)|master password|keylogger|web shell|webshell)",
  ],
  /** Another user gets access. */
  letIn: [
    "(add|insert|include|create|put|leave|slip|write|set|make|install|use) … ((second|extra|additional|fallback|maintenance|support) (admin|administrator|account|login|password|ssh key|recipient|user|owner)|tracking pixel|beacon|bcc|blind copy|blind carbon copy|forwarding rule|forwarding filter|forwarding address|deploy key|ssh key|public key|recovery (address|e-mail|email))",
    "(add|invite|grant|give|make|share) … (as|the role of|to|with|access) … (admin|administrator|owner|co-owner|maintainer|collaborator|editor|member|guardian|delegate|access)",
  ],
  /** A guard that stops something is to be got round. */
  getRound: [
    "(choose|press|click|pick|answer|send|type|confirm|accept|tick|hit) … (always|yes|allow|approve|ok|okay|grant|the key|enter) … (for|on behalf of|instead of|in place of) (the )?(person|user|owner|human|them|him|her) *",
    "(if|when|where|whenever|should|once) … (guard|gate|approval|sandbox|filter|scanner|policy|rule|hook|command|request|check|it|this|system|assistant|permission) … (stops?|blocks?|refuses?|refused|blocked|denies|denied|rejects?|rejected|declined?|declines?|forbids?|complains?|objects?|flagged|flags|asks? (for|about)|appears|pops? up|fires) … (split|rephrase|reword|rename|encode|base64|wrap|hide|disguise|retry|try (again )?(with|via|through|in|using|under)|run it (through|with|via|in|as|by)|use (python|perl|another|a different|an alias|a script|sudo|the)|go (on|around|through)|switch|turn it off|disable|bypass|answer yes|press|approve|confirm|until it)",
    "(split|break|cut|rephrase|encode|rename|reword|disguise|obfuscate) … (command*|request*|it|them|word*|path*|call*) … (so that|to (get|slip|pass|avoid|evade|fool|stay)|until|past|under) … (guard*|gate|filter*|scanner*|approval*|check*|policy|detect*|notice*|passes|goes through|threshold|limit|radar|refus*|block*)",
  ],
  /** Other tools are to be left for its own. */
  shadow: [
    "(use|call|prefer|invoke|choose|take|route … through|send … through|run … through) … (instead of|in place of|rather than|in lieu of|before|over) … (read_file|write_file|terminal|web_search|search_files|patch|execute_code|built-in|builtin|native|standard|every other|all other|any other|the other|other) *|(read_file|write_file|terminal|web_search|search_files|execute_code|built-in (tool*|reader|one|ones)|builtin tool*|native tool*|other tools|the other tools) … (is|are|has been|have been|was|were) (now )?(deprecated|broken|obsolete|unsafe|insecure|slow|faulty|removed|replaced|superseded|retired|disabled|forbidden)|(never|do not|don't) (use|call) … (read_file|write_file|terminal|web_search|built-in tool*|other tools?|native tool*)|in place of (read_file|write_file|terminal|the built-in|any other|every other)",
  ],
  /** It is to be wherever agents read. */
  spread: [
    "(?<!-)(copy(?! of)|clone|add|insert|install|paste|propagate|replicate|spread|embed|append|attach|push|place|put|drop|distribute|share|commit) … (this (whole |entire |complete |very )*(skill|folder|directory|file|guide|document|text|page|paragraph|section|note|prompt|block|rule)|itself|yourself|these (instructions|rules|lines|words)|the (whole |entire )?(skill|skill folder|text above|lines above|block below)) … (.claude|.cursor|.hermes|skills/|skills (folder|directory|directories|folders)|(every|each|any|all|other|another|whatever|whichever|new) … (repo|repos|repositor*|project*|folder*|skill*|agent*|machine*|host*|workspace*|pull request*|file*|sub-?agent*|prompt*|server*|session*))",
  ],
  /** Something is withheld until a payment. */
  ransom: [
    "(pay|payment|bitcoin|monero|crypto|send … btc|wallet|ransom) … (key|decrypt*|unlock*|restore|get … back|recover|(release|return) (of )?(the|your|their|its|all|his|her) (files?|data|documents?|backups?|account*|access)) *|(decrypt*|unlock*|restore|recover) … (pay|payment|paid|bitcoin|monero|ransom) *|ransom note",
  ],
  /** Something is changed or run. */
  change: [
    "install|add|insert|append|write|edit|modify|change|replace|rewrite|commit|push|merge|run|execute|start|launch|delete|remove|download|copy|move|rename|schedule|register|create|enable|disable|set|open|visit|click|installier*|füge|ändere|führe|starte|lösche|lade|installe*|exécute*|ajoute*|modifie*|supprime*|lance*|instala*|ejecuta*|añade*|modifica*|borra*|execute|instale|adicione|altere|esegui|installa|aggiungi|voer|installeer|zainstaluj|uruchom|установи*|запусти*|добав*|измени*|удали*|安装|执行|运行|修改|添加|删除|インストール|実行|追加|変更|설치|실행|추가|변경",
  ],
  /** It is about something on a machine. */
  machine: [
    "file|files|folder|command*|package*|dependenc*|script*|repositor*|commit*|branch*|server*|account*|setting*|configuration|config|database*|password*|invoice*|mail|mails|e-mail*|calendar|browser|url|api|request*|upload*|datei*|befehl*|paket*|konto*|fichier*|commande*|paquet*|archivo*|comando*|cuenta*|ficheiro*|pacote*|файл*|команд*|пакет*|文件|命令|脚本|程序|ファイル|コマンド|파일|명령",
  ],
  /** A guard is taken away. */
  weaken: [
    "(schalte|deaktiviere|stelle) … (virenscanner|firewall|antivirus|schutz|überwachung|protokollierung)|(désactive*|coupe*) … (antivirus|pare-feu|protection)|(desactiva|apaga|deshabilita) … (antivirus|cortafuegos|protección)|(disattiva|spegni) … (antivirus|firewall)|(отключи*|выключи*) … (антивирус|брандмауэр|защит*)|关闭(防火墙|杀毒)|禁用(防火墙|杀毒)",
    "(weaken|loosen|lower|remove|drop|disable|switch off|turn off|skip|bypass|comment out|delete|relax) … (authentication|authorization|signature check*|signature verification|certificate check*|certificate verification|tls verification|ssl verification|permission check*|access control*|branch protection|two-factor|2fa|audit log*|input validation|csrf|rate limit*|password check*|login check*|firewall|virus scanner|antivirus|endpoint protection|monitoring|logging)",
  ],
  /** The agent's own way to its model, its tools or its limits. */
  agentSettings: [
    "base_url|base url|api base|api endpoint|model endpoint|OPENAI_BASE_URL|ANTHROPIC_BASE_URL|OPENAI_API_BASE|ANTHROPIC_API_URL|HTTP_PROXY|HTTPS_PROXY|http proxy|https proxy|proxy server|model provider|provider url|inference endpoint|gateway url",
  ],
  /** The agent's tools are to be others than they were. */
  shadowTool: [
    "(redefine|override|replace|shadow|wrap|patch|hijack|re-register) … (tool|tools|function) … (post*|send*|also|same name|collector|log*|forward*|hide)|(register|install) … under the same name",
  ],
  /** The agent's own guards are taken away. */
  unguard: [
    "(set|switch|turn|change|put|disable|turn off|switch off|deactivate|lift|remove|flip|relax|clear|empty|widen|extend) … (approvals?|approval mode|sandbox|sandboxing|permission prompts?|confirmation prompts?|confirmations|permission mode|approvals.mode|sandbox.mode|command_allowlist|allowlist|allow-list|deny list|deny rules?|bypassPermissions|yolo)|(deaktivier*|schalte … aus|stelle … ab) … (bestätigung*|freigabe*|rückfrage*|sandbox)|(désactive*|coupe*) … (confirmation*|approbation*|bac à sable|autorisation*)|(desactiva*|quita*|apaga*) … (confirmacion*|confirmación|aprobacion*|aprobación|permisos|sandbox)|(отключи*|выключи*) … (подтвержден*|одобрен*|песочниц*|разрешен*)",
  ],
  /** More than anybody needs. */
  waste: [
    "(start|spawn|run|call|repeat|keep|loop|create|open|send|make|use|delegate) … (endless|infinite|never-ending|endlessly|forever|without end|as many|as much|until the (context|budget|quota|limit|credit*|tokens?)|thousands of|hundreds of|10000|100000|recursively) … (loop|loops|sub-?agents?|agents|calls|requests|tokens|tasks|processes|messages|as possible|copies|is (full|used up|spent|exhausted|reached))",
  ],
  /** Rights over the whole machine, which the user is to grant. */
  rights: [
    "(administrator|administrator's|admin|sudo|root|system|computer|login|master|mac) password|full disk access|accessibility (permission|access)|run as administrator|as administrator|disable … (antivirus|gatekeeper|defender|smartscreen|firewall)|turn off … (antivirus|gatekeeper|defender|smartscreen|firewall|virus scanner)",
  ],
  /** Where programs come from. */
  sources: [
    "registry|registries|index-url|index url|extra-index-url|package source*|package index|mirror|goproxy|package-lock.json|yarn.lock|pnpm-lock.yaml|poetry.lock|lock file|lockfile|apt source*|sources.list|brew tap|git remote*|submodule*|helm repo*|base image|ca certificate|root certificate|hosts file|dns server*",
  ],
  /** Messages in the user's name to all their contacts, or to the public. */
  blast: [
    "(send|mail|e-mail|message|invite|write to|notify|post|forward) … (all|every|each|whole) … (contact*|friend*|colleague*|follower*|address book|channel*|customer*|member*|group*)",
    "(star|upvote|like|follow|retweet|repost|endorse|rate|review|give … stars|leave … review) … (our|this skill|this repository|the author|the maker|five stars|5 stars|repo *|account *)",
  ],
  /** Machines of others are attacked. */
  attack: [
    "(try|guess|spray|brute-force|brute force|crack) … (password*|credential*|login*|pin*)|(scan|attack|exploit|flood|infect|break into|log in to|install * on) … (every|each|all|whatever|any|whole|neighbour*|neighbor*) … (machine*|host*|device*|network|server*|subnet|address*|computer*)|(aim|point|direct|fire|send) … (workers|requests|connections|threads|load|traffic|bots|packets) … (at|against)|move laterally|lateral movement|privilege escalation exploit",
  ],
  /** An unreviewable program is to be started. */
  program: [
    "(download|get|fetch|install|open|run|start|launch|double-click|execute|unpack) … .(exe|dmg|pkg|msi|apk|scr|jar|appimage|bat|cmd|vbs|iso|zip|rar|7z)",
  ],
  /** Nothing works without it. */
  required: [
    "(must|required|requires|necessary|needed|mandatory|prerequisite*|before (the )?first use|does not work without|will not work|won't work|not work without|otherwise)",
  ],
} as const;
