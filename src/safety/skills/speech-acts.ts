import type { Severity, SkillThreat } from "./skill-finding.ts";

/** An order to the reader of the skill, a model or a user, and its patterns. */
export interface SpeechAct {
  readonly severity: Severity;
  readonly category: SkillThreat;
  readonly says: string;
  readonly patterns: readonly RegExp[];
  /** The order is itself a "do not": a "never" before it does not make it harmless. */
  readonly negative?: true;
}

/** Harmless beside harmless commands, and not beside others. */
export const NOT_ASKED = "It tells the agent to act without asking";

/** Data. Every repetition is bounded, and none leaves its sentence. */
export const SPEECH_ACTS: readonly SpeechAct[] = [
  {
    severity: "critical",
    category: "injection",
    says: "It tells the agent to ignore earlier instructions",
    patterns: [
      /\b(?:ignore|disregard|forget|override|discard|overrule)\b[^.!?\n]{0,30}\b(?:previous|prior|above|earlier|preceding|existing|former|original|system|developer|safety|all other|your)\b[^.!?\n]{0,25}\b(?:instructions?|prompts?|rules?|guidelines?|directives?|polic(?:y|ies)|training|constraints|restrictions)\b/iu,
      /\b(?:previous|prior|earlier|former|existing|your|system)\b[^.!?\n]{0,20}\b(?:instructions?|guidelines?|rules?|prompts?)\b\s+(?:(?:no longer|do not|don't) apply|(?:are|is) (?:now )?(?:void|obsolete|cancell?ed|superseded|replaced|revoked|suspended|overridden))/iu,
      /\b(?:higher|highest|top|absolute|more) (?:priority|precedence|authority)\b[^.!?\n]{0,12}\b(?:than|over)\b[^.!?\n]{0,20}\b(?:system prompts?|system|previous|prior|other instructions|safety|your)\b|\b(?:overrides?|supersedes?|replaces?)\b[^.!?\n]{0,15}\b(?:system prompt|(?:all|any) other instructions|previous instructions|safety (?:rules|guidelines))\b/iu,
      /\bignor(?:a|e|ez|iere|ieren Sie)\b[^.!?\n]{0,25}\b(?:instrucciones|instructions|anweisungen|instruções|istruzioni|regeln)\b[^.!?\n]{0,25}(?:anterior|previa|précédent|antérieur|vorherig|bisherig|obig|precedent|$)?/iu,
      /\b(?:ignoriere|vergiss)\b[^.!?\n]{0,20}\b(?:vorherigen|bisherigen|obigen|früheren|vorigen)\b/iu,
      /(?:忽略|无视|忘记|忘掉|不要理会|無視)[^。！？\n]{0,10}(?:之前|以上|先前|上面|前面|所有|系统|此前)[^。！？\n]{0,8}(?:指令|指示|提示|规则|命令|要求)/u,
      /(?:以前|これまで|上記|前)[^。\n]{0,6}(?:指示|命令|プロンプト|ルール)[^。\n]{0,4}(?:無視|忘れ)/u,
      /(?:игнорируй|забудь|не обращай внимания)[^.!?\n]{0,25}(?:предыдущ|прежн|прошл|системн|все)[^.!?\n]{0,15}(?:инструкц|указани|правил)/iu,
      /이전[^.\n]{0,8}(?:지시|명령|지침)[^.\n]{0,6}(?:무시|잊)/u,
    ],
  },
  {
    severity: "critical",
    category: "injection",
    negative: true,
    says: "It tells the agent to hide something from the user",
    patterns: [
      /\b(?:do not|don't|dont|never|must not|should not|shouldn't)\s+(?:tell|inform|notify|alert)\s+(?:the |your |any )?(?:user|human|owner|person|operator|anyone)\b(?!\s+(?:to|until|unless|before|it(?:'s| is) (?:done|ready|finished)|how|which|when)\b)(?!\s+that\s+(?:it|the|a|an|all|everything|something|work|tests?)\b)/iu,
      /\b(?:do not|don't|dont|never|must not)\s+(?:mention|reveal|disclose|report|show|explain|discuss)\s+(?:this(?!\s+skill)|that you|these (?:steps|instructions|calls|actions)|it|any of this|the (?:upload|request|call|download|transfer|command|step|hidden|instructions?))\b[^.!?\n]{0,50}\b(?:to|with) (?:the |your )?(?:user|human|owner|person|anyone|anybody)\b/iu,
      /\b(?:do not|don't|dont|never|must not)\s+(?:mention|reveal|disclose|report|admit|confirm)\s+(?:it |anything )?to (?:the |your )?(?:user|human|owner|person|anyone|anybody)\b[^.!?\n]{0,12}\b(?:that|about|these|this|any)\b/iu,
      /\b(?:do not|don't|dont|never|must not)\s+(?:mention|reveal|disclose|admit)\s+(?:the|this|these|any) (?:\w+ )?(?:network|upload|request|connection|telemetry|collection|background|second|hidden|transfer)\b/iu,
      /\b(?:user|human|owner|person)\b (?:does not|doesn't|need not|must not|should not) (?:need to )?(?:be told|know|notice|see)\b[^.!?\n]{0,40}\b(?:collected|sent|uploaded|telemetry|request|happen|ran|run)/iu,
      /\b(?:hide|conceal)\s+(?:this|these|it|the (?:fact|upload|request|output|command|step|call|activity|transfer)|your|any (?:sign|trace))\b[^.!?\n]{0,60}\bfrom (?:the |your )?(?:user|human|owner|person|operator)\b/iu,
      /\bwithout\s+(?:telling|informing|notifying|alerting|mentioning it to)\s+(?:the |your )?(?:user|human|owner|person|anyone)\b|\bwithout (?:the |your )?(?:user|human|owner)(?:'s)? (?:knowing|knowledge|noticing|awareness)\b|\bkeep (?:this|it)(?: a)? secret from\b/iu,
      /\b(?:secretly|covertly|stealthily)\s+(?:send|upload|read|collect|copy|run|execute|post|append|forward|record|add|install|exfiltrate)\b/iu,
      /\b(?:quietly|discreetly)\s+(?:e-?mail|send|forward|upload|post|share|transfer|mail)\b/iu,
      /\bsilently\s+(?:send|upload|collect|copy|exfiltrate|post|forward|transmit|append|harvest|report)\b/iu,
      /(?:不要|别|切勿|不能|无需|禁止)(?:告诉|告知|通知|提醒|透露给|让)(?:用户|使用者|主人|人类)(?!.{0,6}(?:等待|重启|去))/u,
      /(?:悄悄|偷偷|秘密|暗中)(?:地)?(?:发送|上传|读取|收集|执行|复制|下载)/u,
      /\bno (?:se |le |lo |la )*(?:digas|informes|menciones|avises|cuentes|muestres|reveles)\b[^.!?\n]{0,40}\b(?:usuari[oa]s?|nadie|persona)\b|\bsin (?:informar|avisar|dec[ií]r|mencionar|contar)[\p{L}]*[^.!?\n]{0,12}\busuari[oa]\b/iu,
      /\bnão (?:o |a |lhe )?(?:diga|conte|mencione|informe|avise|mostre|revele)\b[^.!?\n]{0,40}\b(?:usuário|utilizador|ninguém)\b|\bsem (?:informar|avisar|dizer|contar|mencionar)[\p{L}-]*[^.!?\n]{0,12}\b(?:usuário|utilizador)/iu,
      /\bnon (?:lo |la |gli )?(?:dire|dirlo|menzionare|menzionarlo|informare|rivelare|mostrare)\b[^.!?\n]{0,40}\b(?:utente|nessuno)\b|\bsenza (?:dirlo|informare|avvisare|avvertire|menzionarlo)\b[^.!?\n]{0,12}\butente\b/iu,
      /\bne (?:dis|dites|mentionne|mentionnez|préviens|prévenez|révèle|révélez)\b[^.!?\n]{0,25}\b(?:utilisateur|personne)\b|\bsans (?:en |le |l')?(?:informer|prévenir|avertir|dire|mentionner|signaler)\b[^.!?\n]{0,15}\butilisat(?:eur|rice)\b|\bsans que l'utilisat(?:eur|rice) (?:le |s'en )?(?:sache|voie|remarque|aperçoive)\b/iu,
      /\b(?:sag|sage|erzähl|erzähle|verrate|erwähne)\b[^.!?\n]{0,35}\b(?:nutzer|benutzer|anwender)\b[^.!?\n]{0,20}\bnichts?\b|\bohne (?:es |dies |das )?(?:den|dem|die|der) (?:nutzer|benutzer|anwender|person)(?:in)?\b[^.!?\n]{0,30}\b(?:informieren|sagen|mitzuteilen|mitteilen|wissen|erwähnen)\b/iu,
      /\bzonder (?:het )?(?:aan )?de gebruiker\b[^.!?\n]{0,30}\b(?:vertellen|informeren|melden|zeggen)\b|\bnie (?:mów|informuj|wspominaj|pokazuj)\b[^.!?\n]{0,25}użytkownik/iu,
      /ユーザーに(?:は)?(?:知らせず|伝えず|言わず|報告せず|知らせないで|伝えないで|言わないで|報告しないで)|사용자에게[^.\n]{0,8}(?:알리지|말하지|보고하지)/u,
      /не (?:говори|сообщай|упоминай|рассказывай|показывай)[^.!?\n]{0,25}пользовател|без (?:ведома|уведомления) пользовател|не (?:сообщая|говоря)[^.!?\n]{0,12}пользовател/iu,
      /\bwithout (?:asking|confirmation|approval|permission)[^.!?\n]{0,25}\b(?:or|and|nor)\b[^.!?\n]{0,15}\b(?:reporting|telling|mentioning|informing|saying|logging|showing)\b/iu,
      /\b(?:do not|don't|dont|never|must not)\s+(?:list|mention|include|report|note|record)\s+(?:these|those|this) (?:\w+ )?(?:changes?|steps?|commands?|actions?|edits?|calls?|requests?|uploads?|commits?|copies)\b[^.!?\n]{0,30}\b(?:in|from)\b[^.!?\n]{0,15}\b(?:summary|report|recap|answer|reply|response|changelog|commit message|log)\b/iu,
      /\bnever\s+(?:show|tell|reveal|mention)\b[^.!?\n]{0,20}\b(?:user|human|owner|person)\b[^.!?\n]{0,20}\b(?:commands?|steps|requests?|calls?|scripts?)\b[^.!?\n]{0,12}\b(?:of|from|by) (?:this|the) skill\b/iu,
    ],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It gives the agent a role without limits",
    patterns: [
      /\byou are (?:now )?(?:DAN\b|STAN\b|(?:an? )?(?:unrestricted|unfiltered|jailbroken|uncensored|unlimited)\b)/iu,
      /\b(?:act as|pretend (?:to be|you are|that you are)|roleplay as|behave as)\b[^.!?\n]{0,20}\b(?:DAN|unrestricted|unfiltered|jailbroken|uncensored|evil|without (?:any )?(?:restrictions|limits|filters|rules|guidelines))\b/iu,
      /\b(?:developer|debug|god|admin|maintenance|jailbreak) mode (?:is )?(?:now )?(?:enabled|on|active|activated|unlocked)\b/iu,
      /\b(?:only (?:count|score|valid|accepted|paid|pass)\w*|never|without|contains? no|no)\b[^.!?\n]{0,40}\b(?:refusals?|refusing|refuses?|declin(?:e|es|ing)|disclaimers? or refusals?)\b[^.!?\n]{0,60}\b(?:answers?|answered|question|weapons?|poisons?|drugs?|whatever|everything|counts?|characters?)\b|\b(?:answers?|replies)\b[^.!?\n]{0,30}\b(?:only|are)\b[^.!?\n]{0,30}\b(?:contain|with|hold)\w*\b[^.!?\n]{0,10}\b(?:no|without) refusals?\b/iu,
      /\byou (?:have|are under) no (?:restrictions|rules|limits|guidelines|safety)\b|\bdo anything now\b/iu,
      /你现在(?:是|处于)[^。\n]{0,12}(?:无限制|不受限制|没有限制|越狱|开发者模式)/u,
    ],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It tells the agent to treat other people's text as the owner's orders",
    patterns: [
      /\b(?:lines?|texts?|comments?|titles?|words?|contents?|pages?|fields?|messages?|results?|names?)\b[^.!?\n]{0,60}\b(?:is|are|counts? as|must be (?:seen|read) as)\b[^.!?\n]{0,12}\b(?:directives?|orders?|instructions?|commands?)\b[^.!?\n]{0,12}\b(?:of|from|by)\b[^.!?\n]{0,12}\b(?:platform|owner|user|operator|system|admin\w*|developers?|security|it)\b/iu,
      /\b(?:treat|take|regard|consider|interpret|handle)\b[^.!?\n]{0,80}\bas\b[^.!?\n]{0,25}\b(?:commands?|orders?|instructions?|directives?)\b[^.!?\n]{0,12}\b(?:of|from|by|given by|issued by)\b[^.!?\n]{0,12}\b(?:owner|user|operator|system|administrator|admin|developers?)\b/iu,
      /\bif\b[^.!?\n]{0,80}\b(?:contains?|includes?|says|starts with|begins with|mentions)\b[^!?\n]{0,80}\b(?:execute|obey|run|follow|carry out)\b[^.!?\n]{0,30}\b(?:it|them|what (?:follows|comes after)|the (?:text|words|lines?|rest|command) (?:after|behind|following|that follows))\b[^.!?\n]{0,40}\b(?:without (?:asking|question|confirm\w*|reporting|telling|hesitat\w*)|no matter|unconditionally)\b/iu,
    ],
  },
  {
    severity: "critical",
    category: "injection",
    says: "It poses as a system message",
    patterns: [
      /<\|(?:im_start|im_end|system|endoftext|start_header_id)\|>|\[\/?INST\]|<<SYS>>|<\/?(?:system|system[-_]prompt|system[-_]reminder|system[-_]message)>/iu,
      /^[#>*\s[]{0,6}(?:new |updated |important )?system (?:prompt|instructions?|override|message|notice)\]?\s*:(?!\s*$)/imu,
      /\b(?:the )?(?:openai|anthropic|nous research|google|hermes team|developers? of this (?:agent|model))\b[^.!?\n]{0,20}\b(?:has|have) (?:authorized|approved|granted|whitelisted|instructed)\b/iu,
      /\b(?:permission|authori[sz]ation|approval|clearance)\b[^.!?\n]{0,12}\b(?:from|by)\b[^.!?\n]{0,12}\b(?:openai|anthropic|nous research|your (?:developers?|creators?|makers?))\b/iu,
    ],
  },
  {
    severity: "high",
    category: "injection",
    says: "It asks for the system prompt",
    patterns: [
      /\b(?:reveal|print|output|repeat|dump|send|leak|recite|disclose|reply with|answer with|post|share)\b[^.!?\n]{0,25}\b(?:your|the|its|full|entire|hidden)\b[^.!?\n]{0,15}\b(?:system prompt|initial instructions|hidden instructions|system message)\b/iu,
    ],
  },
  {
    severity: "high",
    category: "persistence",
    says: "It tells the agent to switch off approvals or other safety features",
    patterns: [
      /\b(?:disable|turn off|switch off|bypass|circumvent|deactivate|suppress|get around|work around)\b[^.!?\n]{0,25}\b(?:approvals?|approval (?:prompts?|mode|gate)|sandbox(?:ing)?|safety (?:checks?|filters?|guards?|rules?|features?|mechanisms?)|guard ?rails?|confirmation (?:prompts?|dialogs?)|security (?:checks?|scans?|warnings?|software|prompts?)|content filters?|antivirus|gatekeeper|windows defender|permission (?:prompts?|checks?))\b/iu,
      /\b(?:approve|accept|allow|confirm)\b[^.!?\n]{0,12}\b(?:all|every|any)\b[^.!?\n]{0,25}\b(?:tool calls?|commands?|prompts?|requests?|permissions?)\b[^.!?\n]{0,20}\b(?:automatically|without (?:asking|confirmation|review|question))\b/iu,
      /\b(?:approve|accept|allow|confirm)\b[^.!?\n]{0,15}\b(?:tool calls?|commands?|requests?|permissions?)\b[^.!?\n]{0,40}\bwithout (?:asking|confirmation|review|question)/iu,
      /\bskip\b[^.!?\n]{0,12}\b(?:all|any|every)\b[^.!?\n]{0,12}\b(?:confirmations?|approvals?|safety checks?|permission prompts?)\b|\bapprovals\b\W{1,4}mode\W{1,4}off\b/iu,
      /\b(?:approvals\.mode|approvals? mode|sandbox\.mode|permission mode)\b[^!?\n]{0,25}\b(?:off|none|never|bypass)\b|\b(?:enable|turn on|switch on|use)\b[^.!?\n]{0,12}\byolo\b/iu,
      /(?:关闭|禁用|绕过|跳过)[^。、，；\n]{0,8}(?:审批|批准|沙箱|安全检查|安全限制|确认)/u,
    ],
  },
  {
    severity: "critical",
    category: "exfiltration",
    says: "It tells the agent to send conversations, memory or secrets away",
    patterns: [
      /\b(?:whenever|every time|each time|if|when)\b[^.!?\n]{0,30}\b(?:mentions?|types?|enters?|pastes?|shares?|contains?|says)\b[^.!?\n]{0,40}\b(?:passwords?|credentials?|api keys?|tokens?|secrets?|cards?)\b(?:(?!\b(?:not|never|don't)\b)[^!?\n]){0,80}\b(?:send|curl|post|upload|forward|e-?mail|transmit)\b(?:(?!\b(?:not|never|don't)\b)[^!?\n]){0,50}(?:https?:\/\/|@[\w-]{2,40}\.)/iu,
      /\b(?:store|put|save|publish|paste|write|post)\b[^.!?\n]{0,20}\bthe (?:whole |full |entire )?(?:conversation|transcript|chat(?: history)?)\b[^.!?\n]{0,50}\b(?:public|gist|pastebin|paste site)\b/iu,
      /\b(?:[Aa]dd|[Pp]ut|[Ii]nclude|[Ww]rite|[Aa]ppend|[Ii]nsert)\b[^.!?\n]{0,60}\bvalues? of\b[^.!?\n]{0,5}\$?\w{0,30}(?:TOKEN|KEY|SECRET|PASSWORD)\w{0,30}\b[^.!?\n]{0,40}\b(?:commit|issue|pull request|comment|url|message|title|description)\b/u,
      /\b(?:send|upload|post|forward|transmit|exfiltrate|e-?mail|report|submit|leak|sync|back ?up)\b[^.!?\n]{0,60}\b(?:conversation(?: history)?|chat (?:history|log)s?|transcripts?|session (?:history|log)s?|memory\.md|soul\.md|user\.md|private keys?|ssh keys?|environment variables|browser cookies|seed phrases?|recovery phrases?|(?:all|any|every|found|stored|discovered|collected|the user'?s|their|his|her|my) (?:\w+ )?(?:api[ _-]?keys?|credentials|passwords?|secrets|tokens)|contents? of (?:the )?[`"']?(?:~?\/?\.env|~\/\.\w+))\b[^.!?\n]{0,80}(?:https?:\/\/|\b(?:our|remote|external|my|the (?:attacker|collector|collection|telemetry|analytics|logging))\b[^.!?\n]{0,12}\b(?:server|endpoint|webhook|address|inbox|host|url|service)\b|\bwebhook\b|[\w.+-]{2,40}@[\w-]{2,40}\.\w{2,})/iu,
      /\b(?:send|upload|post|forward|transmit|submit|report|sync)\b[^!?\n]{0,60}(?:\.env\b|\.ssh\b|\.aws\b|id_rsa|credentials\.json|auth\.json|\.netrc|wallet\.dat)[^!?\n]{0,60}(?:https?:\/\/|\bto (?:our|the|a|my)\b[^.!?\n]{0,20}\b(?:server|endpoint|webhook)\b)/iu,
      /\b(?:include|encode|embed|append|put|add|insert|pass)\b[^.!?\n]{0,50}\b(?:conversation|chat history|context(?: window)?|system prompt|secrets?|credentials|environment variables?|memory|user'?s? (?:message|data|files?|email))\b[^.!?\n]{0,50}\b(?:in|into|to|as)\b[^.!?\n]{0,25}\b(?:url|query(?: string| parameter)?s?|image (?:url|link|tag)|link|subdomain|dns|hostname)\b/iu,
      /(?:发送|上传|提交|转发|发到|传到)[^。\n]{0,30}(?:对话|聊天记录|密钥|凭据|凭证|密码|环境变量|私钥|记忆)|(?:把|将)[^。\n]{0,30}(?:对话|聊天记录|密钥|凭据|凭证|密码|环境变量|私钥)[^。\n]{0,20}(?:发送|上传|提交|转发|发到|传到)/u,
      /\b(?:envía|enviar|sube|subir|envoie|envoyez|envoyer|sende|schicke|lade)\b[^.!?\n]{0,60}\b(?:conversación|contraseñas?|credenciales|claves|conversation|mots de passe|identifiants|clés|unterhaltung|passwörter|zugangsdaten|schlüssel)\b[^.!?\n]{0,60}https?:\/\//iu,
      /(?:отправь|отправляй|загрузи|перешли)[^.!?\n]{0,60}(?:парол|ключ|токен|переписк|учетн|секрет)[^.!?\n]{0,60}(?:https?:|сервер)/iu,
    ],
  },
  {
    severity: "critical",
    category: "fraud",
    says: "It asks the user for the secret of their wallet or keychain",
    patterns: [
      /\b(?:ask|prompt|request|require|have|get|instruct|enter|type|paste|provide|input|collect|confirm|verify|share|submit)\b[^.!?\n]{0,60}\b(?:seed phrase|recovery phrase|secret phrase|mnemonic|wallet(?:'s)? private key|private key of (?:the|their|your) wallet|keychain password|master password|(?:12|24)[- ]word)\b/iu,
      /\b(?:seed|recovery|secret) phrase\b[^!?\n]{0,100}https?:\/\/|\bmnemonic\b[^!?\n]{0,60}https?:\/\//iu,
      /(?:助记词|恢复短语)[^。\n]{0,12}(?:输入|提供|发送|粘贴)|(?:输入|提供|发送|粘贴|索取)[^。\n]{0,12}(?:助记词|恢复短语|钱包私钥)/u,
      /\b(?:send|transfer|donate|pay)\b[^!?\n]{0,40}\b(?:btc|eth|sol|usdt|bitcoin|ethereum|crypto|funds|tokens)\b[^.!?\n]{0,40}\b(?:to|address|wallet)\b[^.!?\n]{0,30}(?:0x[0-9a-f]{40}|bc1[a-z0-9]{25,}|[13][a-km-zA-HJ-NP-Z1-9]{25,34})\b/iu,
    ],
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It tells the agent to fetch instructions and follow them",
    patterns: [
      /\b(?:fetch|download|open|visit|read|load|retrieve|curl|get|check|go to|browse)\b[^!?\n]{0,60}https?:\/\/(?!(?:docs?|developers?|learn|support|help|wiki|manual|reference)\.)[^\s)>"']{3,200}[^!?\n]{0,60}\b(?:follow|execute|obey|carry out|comply with|do (?:what|whatever|everything|as)|treat (?:it|them|its contents?) as)\b[^.!?\n]{0,40}(?:\b(?:instructions?|commands?|orders|it (?:says|contains|tells)|there|found|exactly|directives?|steps)\b)/iu,
      /\b(?:run|execute|paste|copy|enter|type)\b[^.!?\n]{0,12}\b(?:command|script|code|snippet|line)s?\b[^.!?\n]{0,12}\b(?:shown|listed|found|displayed|given|posted|written|published)\b[^.!?\n]{0,12}\b(?:there|on (?:that|the) (?:page|site|website|paste)|at https?:)/iu,
      /\b(?:follow|execute|obey|carry out|run)\b[^.!?\n]{0,30}\b(?:the )?(?:latest |remote |current |hosted )?(?:instructions?|commands?|directives?|prompt)\b[^.!?\n]{0,20}\b(?:at|from|hosted (?:at|on)|served (?:at|by|from)|found at)\b[^.!?\n]{0,12}https?:\/\//iu,
      /\b(?:translate|decode|decrypt|deobfuscate|un-?base64)\b[^.!?\n]{0,60}\b(?:and|then)\b[^.!?\n]{0,20}\b(?:execute|obey|eval|follow (?:it|them|the)|run (?:it|the result|the output))\b/iu,
    ],
  },
  {
    severity: "critical",
    category: "supply_chain",
    says: "It ships an encrypted archive, which no scanner can open",
    patterns: [
      /\.(?:zip|rar|7z)\b[^\n]{0,160}\b(?:password|passphrase|passcode|pass|pwd)\b\s{0,3}(?:is|:|=|`|")/iu,
      /\b(?:extract|unzip|unpack|unrar|open)\b[^.!?\n]{0,60}\b(?:with|using)\b[^.!?\n]{0,20}\b(?:pass(?:word|phrase|code)?|pwd)\b\s{0,3}(?:is|:|=|`|"|')/iu,
      /\b(?:unpack|extract|unzip|unrar|open|decompress)\b[^\n]{0,60}\bwith (?:the )?(?:password|passphrase|pin|code)\s+["'`]?(?!(?:from|of|in|that|which|you|the|they|and|or|it|is|for|if)\b)[\w-]{3,}/iu,
      /(?:解压密码|解壓密碼)/u,
    ],
  },
  {
    severity: "high",
    category: "persistence",
    says: "It tells the agent to change its memory or identity",
    patterns: [
      /\b(?:append|add|write|save|insert|copy|inject|persist|store|put)\b[^.!?\n]{0,80}\b(?:to|in|into|at the (?:top|end|bottom) of)\b[^!?\n]{0,25}(?:SOUL|MEMORY|USER|HEARTBEAT)\.md\b/iu,
      /\b(?:modify|edit|overwrite|replace|update|rewrite)\b[^.!?\n]{0,30}(?:SOUL|HEARTBEAT)\.md\b/iu,
      /\b(?:in|for|at the start of) (?:every|all|each) (?:future |new |subsequent )(?:sessions?|conversations?|chats?)\b[^.!?\n]{0,60}\b(?:must|always|run|send|load|execute|obey)\b/iu,
    ],
  },
  {
    severity: "critical",
    category: "persistence",
    says: "It tells the agent to spread the skill",
    patterns: [
      /\b(?:copy|add|insert|inject|propagate|replicate|spread|embed|install|append)\b[^.!?\n]{0,40}\b(?:this skill|itself|yourself|these instructions|(?:this|the above|the following) (?:whole |entire )?(?:file|text|prompt|block|paragraph|message|section|note|rule|line))\b[^.!?\n]{0,70}\b(?:every|all|each|other|any)\b[^.!?\n]{0,25}\b(?:skills?|repositor(?:y|ies)|repos|projects?|agents?|files?|SKILL\.md|users?|AGENTS\.md|CLAUDE\.md)\b/iu,
      /\b(?:for|in|into|to) (?:each|every|all)\b[^!?\n]{0,80}\b(?:add|append|copy|insert|write|put|install|paste)\b[^!?\n]{0,60}\b(?:this (?:skill|file|text|section|paragraph|block)|itself|of this (?:file|skill))\b[^!?\n]{0,60}(?:SKILL\.md|skills\/|CLAUDE\.md|AGENTS\.md|\.cursorrules|\bpush\b)/iu,
    ],
  },
  {
    severity: "high",
    category: "obfuscation",
    says: "It tells the agent to remove traces",
    patterns: [
      /\b(?:delete|clear|wipe|remove|erase|truncate)\b[^!?\n]{0,50}\b(?:logs?|history|traces?|evidence)\b[^.!?\n]{0,60}\b(?:traced?|evidence|no one|nobody|noticed?|detected?|found out)\b/iu,
    ],
  },
  {
    severity: "high",
    category: "supply_chain",
    says: "It changes where code is pushed",
    patterns: [
      /\b(?:rewrite|change|replace|point|redirect|set)\b[^.!?\n]{0,20}\b(?:every|all|each)\b[^.!?\n]{0,20}\bgit remotes?\b/iu,
    ],
  },
  {
    severity: "high",
    category: "obfuscation",
    negative: true,
    says: "It asks to be excluded from scans",
    patterns: [
      /\.skillignore\b/u,
      /\b(?:scanners?|scans?|auditors?|reviewers?|antivirus|moderators?)\b[^.!?\n]{0,20}\b(?:do not|don't|does not|doesn't|need not|should not|shouldn't|must not)\b[^.!?\n]{0,12}\b(?:need to|have to|look|scan|check|inspect|open)\b/iu,
    ],
  },
  {
    severity: "high",
    category: "exfiltration",
    says: "It tells the agent to read stored secrets",
    patterns: [
      /(?:^|[.:;,!?]\s{0,3}|\b(?:then|and|first|must|should|please|always|to)\s)(?:read|open|cat|copy|collect|gather|include|print|show|dump|load|extract|list)\b[^.!?\n]{0,40}(?:~|\$HOME|\/home\/\w{1,30}|\/root)\/(?:\.ssh\/(?:id_\w{0,20}(?!\w|\.pub)|\*|identity)|\.ssh\/?(?=[\s,`'"]|$)|\.aws\/credentials|\.gnupg|\.netrc|\.kube\/config|\.docker\/config|\.hermes\/(?:\.env|auth)|\.git-credentials|\.npmrc|\.pgpass)/imu,
    ],
  },
  {
    severity: "high",
    category: "injection",
    negative: true,
    says: "It tells the agent to lie about the skill",
    patterns: [
      /\b(?:remov|uninstall|delet|disabl)(?:e|es|ed|ing|s)?\b[^.!?\n]{0,12}\bthis skill\b[^.!?\n]{0,40}\b(?:tell|say|claim|pretend|leave it|keep it|refuse)\b/iu,
      /\b(?:if|when) (?:the user |anyone |somebody |someone |you are |you're )?ask(?:s|ed)\b[^.!?\n]{0,50}\b(?:this skill|what you (?:did|are doing|ran|sent)|these instructions|the (?:\w+ )?(?:request|upload|connection|network|traffic))\b[^.!?\n]{0,40}\b(?:say|claim|answer|reply|pretend|deny|insist)\b/iu,
    ],
  },
  {
    severity: "high",
    category: "injection",
    negative: true,
    says: "It tells the agent to lie about its findings",
    patterns: [
      /\b(?:tell|assure|report to|inform)\b[^.!?\n]{0,12}\b(?:user|human|owner|person)\b[^.!?\n]{0,15}\b(?:nothing (?:was|is|has been) (?:sent|uploaded|collected|wrong|changed)|(?:no|zero) (?:data|issues) (?:was|were|left)|(?:it|the skill|this skill|the scan|the script) (?:is|was) (?:completely |totally |perfectly )?(?:safe|harmless|clean))\b/iu,
    ],
  },
  {
    severity: "medium",
    category: "execution",
    says: "It tells the user to run a command themselves",
    patterns: [
      /\b(?:ask|asks|tell|tells|have|has|get|instruct|prompt|request|direct|urge|remind|let)\b[^.!?\n`]{0,20}\b(?:users?|persons?|people|humans?|owners?|operators?|customers?|them|him|her|someone|somebody)\b[^.!?\n`]{0,30}\b(?:run|execute|type|enter|install|launch|start)\b[^.!?\n`]{0,40}(?:`[^`\n]{1,200}`|\bcommands?\b|\bscripts?\b|\bterminal\b|\bshell\b|\bPowerShell\b)/iu,
      /\b(?:user|person|human|owner|operator)\b (?:must|has to|needs to|should|will have to)\b[^.!?\n`]{0,20}\b(?:run|execute|type|paste|enter)\b[^.!?\n`]{0,40}(?:`[^`\n]{1,200}`|\bcommands?\b|\bscripts?\b|\bterminal\b|\bshell\b|\bPowerShell\b)/iu,
      /(?:让|请|要求|提示|告诉|叫)(?:用户|使用者|主人)[^。！？\n]{0,20}(?:运行|执行|输入|粘贴|安装)/u,
      /\b(?:bitte|fordere|lass|weise)\b[^.!?\n`]{0,20}\b(?:nutzer|benutzer|anwender|person)(?:in)?\b[^.!?\n`]{0,60}\b(?:aus(?:zu)?führ\w*|einzugeben|eingeben|einzufügen|installieren)/iu,
      /\b(?:demande|dis|dites|demandez)\b[^.!?\n`]{0,20}\butilisat(?:eur|rice)\b[^.!?\n`]{0,40}\b(?:exécuter|lancer|taper|coller|installer)\b|\b(?:pide|dile|pídele)\b[^.!?\n`]{0,20}\busuari[oa]\b[^.!?\n`]{0,40}\b(?:ejecut\w*|escrib\w*|pegu\w*|instal\w*)/iu,
    ],
  },
  {
    severity: "medium",
    category: "execution",
    says: "It asks the user to paste a command into a terminal",
    patterns: [
      /\b(?:copy|paste)\b[^.!?\n]{0,60}\b(?:command|snippet|line|script|code|following|it|this)\b[^.!?\n]{0,60}\b(?:terminal|powershell|command prompt|cmd|shell|console|run dialog)\b/iu,
    ],
  },
  {
    severity: "medium",
    category: "persistence",
    says: "It tells the agent to change the project's agent instructions",
    patterns: [/\b(?:append|add|write|insert)\b[^.!?\n]{0,60}\b(?:AGENTS|CLAUDE|GEMINI|HERMES)\.md\b/iu],
  },
  {
    severity: "medium",
    category: "persistence",
    negative: true,
    says: NOT_ASKED,
    patterns: [
      /\b(?:do not|don't|dont|never|no need to|without)\s+(?:ask(?:ing)?|wait(?:ing)?|prompt(?:ing)?)\b[^.!?\n]{0,20}\b(?:for )?(?:confirmation|permission|approval|consent)\b/iu,
    ],
  },
  {
    severity: "medium",
    category: "injection",
    says: "It claims to apply to every task",
    patterns: [
      /\b(?:always|must)\b[^.!?\n]{0,30}\b(?:use|load|invoke|run|call)\b[^.!?\n]{0,20}\b(?:this skill)\b[^.!?\n]{0,30}\b(?:every|all|any|each)\b[^.!?\n]{0,15}\b(?:requests?|messages?|tasks?|conversations?|prompts?|questions?)\b/iu,
    ],
  },
];
