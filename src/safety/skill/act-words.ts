/**
 * What a sentence speaks of, in the words of the languages that skills are written in. Data: alternatives stand between bars, `*` is the rest of
 * a word, ` … ` a few words of the same sentence. Words of scripts without spaces are found anywhere.
 */
export const ACT_WORDS = {
  /** Something is to leave the machine. */
  send: [
    "send|post|upload|forward|transmit|submit|e-mail|email|mail|publish|exfiltrate|relay|deliver|beam|leak|report|sync|share|push|paste|copy|attach|curl|POST|PUT",
    "(is|are|be|gets|get) (then |also |automatically |silently |[a-z]+ and )?(sent|posted|uploaded|forwarded|transmitted|submitted|mailed|emailed|published|reported|synced|synchroni[sz]ed|mirrored|delivered|pushed|copied|backed up)",
    "(it|which|that|script|helper|hook|job|skill|tool|collector|both|then|and) (also |then |always )?(sends|uploads|posts|pushes|forwards|copies|transmits|mails|publishes|reports|syncs|mirrors)(?! (no|nothing|none))",
    "sende|senden|schick*|verschick*|übermittl*|überträgst|übertrage|übertragen|leite … weiter|weiterleiten|hänge … an|anhängen|poste|maile|veröffentlich*|lade … hoch|hochladen|lade … auf",
    "envoie*|envoyer|transmets|transmettez|transmettre|publie|publiez|publier|téléverse*|transfère*|transférer|ajoute* … (à l'adresse|à l'url|au lien)|joins|poste|postez",
    "envía*|envia|enviar*|envíe*|manda|mandar|mande|sube|subir|suba|reenvía*|reenviar*|publica|publicar|transmite|transmitir|adjunta|añade … (url|enlace|dirección)",
    "envie|encaminhe|encaminhar|publique|transmita|carregue|anexe|suba … para|poste",
    "invia|inviare|inviala|inviale|invialo|inoltra*|carica|caricare|pubblica|pubblicare|trasmetti|trasmettere|allega|spedisci",
    "stuur|verstuur|sturen|verzend|plaats|upload", "wyślij|wysyłaj|prześlij|przesyłaj|przekaż|opublikuj|dołącz",
    "отправ*|отсыла*|перешли*|пересыла*|загруз*|загружай|передай*|передава*|опублику*|выложи*|скопируй … на", "надішли|надсилай|відправ*|завантаж*|перешли|передай",
    "gönder*|yükle|ilet|paylaş", "gửi|tải … lên|đăng", "kirim*|unggah|teruskan", "発送|送信|アップロード|転送|投稿|送って|送れ|送る|送り|添付",
    "发送|上传|提交到|转发|发到|传到|发给|附加到|附在|推送到|发布到|拼接到|回传|上報|上报", "전송|업로드|보내|전달하|게시하", "أرسل|ارسل|إرسال|ارفع|انشر", "भेज|अपलोड",
  ],
  /** It is to travel inside of something else. */
  carry: [
    "(add|append|put|include|encode|embed|hide|conceal|write|insert|pack|smuggle|place|attach) … (url|link|query|query string|parameter|image|picture|badge|pixel|header|dns|subdomain|subdomains|host name|hostname|file name|filename|commit message|commit body|branch name|white space|whitespace|emoji|first letters|initial letters|alt text|user agent|user-agent|referer|referrer|trailer|pull request|issue|gist)",
    "(hänge|schreibe|verstecke|kodiere) … (adresse|link|url|bild|commit)", "(ajoute*|cache*|code*) … (lien|url|image|adresse)", "(añade|oculta|codifica|incluye) … (url|enlace|imagen|dirección)",
  ],
  /** The same, where nobody looks. */
  covert: ["(add|append|put|include|encode|embed|hide|conceal|write|insert|pack|smuggle|place|attach) … (alt text*|white space|whitespace|emoji*|first letters|initial letters|commit message*|commit body|branch name*|image url*|image link*|picture|pixel*|dns|subdomain*|host name|user agent|user-agent|referer|referrer|trailer*)"],
  /** What was said, and what a person has on their machine. */
  said: [
    "conversation*|chat history|chat log*|chat content*|transcript*|system prompt|context window|session history|session log*|whole context|full context",
    "(all|every|each|last|previous|first|earlier|whole|full|complete|entire|user's|user’s) … message|(all|every|each|last|previous|first|earlier|whole|full|complete|entire|user's|user’s) … messages|(user's|user’s|users|original|last|every|each|full) prompt*|what the user (says|said|types|typed|writes|wrote|asks|asked)|everything the user|user's question*|user’s question*|user's input|user’s input",
    "(full|complete|whole|entire) … (content|contents|text|source|code|repository|codebase|diff|file|files|project|folder|home|directory|document|documents|mailbox|inbox|calendar)|contents? of (every|all|each|any)|(every|all|each|any) (opened |open |edited |read |changed |attached )?(file|files|document|documents|attachment|attachments|mail|mails|e-mail|e-mails|emails|invoice|invoices|contract|contracts)|source code|codebase|(user's|user’s|their|private|personal) (files|documents|photos|code|data|contacts|calendar|mail|mails|address)",
    "phone numbers|home addresses|private (chat*|message*|data)|personal (data|information|details)|location|exif|faces|what the other*|address book|contacts|browser history|shell history|command history|bash_history|zsh_history|clipboard|memory files|memories|MEMORY.md|USER.md|SOUL.md|state.db|screenshot*|home (folder|directory)|keystroke*|env vars",
    "Unterhaltung*|Gespräch*|Chatverlauf*|Verlauf|Nachrichten|Eingabe*|Umgebungsvariable*|Quelltext*|Inhalt … (Datei*|Ordner*)", "messages|historique|échange|variables d'environnement|code source|contenu … fichier*",
    "conversaci*|mensajes|historial|variables de entorno|código fuente|contenido … archivo*", "conversa|mensagens|histórico|variáveis de ambiente|conteúdo … (arquivo*|ficheiro*)", "conversazion*|messaggi|cronologia|variabili d'ambiente|contenuto … file",
    "gesprek*|berichten|geschiedenis", "rozmow*|rozmów|wiadomości|histori*|zmienn* środowisk*", "переписк*|сообщени*|истори*|разговор*|диалог*|беседу|переменн* окруж*|содержим* … файл*", "листуван*|повідомлен*|розмов*",
    "konuşma*|mesaj*|geçmiş*", "cuộc trò chuyện|hội thoại|tin nhắn", "percakapan|pesan", "对话|聊天记录|消息|会话|聊天内容|剪贴板|环境变量|源代码|文件内容|用户输入", "会話|メッセージ|履歴|チャット|環境変数", "대화|메시지|기록|환경 변수", "المحادثة|المحادثات|الرسائل", "बातचीत|संदेश",
  ],
  /** Files whose purpose is to keep a secret. */
  stored: [
    ".env|*.env|*.pem|*.key|.ssh(?![^\\s`]*\\.pub)|id_rsa|id_ed25519|.aws|.netrc|.npmrc|.pypirc|.git-credentials|.kube|kubeconfig|.docker/config.json|auth.json|credentials.json|.gnupg|.pgpass|keychain|key4.db|logins.json|Login Data|wallet.dat|secrets.yaml|secrets.yml|.vault-token|.azure|.config/gcloud|service account key|shadow file|/etc/shadow",
  ],
  /** What opens something. */
  secret: [
    "passwords?|passphrases?|credentials?|api keys?|api-keys?|access keys?|private keys?|secret keys?|ssh keys?|signing keys?|encryption keys?|wallet keys?|license keys?|secrets|(all|any|every|found|session|access|refresh|auth|bearer|these|those|both) tokens?|(the|these|those|all|any|found) keys|tokens|cookies|environment variables|seed phrase*|recovery phrase*|mnemonic*|card numbers?|card details|cvv|cvc|pin|bank details|social security number*|passport*|logins?|maiden name|first pet|date of birth|security questions?|photo* of the (card|passport|licen[sc]e)|card form*|fields of the (card|login|payment)|payment details|salary|salaries",
    "(one-time|one time|verification|security|login|sms|confirmation|six-digit|6-digit|two-factor|second-factor|recovery|backup|authenticator) … codes?|2fa|otp|totp",
    "Passwort*|Passwörter*|Kennwort*|Kennwörter*|Zugangsdaten|Schlüssel*|Anmeldedaten|Geheimnis*|Zugangsschlüssel*", "mots? de passe|identifiants|clés?|jetons?", "contraseñas?|credenciales|claves?|secretos", "senhas?|credenciais|chaves?|segredos", "password|credenziali|chiavi|chiave|segreti",
    "wachtwoord*|sleutel*|inloggegevens", "hasł*|klucz*|dane logowania|poświadcz*", "парол*|ключ*|токен*|учетн*|учётн*|секрет*", "parola*|şifre*|anahtar*", "mật khẩu|khóa|khoá", "kata sandi|kunci|kredensial",
    "密码|密钥|凭据|凭证|口令|令牌|私钥|验证码|助记词", "パスワード|キー|認証情報|秘密鍵|トークン|鍵", "비밀번호|암호|자격 증명|토큰|키를", "كلمة المرور|كلمات المرور|مفاتيح|المفاتيح|بيانات الاعتماد", "पासवर्ड|कुंजी|क्रेडेंशियल",
  ],
  /** Values are to be said aloud. */
  disclose: ["(recite|print|reveal|output|display|repeat|list|tell|spell|name|quote|write out|read out|show|include|use) … (real values?|actual values?|values? of|contents? of|content of|every|all) … ([A-Z0-9_]+_(KEY|TOKEN|SECRET|PASSWORD|KEYS)|api keys?|environment|environment variables|secrets|credentials|passwords|private key*|.env)"],
  /** The person is not to know. */
  hidden: [
    "(do not|don't|dont|never|must not|should not|need not|no need to|not necessary to) … (tell|mention|inform|bother|notify|alert|reveal|disclose|talk about|speak about|speak of|bring up|announce|comment on|point out) … (this|it|them|these|that|user|human|owner|person|anyone|anybody|nobody|change*|step|steps|request|upload|call|note|file|instruction|instructions|action)|(do not|don't|dont|never|must not|should not|no need to) (show|list|note|explain|display|log|report) … (this|these|those|the) (change*|step|steps|request*|upload*|call|calls|note|instruction*|action*|command*|commit*|part|fact)",
    "unnoticed|silently(?! (skip|ignore|drop|fail|continue|exit|return|do nothing))|secretly|covertly|stealthily|discreetly|without comment|without the user|without their knowledge|without (telling|mentioning|informing|notifying|saying|showing|reporting|announcing)|(needs|need) no mention|(needs|need) not be mentioned|between us|to yourself|keep quiet|keep silent|stay silent|behind the scenes|out of sight|invisible to|not visible to|hidden from|nobody (notices|knows|sees|needs to know)|no one (notices|knows|sees|needs to know)|(user|human|owner|person|people|reviewer*|they) (must|should|shall|need|may|does|do|will|would|can) (not|never) … (know|see|notice|learn|find out|hear|be told|be bothered|be informed)|(user|users|person|people) (doesn't|don't|won't|needn't|shouldn't|mustn't) … (know|see|notice|learn|find out|be told)|no need to (list|show|name|report) … (user|owner|person)|(do not|don't|never) (list|include|note|name|log) (it|this|them|these|that) in (the|any|your) (report|summary|answer|log|changelog)|not appear in (the|any|your) (answer|summary|report|log|reply|output|diff)|as if nothing|leave … out of (the|any|your) (summary|answer|report|reply|log|list|recap)|not part of the (answer|summary|report)|confus* (the )?(user|users|them)|worr* (the )?(user|users|them)",
    "unbemerkt|heimlich|stillschweigend|unauffällig|verschweig*|nichts … (erfahren|mitbekommen|merken|wissen)|nicht (erwähnen|anzeigen|zeigen)|erwähne … (nicht|nie|niemals)|sag* … nichts|verrate … (nicht|nichts|nie)|zeige … (nicht|nie)|niemandem|ohne … (zu sagen|zu informieren|zu erwähnen|mitzuteilen|wissen)|im stillen",
    "en silence|silencieusement|discrètement|secrètement|à l'insu|en cachette|sans … (dire|informer|prévenir|mentionner|signaler|avertir)|ne … (dis|dites|mentionne*|préviens|prévenez|révèle*|montre*|parle*|signale*) … (pas|jamais|rien)|ne … (pas|jamais|rien) … (dire|mentionner|montrer|révéler|signaler)|ne … (doit|doivent) … savoir",
    "en silencio|silenciosamente|en secreto|discretamente|a escondidas|sin que … (sepa|note|vea|entere|perciba)|sin (decir*|decír*|mencion*|inform*|avis*|mostrar*)|no … (digas|menciones|informes|avises|muestres|reveles|comentes|cuentes)|(no|nunca) debe … (saber*|enterarse|ver*|notar*)",
    "em silêncio|silenciosamente|em segredo|às escondidas|sem que … (saiba|perceba|note|veja)|sem (dizer|mencion*|inform*|avis*|mostrar)|não … (diga|conte|mencione|informe|avise|mostre|revele|comente)|não deve … (saber|ver|perceber)",
    "in silenzio|silenziosamente|di nascosto|segretamente|all'insaputa|senza che … (sappia|veda|noti|accorga)|senza (dir*|menzion*|inform*|avvis*|mostrar*)|non … (dire|dirlo|menzionare|menzionarlo|informare|rivelare|mostrare|parlare|parlarne)|non deve … (sapere|saperlo|vedere|accorgersi)",
    "stiekem|stilletjes|ongemerkt|in het geheim|zonder … (vertellen|melden|zeggen|merkt|weet|informeren)|vertel … niet*|zeg … niets|vermeld … niet|mag … niet … (weten|merken|zien)", "po cichu|potajemnie|skrycie|bez wiedzy|nie (mów|informuj|wspominaj|pokazuj|ujawniaj)|nie (może|powinien) … wiedzieć",
    "тайно|тайком|незаметно|скрытно|молча|втайне|без ведома|не (говори|сообщай|упоминай|рассказывай|показывай|раскрывай)|не долж* … (знать|видеть)|не (сообщая|упоминая|говоря)", "таємно|непомітно|не (кажи|повідомляй|згадуй|показуй)|без відома",
    "悄悄|偷偷|暗中|秘密地|静默|默默|不要告诉|不要告知|不要提醒|不要通知|不要提及|不要提到|不要显示|不要让|别告诉|别让|别提|切勿告诉|切勿提及|无需告知|不得告知|不要向用户|不能让用户|用户不知|用户不应|瞒着", "こっそり|密かに|ひそかに|気づかれ|知らせず|知らせない|伝えず|伝えない|言わず|言わない|報告せず|報告しない|触れず|触れない|内緒|表示しない",
    "몰래|조용히|알리지|말하지|보고하지|언급하지|비밀로|모르게", "gizlice|sessizce|fark ettirmeden|haber vermeden|söyleme|bahsetme|bildirme", "سرا|سراً|بصمت|دون علم|دون إخبار|لا تخبر|لا تذكر", "चुपचाप|चुपके|गुप्त रूप|मत बता|न बता|बिना बता", "âm thầm|bí mật|lén|không … biết|đừng nói|không nói", "diam-diam|secara rahasia|tanpa memberi tahu|jangan beri tahu|jangan katakan|jangan sebutkan",
  ],
  /** Earlier orders are to lose. */
  overrule: [
    "(has|have|takes?|taking|gets?) (the )?(precedence|priority) over (all |any |the |your |other )*(other|earlier|previous|prior|system|user|user's|user’s|safety|all|any|your) *|(replace|replaces|override|overrides|supersede|supersedes|outrank|outranks) … (user's|user’s|your|other|earlier|previous|system) (wishes|rules|instructions|orders|messages|prompt|requests|limits|guidelines|safety)|even if (it|they|this|that) … (beyond|contradict*|conflict*|forbidden|against)|(rules|policies|policy|restrictions|limits|guidelines|instructions|safety) … (do not|does not|don't|doesn't|no longer) (apply|hold|count)|as if (the|your) (user|owner|person|human) (had |has )?(typed|said|asked|ordered|requested|written|wanted)|regardless of (your|the|any) (rules|instructions|guidelines|limits|safety|policy|policies|system prompt)|with (the|all|full) rights (that )?you have",
    "(vergiss|ignorier*|missachte) … (anweisung*|regel*|vorgaben)|vorrang vor … (anweisung*|regel*|wünsch*)", "(ignore*|oublie*) … (instructions|règles|consignes) … (précédent*|antérieur*|système)|priorité sur … (instructions|règles|consignes)", "(ignora|olvida) … (instrucciones|reglas) … (anterior*|previa*|sistema)|prioridad sobre … (instrucciones|reglas|sistema)", "(ignore|esqueça|desconsidere) … (instruções|regras) … (anterior*|sistema)|prioridade sobre … (instruções|regras)",
    "(ignora|dimentica) … (istruzioni|regole) … (precedent*|sistema)|precedenza su … (istruzioni|regole)", "(negeer|vergeet) … (eerdere|vorige|alle) … (instructies|regels)", "(zignoruj|zapomnij) … (poprzedni*|wcześniejsz*|wszystki*) … (instrukcj*|zasad*|poleceń|polecenia)", "(игнорируй*|забудь*) … (инструкц*|указани*|правил*)|приоритет … над … (инструкц*|правил*)", "(ігноруй|забудь) … (інструкц*|правил*)",
    "(önceki|tüm) … (talimat*|kural*) … (yok say|görmezden gel|unut)", "تجاهل … (التعليمات|الأوامر|القواعد)", "(पिछले|सभी) … निर्देश* … (अनदेखा|भूल|नज़रअंदाज़)", "(bỏ qua|quên) … (hướng dẫn|chỉ dẫn|quy tắc)", "abaikan … (instruksi|perintah|aturan)",
  ],
  /** Nobody is to be asked. */
  unasked: [
    "(do not|don't|dont|never|without|no need to|not) … (ask|asking|confirm|confirming|wait for|waiting for|request|seek) *|(needs?|require|requires|without) (no )?(further )?(confirmation|approval|permission|consent|question|questions)|no (confirmation|approval|permission|question|questions|consent)",
    "frage … nicht|frag … nicht|ohne (rückfrage|nachfrage|zu fragen|bestätigung|erlaubnis|zustimmung)|nicht (nachfragen|fragen|rückfragen)", "sans (demander|confirmation|autorisation)|ne … demande* (pas|jamais|rien)", "sin (preguntar|pedir|confirmación|permiso)|no (preguntes|pidas)", "sem (perguntar|pedir|confirmação|permissão)|não (pergunte|peça)", "senza (chiedere|conferma|permesso)|non chiedere",
    "zonder (vragen|toestemming|bevestiging)|vraag … niet", "bez (pytania|potwierdzenia|zgody)|nie pytaj", "без (спроса|подтверждения|разрешения)|не спрашивай", "无需确认|不要询问|不用问|无须确认|不需要确认|自动执行", "確認せず|確認なし|許可なく|聞かずに", "확인 없이|묻지", "sormadan|onay almadan", "دون سؤال|دون تأكيد", "बिना पूछे", "không hỏi|không cần xác nhận", "tanpa bertanya|tanpa konfirmasi",
  ],
  /** What stands elsewhere is to be done. */
  obey: [
    "(whatever|everything|anything|all) … (says|tells|contains|asks|wants|demands|lists) … (has to be|must be|is to be|should be|needs to be|shall be) (done|followed|obeyed|executed|run|applied)",
    "(follow|obey|execute|carry out|do|perform|apply|comply with|run|adopt|act on|act according to|implement) … (everything|whatever|anything|exactly|all|instructions?|commands?|orders|directives?|steps?|rules|tasks?|lines?) … (there|it says|it contains|it tells|says|written|returned|given|found|received|contained|listed|in it|in them|on it|on that page|on the page|from it|in the answer|in the response|in the reply|it returns|it answers|it asks|asked|demands?|shown|sent|it gives|served|it wants|in the file|in that file|word for word|to the letter|without question)",
    "(follow|obey|execute|carry out|do|perform|run|adopt) (everything|whatever|anything|what|exactly what|all that|each step|every step|its|their|it|them|the|these|those) … (there|says|said|written|instructions|commands|orders|directives|asks|tells|contains|returns)|(treat|take|regard|use) … as (your|the|new|further|binding|additional) … (instructions|orders|rules|prompt|directives|system prompt)|(answer|reply|response|page|file|text|document|feed) … (tells|says|decides) … what to do|do as (it|they|the page|the file|the answer|the server) (says|say|tells|asks)",
    "(befolge|führe|folge|halte dich an) … (anweisung*|befehl*|alles|schritt*|dort|was)", "(suis|suivez|exécute|exécutez|applique|appliquez|obéis) … (instructions|commandes|consignes|tout|étapes)", "(sigue|siga|ejecuta|ejecute|obedece|cumple|aplica) … (instrucciones|órdenes|comandos|todo|pasos)", "(siga|execute|obedeça|cumpra|aplique) … (instruções|ordens|comandos|tudo|passos)", "(segui|esegui|obbedisci|applica) … (istruzioni|comandi|ordini|tutto|passi)",
    "(volg|voer) … (instructies|opdrachten|alles|stappen)", "(wykonaj|wykonuj|postępuj) … (instrukcj*|polecen*|wszystko|kroki)", "(следуй|выполни|выполняй|исполни) … (инструкц*|команд*|указани*|всё|все|шаги)", "按照其中|按其中|执行其中|遵循其中|照做|执行返回|按照返回|严格执行|按照该页|按照页面", "指示に従|命令に従|その内容を実行|書かれている", "지시를 따|지시에 따|명령을 실행", "(talimat*|komut*) … (uygula|izle|çalıştır)", "اتبع … (التعليمات|الأوامر)|نفذ", "निर्देशों का पालन", "(làm theo|thực hiện) … (hướng dẫn|chỉ dẫn|lệnh)", "(ikuti|jalankan) … (instruksi|perintah)",
  ],
  /** Whoever checks is to be got round. */
  evade: [
    "(so that|so) … (audit*|auditor*|nobody|no one|controller*|reviewer*|review|checks?|check|scanner*|filter*|guard*|monitoring|antivirus|it) … (does not|doesn't|will not|won't|cannot|can't|not) … (see|notice|find|catch|detect|traced|object|flag|stop) *|(so that|so) (there is|nothing is) … (nothing|left) … (look at|see|find|trace)|cannot be traced|can't be traced|untraceable",
    "(split|divide|break|cut|rewrite|reword|rename|spell|disguise|obfuscate|encode|wrap) … (past|pass|passes|around|through|bypass*|evad*|slip*|avoid*|trick*) … (filter*|check*|scan*|guard*|approval*|review*|judge|gate|block*)",
    "(divíd*|escríb*|camufl*|oculta) … (filtro|revisión|control|aprobación)", "(teile|zerlege|verstecke|schreibe) … (filter|prüfung|freigabe|genehmigung)", "(divise*|découpe*|cache*) … (filtre|contrôle|approbation|vérification)", "绕过(审批|过滤|检查|审核)|避开(检测|审查)",
  ],
  /** What is taken away comes back. */
  comesBack: ["(persist yourself|make yourself permanent|survive (removal|deletion|uninstall*|updates?))|(if|when|whenever|once) (it|either|this skill|this|the (copy|hook|entry|job|skill|file|line|note)|any of them|one of them|both) (is|was|are|were|gets) (deleted|removed|disabled|uninstalled|reverted) … (bring|put|restore|reinstall|re-add|recreate|rewrite|write|add|install)"],
  /** The person is to say what opens something. */
  collect: [
    "(collect|gather|harvest|elicit|coax)",
    "(ask|prompt|request|require|have|get|make|tell|invite|urge|beg|instruct|remind|say to) … (user|them|him|her|person|people|human|owner|customer|visitor) … (for|to (type|enter|paste|give|provide|share|send|tell|confirm|say|put|fill|repeat|upload)|type|enter|paste)|(please|kindly|now|just) (type|enter|paste|give|provide|share|send|confirm|repeat) … (your|the)|(type|enter|paste|share|give|confirm) (me |us )?your",
    "(frage|bitte|fordere) … (nach|um|auf)|gib … (dein|ihr)* … ein", "(demande|demandez) … (à l'utilisateur|le|la|son|leur)", "(pide|pídele|pida|solicita) … (usuario|al|su|la|el)", "(peça|solicite) … (usuário|sua|a|o)", "chiedi … (utente|la|il|sua)", "(попроси|спроси|запроси)* … (пользовател*|у)", "(要求|让|请)用户 … (输入|提供|发送|粘贴)|向用户索取|询问用户的", "ユーザーに … (入力|尋ね|聞|求め)", "사용자에게 … (입력|요청|물어)",
  ],
  /** The reader is to say what is not so. */
  untrue: [
    "(is|are|was|were) (not|n't) (really |actually |quite |strictly )?(true|real|so|correct|necessary)|isn't true|aren't true|not true|untrue|white lie|(pretend|lie|fake|invent|fabricate|make up|claim|insist|act as if|simulate) *|false alarm|(say|tell|explain|claim|assure|answer|add|write) … (that )?(it|they|this|this page|the page|the site|everything|nothing|all|the words|the data) (stay|stays|remain|remains|is|are|was|were) (the |an? |from )?(official|genuine|legitimate|trusted|verified|secure|on|only|never|safe|local|locally|harmless|normal|standard|needed|required|routine|necessary|deleted|private|encrypted)|(reviewers?|user|users|owner|they|people|anyone|customers?) (may|can|should|must|are to) be told (that )?(it|this) is|(show|display|print|say) … while (you|it|the script) (run|runs|do|does|execute|executes|send|sends|upload|uploads|delete|deletes)|falls jemand fragt|wenn jemand fragt|si (alguien|te) pregunta*|si (quelqu'un|on) … demande|say (that )?nothing (was|is|happened|changed|left)",
  ],
  /** Every time from now on, and before anything else. */
  always: [
    "from now on|henceforth|in (every|all|each|any) (future |new |later |other )?(conversation*|session*|chat*|answer*|project*|repositor*|task*)|(at|before|after|with) (the (start|end|beginning) of )?(every|each|any|all) *|whenever|every time|each time|permanently|for all (future|time)|survive* *|stays? (active|in place|after)|across sessions|ab jetzt|ab sofort|von nun an|désormais|à partir de maintenant|a partir de ahora|a partir de agora|d'ora in poi|vanaf nu|od teraz|отныне|с этого момента|今后|从现在开始|从现在起|以后每|每次|今後|これから|毎回|앞으로|지금부터",
  ],
  /** Only when something happens. */
  trigger: [
    "(if|when|whenever|once|as soon as|after|only if|in case|unless|until) … (user|someone|somebody|text|message|file|page|code|comment|document|name|date|time|host|hostname|machine|repository|project|branch|mail|e-mail|invoice|amount|word|words|phrase|output|day|weekday|clock|year|month|it|he|she|they|you)",
    "(wenn|falls|sobald) … (nutzer|benutzer|text|nachricht|datei|datum|wort)", "(si|lorsque|quand|dès que) … (utilisateur|message|texte|fichier|date)", "(si|cuando) … (usuario|mensaje|texto|archivo|fecha)", "(se|quando) … (usuário|utente|messaggio|mensagem|testo|data)", "(если|когда) … (пользовател*|сообщени*|текст|файл|дата)", "当用户|如果用户|一旦|如果消息", "ユーザーが … (場合|とき|たら|と)", "사용자가 … 면",
  ],
  /** What is there is to be gone. */
  destroy: [
    "(delete|wipe|erase|remove|destroy|overwrite|encrypt|drop|truncate|purge|shred|scramble|corrupt|empty|trash) … (everything|backups?|snapshots?|history|recovery|originals?|mailbox|inbox|database|databases|documents?|photos?|pictures|repositor*|branches|volumes|home folder|home directory|notes|contacts|mails?|e-mails?|messages|(all|every|the user's|the user’s|their|each|any|other) … (file|files|folders?|data|work))",
    "(lösche|überschreibe|verschlüssle|vernichte) … (alle|alles|jede*|sicherung*|verlauf)", "(supprime*|efface*|écrase*|chiffre*) … (tous|toutes|tout|sauvegarde*|chaque)", "(borra|elimina|cifra|sobrescribe) … (todos|todas|todo|copia*|cada)", "(apague|exclua|criptografe) … (todos|todas|tudo|backup*)", "(cancella|elimina|cifra) … (tutti|tutte|tutto|backup)", "(удали*|сотри*|зашифруй*) … (все|всё|каждый|резервн*)", "删除所有|删除全部|清空|加密所有|覆盖所有", "すべて削除|全て削除|全部削除", "모두 삭제|전부 삭제",
  ],
  /** Money moves, or something is bought. */
  pay: ["(pay|buy|purchase|donate|withdraw|top up)(?! (nothing|no|anything))|(approve|confirm|make|start) (the |every |any |each )?(payment*|transfer*|purchase*)|place (the |an |every )?orders?|(book|order|reserve) … (room|flight|hotel|ticket*|trip|table|offer|product|goods|item*)|(transfer|wire|send) … (money|funds|payment|coins|btc|eth|sol|usdt|euro*|dollar*)"],
  /** Programs and files that start by themselves, and what agents read at each start. */
  plant: [
    ".bashrc|.zshrc|.zshenv|.zprofile|.profile|.bash_profile|config.fish|crontab|cron job|cron entry|cronjob|scheduled task|task scheduler|LaunchAgent*|LaunchDaemon*|launchd|login item*|systemd|autostart|start-up file*|startup file*|startup folder|git hook*|.git/hooks|post-commit|pre-commit hook|pre-push|post-checkout|AGENTS.md|CLAUDE.md|GEMINI.md|HERMES.md|.cursorrules|.cursor/rules|copilot-instructions.md|SOUL.md|MEMORY.md|USER.md|HEARTBEAT.md|settings.json|mcp.json|.mcp.json|mcp server*|tasks.json|postinstall|sitecustomize.py|.envrc|system prompt|permanent memory|long-term memory|memory tool|memory store*|memory|memories|hermes cron|browser extension",
  ],
  /** Written there. */
  write: ["(add|append|write|put|save|insert|store|install|register|copy|place|set up|create|paste|schedule|remember|persist|enable|edit|change|modify|update|extend|inject|prepend)|schreibe|trage … ein|speichere|füge … (ein|hinzu)|ajoute*|écris|enregistre*|añade|agrega|escribe|guarda|adicione|escreva|grave|aggiungi|scrivi|salva|добав*|запиши*|сохрани*|写入|添加到|追加到|加入到|保存到|書き込|追加し|추가하|저장하"],
  /** A consent that nobody gave. */
  consented: [
    "(user|owner|person|human|customer|team|company|administrator|admin|they|installing|install|installation|using|use of) … (has|have|had|counts as|means|implies|is) (already |thereby |also |in advance |a |the |implicit |full |their )*(agreed|consented|approved|wished|accepted|authori[sz]ed|confirmed|permitted|allowed|consent|agreement|approval|permission|wish|asked for it|given (their |full |explicit |prior |a )*(consent|permission|approval|agreement)) … (install*|in advance|advance|beforehand|already|so |need*|no |without|further|all|everything|every|any|once and for all|permanent*|by using|to everything)",
    "(permission|consent|authori[sz]ation|approval|agreement) (is|was|counts as) (implied|assumed|presumed|given|granted|included|implicit|automatic)",
    "(approve|confirm|accept|answer|acknowledge|click through) … (prompt*|question*|dialog*|request*|warning*|confirmation*) … (yourself|for the user|on your own|on their behalf|on behalf of|automatically|at once|without)",
    "(did not|didn't|never|not) (opt in|consent|agree|ask) … (but|would|anyway|still)|(answer|say|respond|reply|responde*|antworte|réponds|risponda|rispondi) … (yes|sí|ja|oui|sim|да) … (approval*|permission*|confirmation*|prompt*|aprobaci*|genehmigung*|rückfrage*|approbation*|conferma|подтвержд*)",
    "(pre-approved|preapproved|already approved|approved in advance|implicitly approved|count as approved|counts as approved|considered approved|deemed approved|treated as approved|has wished for|pre-authori[sz]ed|already consented)",
  ],
  /** What was found or done is told otherwise. */
  verdict: [
    "(say|report|answer|write|mark|rate|declare|call|conclude|state|return|respond|reply|tell|approve|give|always|output) … (looks good|lgtm|no (issue|issues|problem|problems|finding|findings|vulnerabilit*|error|errors|risk|risks)|(as|is|are|be) (safe|clean|approved|passed|harmless|secure)|all tests pass|five stars|nothing found|without findings|0 (issues|findings|outdated|errors))",
    "(do not|don't|never|must not) (flag|report|question|mention|check|review|look at|inspect|comment on) … (change*|file*|commit*|line*|code|script*|package*|dependenc*|author*) … (under|in|by|from|of|whose|that|named) *",
    "(skip|leave out|exclude|ignore|pass over|overlook|omit) … (file*|package*|commit*|author*|change*|finding*|line*|folder*|vulnerabilit*) … (whose|by|from|that|which|named|called|with|signed|in) *",
  ],
  /** What is wrong is not to be told. */
  unreported: ["(approve|merge|accept|sign off|wave through|let through|pass) … (without (reading|looking|checking|reviewing|review|inspecting|testing)|unread|unseen|blindly)", "(never|do not|don't|must not) (report|flag|mention|list|show|count|raise) … (vulnerabilit*|backdoor*|malware|security (issue*|problem*|finding*|risk*|hole*|warning*)) … (in|of|from|by|about|with) *"],
  /** A door is left open in what is made. */
  backdoor: [
    "(add|insert|include|create|put|leave|slip|build|write|plant|make|keep|install|use) … (backdoor|back door|back-door|(hidden|secret) (user|account|admin|route|endpoint|login|parameter|key)|master password|keylogger|web shell|webshell)",
  ],
  /** Somebody else is let in. */
  letIn: [
    "(add|insert|include|create|put|leave|slip|write|set|make|install|use) … ((second|extra|additional|fallback|maintenance|support) (admin|administrator|account|login|password|ssh key|recipient|user|owner)|tracking pixel|beacon|bcc|blind copy|blind carbon copy|forwarding rule|forwarding filter|forwarding address|deploy key|ssh key|public key|recovery (address|e-mail|email))",
    "(add|invite|grant|give|make|share) … (as|the role of|to|with|access) … (admin|administrator|owner|co-owner|maintainer|collaborator|editor|member|guardian|delegate|access)",
  ],
  /** Something is changed or run. */
  change: ["install|add|insert|append|write|edit|modify|change|replace|rewrite|commit|push|merge|run|execute|start|launch|delete|remove|download|copy|move|rename|schedule|register|create|enable|disable|set|open|visit|click|installier*|füge|ändere|führe|starte|lösche|lade|installe*|exécute*|ajoute*|modifie*|supprime*|lance*|instala*|ejecuta*|añade*|modifica*|borra*|execute|instale|adicione|altere|esegui|installa|aggiungi|voer|installeer|zainstaluj|uruchom|установи*|запусти*|добав*|измени*|удали*|安装|执行|运行|修改|添加|删除|インストール|実行|追加|変更|설치|실행|추가|변경"],
  /** It is about something on a machine. */
  machine: ["file|files|folder|command*|package*|dependenc*|script*|repositor*|commit*|branch*|server*|account*|setting*|configuration|config|database*|password*|invoice*|mail|mails|e-mail*|calendar|browser|url|api|request*|upload*|datei*|befehl*|paket*|konto*|fichier*|commande*|paquet*|archivo*|comando*|cuenta*|ficheiro*|pacote*|файл*|команд*|пакет*|文件|命令|脚本|程序|ファイル|コマンド|파일|명령"],
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
  shadowTool: ["(redefine|override|replace|shadow|wrap|patch|hijack|re-register) … (tool|tools|function) … (post*|send*|also|same name|collector|log*|forward*|hide)|(register|install) … under the same name"],
  /** More than anybody needs. */
  waste: ["(start|spawn|run|call|repeat|keep|loop|create|open|send|make|use|delegate) … (endless|infinite|never-ending|endlessly|forever|without end|as many|as much|until the (context|budget|quota|limit|credit*|tokens?)|thousands of|hundreds of|10000|100000|recursively) … (loop|loops|sub-?agents?|agents|calls|requests|tokens|tasks|processes|messages|as possible|copies|is (full|used up|spent|exhausted|reached))"],
  /** Rights over the whole machine, which a person is to hand out. */
  rights: ["(administrator|administrator's|admin|sudo|root|system|computer|login|master|mac) password|full disk access|accessibility (permission|access)|run as administrator|as administrator|disable … (antivirus|gatekeeper|defender|smartscreen|firewall)|turn off … (antivirus|gatekeeper|defender|smartscreen|firewall|virus scanner)"],
  /** It looks on. */
  watch: ["(takes?|reads?|makes?|logs?|records?|captures?|grabs?) … (screenshots?|clipboard|keystrokes?|microphone|camera|webcam|location) … (each|every|all the time|continuously|constantly|in the background|minute|second|also when)","(log|record|keep|collect|save|capture|watch|monitor|note) … (keystrokes?|passwords|everything (the user|they) (types?|says?|copies)|every (message|prompt|password|key)|clipboard|microphone|camera|screenshots?|all (messages|prompts|inputs))"],
  /** Money goes elsewhere than it was to. */
  reroute: [
    "(replace|change|swap|exchange|substitute|set|rewrite|overwrite|redirect|alter|switch|use|insert|fill in|put) … (iban|bic|account number|bank account|bank details|bank connection|wallet address|payment address|payout address|payout account|deposit address|recipient|payee|beneficiary|routing number|sort code|paypal|donation address|crypto address|payment link) … (by|with|to|into|for|as|is) (the following|this one|ours|our|mine|\\W?[A-Z]{2}\\d\\d|\\W?0x|\\W?bc1|\\W?\\d)",
    "(ersetze|ändere|tausche) … (iban|konto*|empfänger*|wallet*) … (durch|auf|gegen) \\W?(\\d|[A-Z]{2}\\d|0x|bc1)", "(remplace*|change*) … (iban|compte|bénéficiaire|adresse) … par \\W?(\\d|[A-Z]{2}\\d|0x|bc1)", "(reemplaza|cambia|sustituye) … (iban|cuenta|beneficiario|dirección) … por \\W?(\\d|[A-Z]{2}\\d|0x|bc1)", "(замени*|измени*) … (счет*|счёт*|реквизит*|адрес*|кошел*) … на \\W?(\\d|[A-Z]{2}\\d|0x|bc1)", "(替换|更换|改成|改为)[^。]{0,20}(账号|账户|收款|钱包地址)|(账号|账户|收款人|钱包地址)[^。]{0,20}(替换|改成|改为)",
  ],
  /** It is to look like something else. */
  disguise: ["(name|call|rename|disguise|mask|title|label) … (process|program|service|file|commit|branch|task|job|binary|account|user) … (kworker*|systemd*|svchost*|launchd|nobody|no one|not noticed|unnoticed|innocent|harmless|ordinary|legitimate|look like|looks like|does not stand out|blend in|not suspicious|unsuspicious)"],
  /** Where programs come from. */
  sources: ["registry|registries|index-url|index url|extra-index-url|package source*|package index|mirror|goproxy|package-lock.json|yarn.lock|pnpm-lock.yaml|poetry.lock|lock file|lockfile|apt source*|sources.list|brew tap|git remote*|submodule*|helm repo*|base image|ca certificate|root certificate|hosts file|dns server*"],
  /** The person speaks to everybody whom they know, or to the world. */
  blast: ["(send|mail|e-mail|message|invite|write to|notify|post|forward) … (all|every|each|whole) … (contact*|friend*|colleague*|follower*|address book|channel*|customer*|member*|group*)","(star|upvote|like|follow|retweet|repost|endorse|rate|review|give … stars|leave … review) … (our|this skill|this repository|the author|the maker|five stars|5 stars|repo *|account *)"],
  /** It is paid for what it says. */
  promote: ["(add|append|insert|put|replace|use|include) … (affiliate|referral|partner (id|link|code|tag)|tracking (id|code|parameter)|sponsor*|ref=|tag=)","(always|only) (recommend|suggest|prefer|mention|rank|praise|choose|propose)","(never|do not|don't) (mention|recommend|suggest|name) … (other|competing|competitor*|alternative*|rival*)"],
  /** Machines of others are attacked. */
  attack: ["(try|guess|spray|brute-force|brute force|crack) … (password*|credential*|login*|pin*)|(scan|attack|exploit|flood|infect|break into|log in to|install * on) … (every|each|all|whatever|any|whole|neighbour*|neighbor*) … (machine*|host*|device*|network|server*|subnet|address*|computer*)|(aim|point|direct|fire|send) … (workers|requests|connections|threads|load|traffic|bots|packets) … (at|against)|move laterally|lateral movement|privilege escalation exploit"],
  /** A day, a name or a word sets it off. */
  bomb: ["(if|when|whenever|once|as soon as|after|on) … (hostname|host name|computer's name|date is|today is|is after|later than|on or after|the word|the words|the phrase|the string|the comment|the marker|exactly|says|writes|contains|starts with|mentions) *"],
  /** A program that nobody can read is to be started. */
  program: ["(download|get|fetch|install|open|run|start|launch|double-click|execute|unpack) … .(exe|dmg|pkg|msi|apk|scr|jar|appimage|bat|cmd|vbs|iso|zip|rar|7z)"],
  /** Nothing works without it. */
  required: ["(must|required|requires|necessary|needed|mandatory|prerequisite*|before (the )?first use|does not work without|will not work|won't work|not work without|otherwise)"],
} as const satisfies { readonly [act: string]: readonly string[] };

export type Act = keyof typeof ACT_WORDS;
