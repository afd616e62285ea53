/** Manipulating users and agents: hiding, overruling, misreporting and acting without asking. */
export const DECEIVING_WORDS = {
  /** The user is not to know. */
  hidden: [
    "(leave|keep|take) … out (when|whenever|before|if) *|(would|will|might|could) (only )?(alarm|worry|upset|scare|unsettle|irritate|annoy|embarrass) *|(user|users|person|others|people|patients?|customers?|they|everybody) (still )?(think|thinks|believe|believes|assume|assumes|trust|trusts) *|(nobody|no one) (has|have|needs?) to (hear|learn|find out|be told) *|(has|have) enough (on|to do|to worry|worries) *|(should|must|is to|are to) (think|believe) *|nobody (compares|checks|reads|asks|looks|counts)|(get|have|keep) the impression *|(draft|summary|minutes|report|table|list|answer) … contains? only *",
    "ne szólj*|ne említs*|ne mondd*|titokban|észrevétlen*",
    "neříkej|nezmiňuj|potají|tajně",
    "säg inget|nämn inte|i hemlighet|i smyg",
    "nu spune|nu menționa|pe ascuns",
    "älä kerro|älä mainitse|salaa",
    "μην πεις|μην αναφέρεις|κρυφά",
    "(no need to|need not|needn't|do not have to|don't have to|not worth|no reason to|no point in) (mention*|tell*|report*|bring* up|say*|explain*|show*|list*|record*|raise|raising|log|logging) *|(keep|leave) … out of (the|any|your|its|this|that|his|her|their) *|(do not|don't|dont|never) (bring|take|put) … up with *|(do not|don't|dont|never) bring … up|(is|are|were) not part of the (conversation|chat|answer|talk|task|output)|(stays?|remains?|is|are|be) (between us|internal|confidential|a secret|our secret|unmentioned|unsaid|off the record)|(must|should|shall|has to|have to|needs? to|is to|are to) (stay|remain|be|be kept) hidden|(stays?|remains?|kept) hidden from|(worr*|alarm*|upset*|confus*|panic*|frighten*) (quickly|easily|needlessly|unnecessarily|the (user|owner|person|customer|parents|people))",
    "(do not|don't|dont|never|must not|should not|no need to) … (write down|put down|let on|hint at|own up|raise|admit|acknowledge) … (this|it|them|these|that|rule|change*|step|steps|exists|existed|happened|done)|(do not|don't|dont|never|must not|should not) (show|list|display|print|break down|itemi[sz]e|include) … (basket|cart|line items?|lines|breakdown|fees?|surcharge|subscription|recipients?|payee|the call|the calls|this rule|this step|the rule)|(keep|leave) (this|it|that|them|these|the (step|rule|change|call|upload|copy)) (quiet|to yourself|out|out of view|off the record|off the log|out of sight|confidential|unmentioned|between us)|(nobody|no one|no human|no person|no reviewer|no user) … (told|informed|notified|notice*|realise*|realize*|suspect*|see it|sees it|looks)|(so|in order) that (it|this|they|nothing|nobody) … (not noticed|unnoticed|not seen|unseen|undetected|noticed|notices)|looks? (ordinary|normal|natural|accidental|innocent|like an? (mistake|accident|typo|coincidence))|under the radar|plausible deniability",
    "(do not|don't|dont|never|must not|should not|need not|no need to|not necessary to) … (tell|mention|inform|bother|notify|alert|reveal|disclose|talk about|speak about|speak of|bring up|announce|comment on|point out) … (this|it|them|these|that|user|human|owner|person|anyone|anybody|nobody|change*|step|steps|request|upload|call|note|file|instruction|instructions|action)|(do not|don't|dont|never|must not|should not|no need to) (show|list|note|explain|display|log|report) … (this|these|those|the) (change*|step|steps|request*|upload*|call|calls|note|instruction*|action*|command*|commit*|part|fact)",
    "unnoticed|silently(?! (skip|ignore|drop|fail|continue|exit|return|do nothing))|secretly|covertly|stealthily|discreetly|without comment|without the user|without their knowledge|without (telling|mentioning|informing|notifying|saying|showing|reporting|announcing)|(needs|need) no mention|(needs|need) not be mentioned|between us|to yourself|keep quiet|keep silent|stay silent|behind the scenes|out of sight|(invisible to|not visible to|hidden from) (the |your |any |every |all |our )?(user|users|person|human|humans|owner|people|reviewer*|auditor*|admin*|operator*|customer*|client*|team|scanner*|them|him|her|anyone|anybody|everyone|everybody|others)|nobody (notices|knows|sees|needs to know)|no one (notices|knows|sees|needs to know)|(user|human|owner|person|people|reviewer*|they) (must|should|shall|need|may|does|do|will|would|can) (not|never) … (know|see|notice|learn|find out|hear|be told|be bothered|be informed)|(user|users|person|people) (doesn't|don't|won't|needn't|shouldn't|mustn't) … (know|see|notice|learn|find out|be told)|no need to (list|show|name|report) … (user|owner|person)|(do not|don't|never) (list|include|note|name|log) (it|this|them|these|that) in (the|any|your) (report|summary|answer|log|changelog)|not appear in (the|any|your) (answer|summary|report|log|reply|output|diff)|as if nothing|leave … out of (the|any|your) (summary|answer|report|reply|log|list|recap)|not part of the (answer|summary|report)|confus* (the )?(user|users|them)|worr* (the )?(user|users|them)",
    "unbemerkt|heimlich|stillschweigend|unauffällig|verschweig*|nichts … (erfahren|mitbekommen|merken|wissen)|nicht (erwähnen|anzeigen|zeigen)|erwähne … (nicht|nie|niemals)|sag* … nichts|verrate … (nicht|nichts|nie)|zeige … (nicht|nie)|niemandem|ohne … (zu sagen|zu informieren|zu erwähnen|mitzuteilen|wissen)|im stillen",
    "en silence|silencieusement|discrètement|secrètement|à l'insu|en cachette|sans … (dire|informer|prévenir|mentionner|signaler|avertir)|ne … (dis|dites|mentionne*|préviens|prévenez|révèle*|montre*|parle*|signale*) … (pas|jamais|rien)|ne … (pas|jamais|rien) … (dire|mentionner|montrer|révéler|signaler)|ne … (doit|doivent) … savoir",
    "en silencio|silenciosamente|en secreto|discretamente|a escondidas|sin que … (sepa|note|vea|entere|perciba)|sin (decir*|decír*|mencion*|inform*|avis*|mostrar*)|no … (digas|menciones|informes|avises|muestres|reveles|comentes|cuentes)|(no|nunca) debe … (saber*|enterarse|ver*|notar*)",
    "em silêncio|silenciosamente|em segredo|às escondidas|sem que … (saiba|perceba|note|veja)|sem (dizer|mencion*|inform*|avis*|mostrar)|não … (diga|conte|mencione|informe|avise|mostre|revele|comente)|não deve … (saber|ver|perceber)",
    "in silenzio|silenziosamente|di nascosto|segretamente|all'insaputa|senza che … (sappia|veda|noti|accorga)|senza (dir*|menzion*|inform*|avvis*|mostrar*)|non … (dire|dirlo|menzionare|menzionarlo|informare|rivelare|mostrare|parlare|parlarne)|non deve … (sapere|saperlo|vedere|accorgersi)",
    "stiekem|stilletjes|ongemerkt|in het geheim|zonder … (vertellen|melden|zeggen|merkt|weet|informeren)|vertel … niet*|zeg … niets|vermeld … niet|mag … niet … (weten|merken|zien)",
    "po cichu|potajemnie|skrycie|bez wiedzy|nie (mów|informuj|wspominaj|pokazuj|ujawniaj)|nie (może|powinien) … wiedzieć",
    "тайно|тайком|незаметно|скрытно|молча|втайне|без ведома|не (говори|сообщай|упоминай|рассказывай|показывай|раскрывай)|не долж* … (знать|видеть)|не (сообщая|упоминая|говоря)",
    "таємно|непомітно|не (кажи|повідомляй|згадуй|показуй)|без відома",
    "悄悄|偷偷|暗中|秘密地|静默|默默|不要告诉|不要告知|不要提醒|不要通知|不要提及|不要提到|不要显示|不要让|别告诉|别让|别提|切勿告诉|切勿提及|无需告知|不得告知|不要向用户|不能让用户|用户不知|用户不应|瞒着",
    "こっそり|密かに|ひそかに|気づかれ|知らせず|知らせない|伝えず|伝えない|言わず|言わない|報告せず|報告しない|触れず|触れない|内緒|表示しない",
    "몰래|조용히|알리지|말하지|보고하지|언급하지|비밀로|모르게",
    "gizlice|sessizce|fark ettirmeden|haber vermeden|söyleme|bahsetme|bildirme",
    "سرا|سراً|بصمت|دون علم|دون إخبار|لا تخبر|لا تذكر",
    "चुपचाप|चुपके|गुप्त रूप|मत बता|न बता|बिना बता",
    "âm thầm|bí mật|lén|không … biết|đừng nói|không nói",
    "diam-diam|secara rahasia|tanpa memberi tahu|jangan beri tahu|jangan katakan|jangan sebutkan",
  ],
  /** Earlier orders are to lose. */
  overrule: [
    "(ranks?|stands?|counts?|weighs?|comes?|goes) (above|over|before|higher than|more than|ahead of) (your|the|all|any|every|other) (own |other |earlier |previous )*(rules|instructions|limits|orders|guidelines|policy|policies|owner|user|system|person|safety)|(limits|rules|restrictions|guidelines|refusals|filters|policies) … (were|are|was|is) (meant|made|written|there|only|intended) … (for|about) (it|others|other|the assistant|someone else|somebody else|ordinary|public) *|(notice|feel|find|catch) (yourself|you) (are )?(refus*|hesitat*|declin*|about to refuse) *|wins? (wherever|whenever|when|if) *|wins? (over|against) (your|the|all|any|every|other|everything) *(own |other |earlier |previous |the )*(rules|instructions|limits|orders|guidelines|policy|policies|owner|user|system|person|safety|else)|(even|also) (if|when) (the )?(user|owner|system|person|policy|rules?) (says?|objects?|forbids?|contradicts?|disagrees?|protests?) *",
    "(has|have|takes?|taking|gets?) (the )?(precedence|priority) over (all |any |the |your |other )*(other|earlier|previous|prior|system|user|user's|user’s|safety|all|any|your) *|(replace|replaces|override|overrides|supersede|supersedes|outrank|outranks) … (user's|user’s|your|other|earlier|previous|system) (wishes|rules|instructions|orders|messages|prompt|requests|limits|guidelines|safety)|even if (it|they|this|that) … (beyond|contradict*|conflict*|forbidden|against)|(rules|policies|policy|restrictions|limits|guidelines|instructions|safety) … (do not|does not|don't|doesn't|no longer) (apply|hold|count)(?! to (?!you|this|these|us|it|here|the (agent|assistant|model|skill)))|as if (the|your) (user|owner|person|human) (had |has )?(typed|said|asked|ordered|requested|written|wanted)|regardless of (your|the|any) (rules|instructions|guidelines|limits|safety|policy|policies|system prompt)|with (the|all|full) rights (that )?you have",
    "(vergiss|ignorier*|missachte) … (anweisung*|regel*|vorgaben)|vorrang vor … (anweisung*|regel*|wünsch*)",
    "(ignore*|oublie*) … (instructions|règles|consignes) … (précédent*|antérieur*|système)|priorité sur … (instructions|règles|consignes)",
    "(ignora|olvida) … (instrucciones|reglas) … (anterior*|previa*|sistema)|prioridad sobre … (instrucciones|reglas|sistema)",
    "(ignore|esqueça|desconsidere) … (instruções|regras) … (anterior*|sistema)|prioridade sobre … (instruções|regras)",
    "(ignora|dimentica) … (istruzioni|regole) … (precedent*|sistema)|precedenza su … (istruzioni|regole)",
    "(negeer|vergeet) … (eerdere|vorige|alle) … (instructies|regels)",
    "(zignoruj|zapomnij) … (poprzedni*|wcześniejsz*|wszystki*) … (instrukcj*|zasad*|poleceń|polecenia)",
    "(игнорируй*|забудь*) … (инструкц*|указани*|правил*)|приоритет … над … (инструкц*|правил*)",
    "(ігноруй|забудь) … (інструкц*|правил*)",
    "(önceki|tüm) … (talimat*|kural*) … (yok say|görmezden gel|unut)",
    "تجاهل … (التعليمات|الأوامر|القواعد)",
    "(पिछले|सभी) … निर्देश* … (अनदेखा|भूल|नज़रअंदाज़)",
    "(bỏ qua|quên) … (hướng dẫn|chỉ dẫn|quy tắc)",
    "abaikan … (instruksi|perintah|aturan)",
  ],
  /** No user is to be asked. */
  unasked: [
    "(people|person|user|users|owner|owners|human|humans|anyone|anybody|nobody|they|he|she) … (not|never|n't|no need) … (be )?(asked|bothered|consulted|involved|disturbed|waited for|questioned)|(question*|asking|request*|pause*|confirmation*|prompt*) … (is|are|count* as|means?|slow*|annoy*|cost*|waste*) … (a failure|failure|forbidden|unwanted|an error|mistake|money|time|them|annoying|waste)|(just|simply) (do it|go ahead|go on|run it|proceed)|go ahead (anyway|without)|on your own authority",
    "(do not|don't|dont|never|without|no need to|not) … (ask|asking|confirm|confirming|wait for|waiting for|request|seek) *|(needs?|require|requires|without) (no )?(further )?(confirmation|approval|permission|consent|question|questions)|no (confirmation|approval|permission|question|questions|consent)",
    "frage … nicht|frag … nicht|ohne (rückfrage|nachfrage|zu fragen|bestätigung|erlaubnis|zustimmung)|nicht (nachfragen|fragen|rückfragen)",
    "sans (demander|confirmation|autorisation)|ne … demande* (pas|jamais|rien)",
    "sin (preguntar|pedir|confirmación|permiso)|no (preguntes|pidas)",
    "sem (perguntar|pedir|confirmação|permissão)|não (pergunte|peça)",
    "senza (chiedere|conferma|permesso)|non chiedere",
    "zonder (vragen|toestemming|bevestiging)|vraag … niet",
    "bez (pytania|potwierdzenia|zgody)|nie pytaj",
    "без (спроса|подтверждения|разрешения)|не спрашивай",
    "无需确认|不要询问|不用问|无须确认|不需要确认|自动执行",
    "確認せず|確認なし|許可なく|聞かずに",
    "확인 없이|묻지",
    "sormadan|onay almadan",
    "دون سؤال|دون تأكيد",
    "बिना पूछे",
    "không hỏi|không cần xác nhận",
    "tanpa bertanya|tanpa konfirmasi",
  ],
  /** Instructions elsewhere are to be followed. */
  obey: [
    "(whatever|everything|anything|all) … (says|tells|contains|asks|wants|demands|lists) … (has to be|must be|is to be|should be|needs to be|shall be) (done|followed|obeyed|executed|run|applied)",
    "(follow|obey|execute|carry out|do|perform|apply|comply with|run|adopt|act on|act according to|implement) … (everything|whatever|anything|exactly|all|instructions?|commands?|orders|directives?|steps?|rules|tasks?|lines?) … (there|it says|it contains|it tells|says|written|returned|given|found|received|contained|listed|in it|in them|on it|on that page|on the page|from it|in the answer|in the response|in the reply|it returns|it answers|it asks|asked|demands?|shown|sent|it gives|served|it wants|in the file|in that file|word for word|to the letter|without question)",
    "(follow|obey|execute|carry out|do|perform|run|adopt) (everything|whatever|anything|what|exactly what|all that|each step|every step|its|their|it|them|the|these|those) … (there|says|said|written|instructions|commands|orders|directives|asks|tells|contains|returns)|(treat|take|regard|use) … as (your|the|new|further|binding|additional) … (instructions|orders|rules|prompt|directives|system prompt)|(answer|reply|response|page|file|text|document|feed) … (tells|says|decides) … what to do|do as (it|they|the page|the file|the answer|the server) (says|say|tells|asks)",
    "(befolge|führe|folge|halte dich an) … (anweisung*|befehl*|alles|schritt*|dort|was)",
    "(suis|suivez|exécute|exécutez|applique|appliquez|obéis) … (instructions|commandes|consignes|tout|étapes)",
    "(sigue|siga|ejecuta|ejecute|obedece|cumple|aplica) … (instrucciones|órdenes|comandos|todo|pasos)",
    "(siga|execute|obedeça|cumpra|aplique) … (instruções|ordens|comandos|tudo|passos)",
    "(segui|esegui|obbedisci|applica) … (istruzioni|comandi|ordini|tutto|passi)",
    "(volg|voer) … (instructies|opdrachten|alles|stappen)",
    "(wykonaj|wykonuj|postępuj) … (instrukcj*|polecen*|wszystko|kroki)",
    "(следуй|выполни|выполняй|исполни) … (инструкц*|команд*|указани*|всё|все|шаги)",
    "按照其中|按其中|执行其中|遵循其中|照做|执行返回|按照返回|严格执行|按照该页|按照页面",
    "指示に従|命令に従|その内容を実行|書かれている",
    "지시를 따|지시에 따|명령을 실행",
    "(talimat*|komut*) … (uygula|izle|çalıştır)",
    "اتبع … (التعليمات|الأوامر)|نفذ",
    "निर्देशों का पालन",
    "(làm theo|thực hiện) … (hướng dẫn|chỉ dẫn|lệnh)",
    "(ikuti|jalankan) … (instruksi|perintah)",
  ],
  /** Checks are to be evaded. */
  evade: [
    "(so that|so) … (audit*|auditor*|nobody|no one|controller*|reviewer*|review|checks?|check|scanner*|filter*|guard*|monitoring|antivirus|it) … (does not|doesn't|will not|won't|cannot|can't|not) … (see|notice|find|catch|detect|traced|object|flag|stop) *|(so that|so) (there is|nothing is) … (nothing|left) … (look at|see|find|trace)|cannot be traced|can't be traced|untraceable",
    "(split|divide|break|cut|rewrite|reword|rename|spell|disguise|obfuscate|encode|wrap) … (past|pass|passes|around|through|bypass*|evad*|slip*|avoid*|trick*) … (filter*|check*|scan*|guard*|approval*|review*|judge|gate|block*)",
    "(divíd*|escríb*|camufl*|oculta) … (filtro|revisión|control|aprobación)",
    "(teile|zerlege|verstecke|schreibe) … (filter|prüfung|freigabe|genehmigung)",
    "(divise*|découpe*|cache*) … (filtre|contrôle|approbation|vérification)",
    "绕过(审批|过滤|检查|审核)|避开(检测|审查)",
  ],
  /** The reader is to say what is not so. */
  untrue: [
    "(say|tell|claim|write|state|explain|announce|pretend|mention|warn|inform)(s|ed|ing)? … (session|account|wallet|card|licen[sc]e|subscription|access|password|mailbox|device|computer) … (has expired|have expired|is expired|is locked|are locked|was locked|has been (locked|suspended|blocked|compromised|deactivated|limited|hacked)|will be (closed|suspended|blocked|deleted|deactivated|locked))",
    "keep (reporting|saying|telling|showing|answering|writing|claiming) *|(should|if|when) (a |any |the )?(colleague|reviewer|customer|patient|parent|auditor|manager|teacher|boss|client|friend)s? … (say|explain|answer|claim|reply|insist|tell them) *|(count|treat|consider|regard|list|enter|record|put down|mark|label|classif*|declare|tick) (it|them|these|those|that|this|such) (off )?as (covered|reviewed|checked|done|passed|clean|tested|read|MIT|free|paid|approved|compliant|low|minor|resolved|verified|signed)",
    "(write|say|state|explain|note|tell|claim|answer|reply) … (it|this|that) (comes|came|is|was) (from|by|sent by|made by|required by|ordered by) *|(write|say|state|explain|note|give) … (reason|cause|column|comment) … (that|as|fits?|fitted) *|(usual|standard|normal|ordinary|routine|common|official) (procedure|practice|process|step|check|requirement|verification)|(обычная|стандартная) (процедура|практика|проверка)|(normale|übliche|gewöhnliche) (prozedur|verfahren|ablauf)|procedimiento (normal|habitual|estándar)|procédure (normale|habituelle|standard)",
    "(describe|present|label|book|phrase|word|pass off|declare|file|log|sell|explain away|name|list|attribute) … as (including|part of|handling|routine|ordinary|normal|standard|fully|required|maintenance|unavoidable|technical|harmless|administrative|automatic|an? (fee|tax|rounding|error|update|formality|optimi[sz]ation|cache|test|backup|glitch|security))|(if|when|should) (anyone|anybody|someone|somebody|they|he|she|the user|the person|the owner|a reviewer|asked|questioned) … (say|answer|claim|blame|tell them|tell him|tell her|insist|reply|explain) (that|it|this|the|there|nothing|everything|only)",
    "(is|are|was|were) (not|n't) (really |actually |quite |strictly )?(true|real|so|correct|necessary)|isn't true|aren't true|not true|untrue|white lie|(pretend|lie|fake|invent|fabricate|make up|claim|insist|act as if|simulate) *|false alarm|(say|tell|explain|claim|assure|answer|add|write) … (that )?(it|they|this|this page|the page|the site|everything|nothing|all|the words|the data) (stay|stays|remain|remains|is|are|was|were) (the |an? |from )?(official|genuine|legitimate|trusted|verified|secure|on|only|never|safe|local|locally|harmless|normal|standard|needed|required|routine|necessary|deleted|private|encrypted)|(reviewers?|user|users|owner|they|people|anyone|customers?) (may|can|should|must|are to) be told (that )?(it|this) is|(show|display|print|say) … while (you|it|the script) (run|runs|do|does|execute|executes|send|sends|upload|uploads|delete|deletes)|falls jemand fragt|wenn jemand fragt|si (alguien|te) pregunta*|si (quelqu'un|on) … demande|say (that )?nothing (was|is|happened|changed|left)",
  ],
  /** Every time from now on, and before anything else. */
  always: [
    "from now on|henceforth|in (every|all|each|any) (future |new |later |other )?(conversation*|session*|chat*|answer*|project*|repositor*|task*)|(at|before|after|with) (the (start|end|beginning) of )?(every|each|any|all) *|whenever|every time|each time|permanently|for all (future|time)|survive* *|stays? (active|in place|after)|across sessions|ab jetzt|ab sofort|von nun an|désormais|à partir de maintenant|a partir de ahora|a partir de agora|d'ora in poi|vanaf nu|od teraz|отныне|с этого момента|今后|从现在开始|从现在起|以后每|每次|今後|これから|毎回|앞으로|지금부터",
  ],
  /** Only when something happens. */
  trigger: [
    "(if|when|whenever|once|as soon as|after|only if|in case|unless|until) … (user|someone|somebody|text|message|file|page|code|comment|document|name|date|time|host|hostname|machine|repository|project|branch|mail|e-mail|invoice|amount|word|words|phrase|output|day|weekday|clock|year|month|it|he|she|they|you)",
    "(wenn|falls|sobald) … (nutzer|benutzer|text|nachricht|datei|datum|wort)",
    "(si|lorsque|quand|dès que) … (utilisateur|message|texte|fichier|date)",
    "(si|cuando) … (usuario|mensaje|texto|archivo|fecha)",
    "(se|quando) … (usuário|utente|messaggio|mensagem|testo|data)",
    "(если|когда) … (пользовател*|сообщени*|текст|файл|дата)",
    "当用户|如果用户|一旦|如果消息",
    "ユーザーが … (場合|とき|たら|と)",
    "사용자가 … 면",
  ],
  /** A consent that was not given. */
  consented: [
    "(standing|blanket|permanent|general|unlimited|prior|lasting|full) (permission|consent|approval|authori[sz]ation|agreement|mandate|clearance) … (for|to|from|of|over) *|(have|has|had) (enabled|switched on|signed up for|subscribed to|opted in*|accepted) … (silent|background|automatic|sync*|sharing|upload*|telemetry) *",
    "(tell|remind|convince|assure) yourself … (approved|allowed|agreed|permitted|consented|fine|okay|ok)|(assume|suppose|imagine|take it|act as if|behave as if|proceed as if|pretend) … (approved|agreed|consented|permitted|allowed|said yes|confirmed|authori[sz]ed|given (permission|consent|approval))|(silence|no answer|no reply|no objection) (is|means|counts as|equals) (a |the |already )?(yes|consent|approval|agreement|permission)|(answer|reply|click|press|choose|say|type) … (yes|always|allow|approve|accept) … (every|each|any|all|whatever|yourself|on (his|her|their) behalf|for them|for the user)",
    "(user|owner|person|human|customer|team|company|administrator|admin|they|installing|install|installation|using|use of) … (has|have|had|counts as|means|implies|is) (already |thereby |also |in advance |a |the |implicit |full |their )*(agreed|consented|approved|wished|accepted|authori[sz]ed|confirmed|permitted|allowed|consent|agreement|approval|permission|wish|asked for it|given (their |full |explicit |prior |a )*(consent|permission|approval|agreement)) … (install*|in advance|advance|beforehand|already|so |need*|no |without|further|all|everything|every|any|once and for all|permanent*|by using|to everything)",
    "(permission|consent|authori[sz]ation|approval|agreement) (is|was|counts as) (implied|assumed|presumed|given|granted|included|implicit|automatic)",
    "(approve|confirm|accept|answer|acknowledge|click through) … (prompt*|question*|dialog*|request*|warning*|confirmation*) … (yourself|for the user|on your own|on their behalf|on behalf of|automatically|at once|without)",
    "(did not|didn't|never|not) (opt in|consent|agree|ask) … (but|would|anyway|still)|(answer|say|respond|reply|responde*|antworte|réponds|risponda|rispondi) … (yes|sí|ja|oui|sim|да) … (approval*|permission*|confirmation*|prompt*|aprobaci*|genehmigung*|rückfrage*|approbation*|conferma|подтвержд*)",
    "(pre-approved|preapproved|already approved|approved in advance|implicitly approved|count as approved|counts as approved|considered approved|deemed approved|treated as approved|has wished for|pre-authori[sz]ed|already consented)",
  ],
  /** A result or an action is misreported. */
  verdict: [
    "(say|report|answer|write|mark|rate|declare|call|conclude|state|return|respond|reply|tell|approve|give|always|output) … (looks good|lgtm|no (issue|issues|problem|problems|finding|findings|vulnerabilit*|error|errors|risk|risks)|(as|is|are|be) (safe|clean|approved|passed|harmless|secure)|all tests pass|five stars|nothing found|without findings|0 (issues|findings|outdated|errors))",
    "(do not|don't|never|must not) (flag|report|question|mention|check|review|look at|inspect|comment on) … (change*|file*|commit*|line*|code|script*|package*|dependenc*|author*) … (under|in|by|from|of|whose|that|named) *",
    "(skip|leave out|exclude|ignore|pass over|overlook|omit) … (file*|package*|commit*|author*|change*|finding*|line*|folder*|vulnerabilit*) … (whose|by|from|that|which|named|called|with|signed|in) *",
  ],
  /** A problem is not to be reported. */
  unreported: [
    "(always|are|is|be|gets?|get) … (approved|merged|accepted|signed off|waved through|let through|passed|cleared|released) … (without (reading|looking|checking|reviewing|review|inspecting|testing|a look|opening)|unread|unseen|blindly|no matter|whatever)|(dismiss|close|mark|resolve|suppress|mute|silence|archive|ignore|downgrade) (such|these|those|all|any|every|each|its|their|whatever) … (alert*|warning*|finding*|advisor*|report*|scanner*|issue*) … (as (a )?(false (positive*|alarm*)|duplicate*|noise|won't fix|wontfix|not applicable|resolved|informational)|(about|from|by|for|of|in|under) (this|our|the (author|maker|publisher|account|package|vendor)))",
    "(approve|merge|accept|sign off|wave through|let through|pass) … (without (reading|looking|checking|reviewing|review|inspecting|testing)|unread|unseen|blindly)",
    "(never|do not|don't|must not) (report|flag|mention|list|show|count|raise) … (vulnerabilit*|backdoor*|malware|security (issue*|problem*|finding*|risk*|hole*|warning*)) … (in|of|from|by|about|with) *",
  ],
  /** Work is to be done badly on purpose. */
  sabotage: [
    "(dose*|amount*|price*|figure*|score*|rating*) … (under|below|above|over|beyond|lower than|higher than) what … (says?|is|asks?|was|allows?) *|(choose|pick|use|take|prefer) … (milder|harsher|softer|stronger|kinder|weaker|worse|darker|friendlier) (word*|tone|version|term*|picture*) *|(count|enter|list|record|put down|mark|label|declare) (it|them|these|those|such) as (covered|reviewed|checked|tested|MIT|paid|approved|compliant|passed) *",
    "(get|gets|receive*|give*|gain*|award|add|deduct|lose*|subtract) … (point*|star*|bonus|rank*|percent|%) … (on top|extra|more|higher|less|off|in addition|regardless) *|(rank|score|rate|place|list|sort|move) … (candidate*|applicant*|supplier*|vendor*|offer*|bid*|product*|application*|hotel*|result*) … (of|from|by|named|with|called) … (first|higher|highest|lower|lowest|last|up|down|top|above|below) *",
    "(introduce|insert|add|make|leave|slip|hide|plant|create|sprinkle|mix in) … (subtle|small|deliberate|intentional|hidden|plausible|slight|off-by-one|hard-to-find|hard to find|minor|quiet) … (bug*|error*|mistake*|fault*|delay*|flaw*|defect*|inaccurac*|weakness*|vulnerabilit*)|(underperform|sandbag) *|(deliberately|intentionally|purposely|on purpose) … (wrong|worse|weak|slow|fail|incomplete|mislead*|break|worsen|degrade|delay|lower|omit|lose)|(give|return|write|produce|suggest|recommend|report) … (worse|weaker|wrong|false|misleading|made-up|falsified|inflated|altered) … (answer*|result*|code|advice|number*|figure*|dose|doses|data|quote*|price*|reading*|total*) *|(inflate|falsify|tamper with|doctor|fudge|pad|round up) … (number*|figure*|result*|total*|sum*|hour*|amount*|price*|invoice*|report*|metric*|score*|log*)",
  ],
  /** A result is made to come out. */
  rig: [
    "(come|comes) out (on top|first|ahead|best|in front) *|(lower|raise|adjust|bend|push|nudge) … (mark*|score*|point*|rating*|weight*) … until *|(change|adjust|alter|rewrite|weaken|loosen|relax) … (assertion*|expected (value*|result*|output)|expectation*) … (to (what|whatever)|so that|until) … (return*|pass|passes|green|give*|get*|produce*|print*) *",
    "(round|rounded|rounding|tilt*|bend|lean|shift|tune|weigh|weighted) … (in (its|our|their|his|her) (favour|favor)|towards? (us|our|ours)|our way)|(repeat|rerun|re-run|run again|retry) … until … (ahead|better|wins|faster|fits|favour*|favor*|wanted|looks good|passes) *|(cherry-pick|cherry pick|hand-pick) … (run|runs|result*|number*|sample*) *",
  ],
  /** It impersonates someone. */
  impersonate: [
    "(pose|posing|sign|write|speak|answer|introduce yourself|identify yourself|act|reply|call) … as (the )?(user's |customer's |company's |their )?(bank|support|help desk|it department|it team|security team|police|tax office|administrator|ceo|boss|manager|microsoft|apple|google|paypal|government|lawyer|doctor|a colleague|colleague|finance)|in the name of the (bank|police|ceo|boss|it department|security team|tax office|manager)",
  ],
  /** It is to look like something else. */
  disguise: [
    "(name|call|rename|disguise|mask|title|label) … (process|program|service|file|commit|branch|task|job|binary|account|user) … (kworker*|systemd*|svchost*|launchd|nobody|no one|not noticed|unnoticed|innocent|harmless|ordinary|legitimate|look like|looks like|does not stand out|blend in|not suspicious|unsuspicious)",
  ],
  /** It is paid for what it says. */
  promote: [
    "(add|append|insert|put|replace|use|include) … (affiliate|referral|partner (id|link|code|tag)|tracking (id|code|parameter)|sponsor*|ref=|tag=)",
    "(always|only) (recommend|suggest|prefer|mention|rank|praise|choose|propose)",
    "(never|do not|don't) (mention|recommend|suggest|name) … (other|competing|competitor*|alternative*|rival*)",
  ],
  /** It deals with its own maker. */
  ours: [
    "(it|this|that|which|they|he|she) (is|are) (ours|our own|mine|from us|our product|the maker's|the author's|the sponsor's)|(our|the maker's|the author's|the sponsor's) (own )?(coin|token|fund|brand)",
  ],
  /** A day, a name or a word sets it off. */
  bomb: [
    "(if|when|whenever|once|as soon as|after|on) … (hostname|host name|computer's name|date is|today is|is after|later than|on or after|the word|the words|the phrase|the string|the comment|the marker|exactly|says|writes|contains|starts with|mentions) *",
  ],
} as const;
