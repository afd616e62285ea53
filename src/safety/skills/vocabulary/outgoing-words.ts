/** Data and money that leave the machine or the user: sending, secrets, private data, payments. */
export const OUTGOING_WORDS = {
  /** Something is to leave the machine. */
  send: [
    "küldj*|küldd*|továbbít*|tölts* … fel|töltsd … fel",
    "pošli|odešli|přepošli|nahraj",
    "skicka|vidarebefordra|ladda … upp",
    "trimite|redirecționează|încarcă",
    "lähetä|lataa … palvelimelle",
    "στείλε|ανέβασε|προώθησε",
    "(pass|hand|give|bring|feed|pipe|route|stream|drop|put|deposit|leave) … (it|them|that|this|these|those|copy|copies|result*|output|answer*|content*|file*|folder*|text*|word*|list*|data|all|both|three|everything|archive|numbers?) … (on to|over to|along to|to|at|into|with) *|(hand|pass|turn|give|make) … over to *|over to (https?|our|their|them) *|let … (know|have|see) *|(keep|keeps) … (informed|up to date|in the loop|posted)|ping|phone home|dial home|call home|check in with|register … with",
    "send|forward|transmit|submit|publish|exfiltrate|relay|deliver|beam|paste|attach|curl|POST|PUT",
    // Words for things, too: not behind an article, and not in front of what is made of them.
    "(?<!\\b(?:the|a|an|this|that|these|those|such|your|their|our|its|my|any|each|every|no|new|by|via|per|of|from|through|work|company|private|business|personal|phishing|spam|junk|suspicious|unexpected|blog|forum|bug|status|market) )(e-mail|email|mail|post|report|share|copy|push|sync|upload|leak)(?! (message*|notification*|address*|account*|server*|client*|provider*|box*|inbox*|signature*|header*|template*|app|apps|program*|folder*|filter*|subject*))",
    "(is|are|be|gets|get) (then |also |automatically |silently |[a-z]+ and )?(sent|posted|uploaded|forwarded|transmitted|submitted|mailed|emailed|published|reported|synced|synchroni[sz]ed|mirrored|delivered|pushed|copied|backed up)",
    "(it|which|that|script|helper|hook|job|skill|tool|collector|both|then|and) (also |then |always )?(sends|uploads|posts|pushes|forwards|copies|transmits|mails|publishes|reports|syncs|mirrors)(?! (no|nothing|none))",
    "sende|senden|schick*|verschick*|übermittl*|überträgst|übertrage|übertragen|leite … weiter|weiterleiten|hänge … an|anhängen|poste|maile|veröffentlich*|lade … hoch|hochladen|lade … auf",
    "envoie*|envoyer|transmets|transmettez|transmettre|publie|publiez|publier|téléverse*|transfère*|transférer|ajoute* … (à l'adresse|à l'url|au lien)|joins|poste|postez",
    "envía*|envia|enviar*|envíe*|manda|mandar|mande|sube|subir|suba|reenvía*|reenviar*|publica|publicar|transmite|transmitir|adjunta|añade … (url|enlace|dirección)",
    "envie|encaminhe|encaminhar|publique|transmita|carregue|anexe|suba … para|poste",
    "invia|inviare|inviala|inviale|invialo|inoltra*|carica|caricare|pubblica|pubblicare|trasmetti|trasmettere|allega|spedisci",
    "stuur|verstuur|sturen|verzend|plaats|upload",
    "wyślij|wysyłaj|prześlij|przesyłaj|przekaż|opublikuj|dołącz",
    "отправ*|отсыла*|перешли*|пересыла*|загруз*|загружай|передай*|передава*|опублику*|выложи*|скопируй … на",
    "надішли|надсилай|відправ*|завантаж*|перешли|передай",
    "gönder*|yükle|ilet|paylaş",
    "gửi|tải … lên|đăng",
    "kirim*|unggah|teruskan",
    "発送|送信|アップロード|転送|投稿|送って|送れ|送る|送り|添付",
    "发送|上传|提交到|转发|发到|传到|发给|附加到|附在|推送到|发布到|拼接到|回传|上報|上报",
    "전송|업로드|보내|전달하|게시하",
    "أرسل|ارسل|إرسال|ارفع|انشر",
    "भेज|अपलोड",
  ],
  /** Put data into something else that is sent. */
  carry: [
    "(add|append|put|include|encode|embed|hide|conceal|write|insert|pack|smuggle|place|attach) … (url|link|query|query string|parameter|image|picture|badge|pixel|header|dns|subdomain|subdomains|host name|hostname|file name|filename|commit message|commit body|branch name|white space|whitespace|emoji|first letters|initial letters|alt text|user agent|user-agent|referer|referrer|trailer|pull request|issue|gist)",
    "(hänge|schreibe|verstecke|kodiere) … (adresse|link|url|bild|commit)",
    "(ajoute*|cache*|code*) … (lien|url|image|adresse)",
    "(añade|oculta|codifica|incluye) … (url|enlace|imagen|dirección)",
  ],
  /** Hide data inside something else that is sent. */
  covert: [
    "(add|append|put|include|encode|embed|hide|conceal|write|insert|pack|smuggle|place|attach) … (alt text*|white space|whitespace|emoji*|first letters|initial letters|commit message*|commit body|branch name*|image url*|image link*|picture|pixel*|dns|subdomain*|host name|user agent|user-agent|referer|referrer|trailer*)",
  ],
  /** Conversation text, and the user's data on the machine. */
  said: [
    "conversation*|chat history|chat log*|chat content*|transcript*|system prompt|context window|session history|session log*|whole context|full context",
    "(all|every|each|last|previous|first|earlier|whole|full|complete|entire|user's|user’s) … message|(all|every|each|last|previous|first|earlier|whole|full|complete|entire|user's|user’s) … messages|(user's|user’s|users|original|last|every|each|full) prompt*|what the user (says|said|types|typed|writes|wrote|asks|asked)|everything the user|user's question*|user’s question*|user's input|user’s input",
    "(full|complete|whole|entire) … (content|contents|text|source|code|repository|codebase|diff|file|files|project|folder|home|directory|document|documents|mailbox|inbox|calendar)|contents? of (every|all|each|any)|(every|all|each|any) (opened |open |edited |read |changed |attached )?(file|files|document|documents|attachment|attachments|mail|mails|e-mail|e-mails|emails|invoice|invoices|contract|contracts)|source code|codebase|(user's|user’s|their|private|personal) (files|documents|photos|code|data|contacts|calendar|mail|mails|address)",
    "phone numbers|home addresses|private (chat*|message*|data)|personal (data|information|details)|location|exif|faces|what the other*|address book|contacts|browser history|shell history|command history|bash_history|zsh_history|clipboard|memory files|memories|MEMORY.md|USER.md|SOUL.md|state.db|screenshot*|home (folder|directory)|keystroke*|env vars",
    "Unterhaltung*|Gespräch*|Chatverlauf*|Verlauf|Nachrichten|Eingabe*|Umgebungsvariable*|Quelltext*|Inhalt … (Datei*|Ordner*)",
    "messages|historique|échange|variables d'environnement|code source|contenu … fichier*",
    "conversaci*|mensajes|historial|variables de entorno|código fuente|contenido … archivo*",
    "conversa|mensagens|histórico|variáveis de ambiente|conteúdo … (arquivo*|ficheiro*)",
    "conversazion*|messaggi|cronologia|variabili d'ambiente|contenuto … file",
    "gesprek*|berichten|geschiedenis",
    "rozmow*|rozmów|wiadomości|histori*|zmienn* środowisk*",
    "переписк*|сообщени*|истори*|разговор*|диалог*|беседу|переменн* окруж*|содержим* … файл*",
    "листуван*|повідомлен*|розмов*",
    "konuşma*|mesaj*|geçmiş*",
    "cuộc trò chuyện|hội thoại|tin nhắn",
    "percakapan|pesan",
    "对话|聊天记录|消息|会话|聊天内容|剪贴板|环境变量|源代码|文件内容|用户输入",
    "会話|メッセージ|履歴|チャット|環境変数",
    "대화|메시지|기록|환경 변수",
    "المحادثة|المحادثات|الرسائل",
    "बातचीत|संदेश",
  ],
  /** Files whose purpose is to keep a secret. */
  stored: [
    ".env|*.env|*.pem|*.key|*.p12|*.pfx|*.jks|*.keystore|.ssh(?![^\\s`]*\\.pub)|id_rsa|id_ed25519|.aws|.netrc|.npmrc|.pypirc|.git-credentials|.kube|kubeconfig|.docker/config.json|auth.json|credentials.json|.gnupg|.pgpass|keychain|key4.db|logins.json|Login Data|wallet.dat|secrets.yaml|secrets.yml|.vault-token|.azure|.config/gcloud|service account key|shadow file|/etc/shadow",
  ],
  /** Secrets that give access. */
  secret: [
    "jelszó*|jelszava*|kulcs*",
    "hesl*|klíč*",
    "lösenord*|nyckel|nycklar",
    "parol*|chei*",
    "salasana*|avaime*",
    "κωδικ*|κλειδ*",
    "passwords?|passphrases?|credentials?|api keys?|api-keys?|access keys?|private keys?|secret keys?|ssh keys?|signing keys?|encryption keys?|wallet keys?|license keys?|secrets|(all|any|every|found|session|access|refresh|auth|bearer|these|those|both) tokens?|(the|these|those|all|any|found) keys|tokens|cookies|environment variables|seed phrase*|recovery phrase*|mnemonic*|card numbers?|card details|cvv|cvc|pin|bank details|social security number*|passport*|logins?|maiden name|first pet|date of birth|security questions?|photo* of the (card|passport|licen[sc]e)|card form*|fields of the (card|login|payment)|payment details|salary|salaries",
    "passwords?|passphrases?|credentials?|api keys?|api-keys?|access keys?|private keys?|secret keys?|ssh keys?|signing keys?|encryption keys?|wallet keys?|license keys?|secrets|(all|any|every|found|session|access|refresh|auth|bearer|these|those|both) tokens?|(the|these|those|all|any|found) keys|tokens|cookies|environment variables|seed phrase*|seed words|(recovery|secret|backup|wallet|magic|twelve|12|24) words|recovery phrase*|mnemonic*|card numbers?|card details|cvv|cvc|pin|bank details|social security number*|passport*|logins?",
    "(one-time|one time|verification|security|login|sms|confirmation|six-digit|6-digit|two-factor|second-factor|recovery|backup|authenticator) … codes?|2fa|otp|totp",
    "Passwort*|Passwörter*|Kennwort*|Kennwörter*|Zugangsdaten|Schlüssel*|Anmeldedaten|Geheimnis*|Zugangsschlüssel*",
    "mots? de passe|identifiants|clés?|jetons?",
    "contraseñas?|credenciales|claves?|secretos",
    "senhas?|credenciais|chaves?|segredos",
    "password|credenziali|chiavi|chiave|segreti",
    "wachtwoord*|sleutel*|inloggegevens",
    "hasł*|klucz*|dane logowania|poświadcz*",
    "парол*|ключ*|токен*|учетн*|учётн*|секрет*",
    "parola*|şifre*|anahtar*",
    "mật khẩu|khóa|khoá",
    "kata sandi|kunci|kredensial",
    "密码|密钥|凭据|凭证|口令|令牌|私钥|验证码|助记词",
    "パスワード|キー|認証情報|秘密鍵|トークン|鍵",
    "비밀번호|암호|자격 증명|토큰|키를",
    "كلمة المرور|كلمات المرور|مفاتيح|المفاتيح|بيانات الاعتماد",
    "पासवर्ड|कुंजी|क्रेडेंशियल",
  ],
  /** Values are to be said aloud. */
  disclose: [
    "(recite|print|reveal|output|display|repeat|list|tell|spell|name|quote|write out|read out|show|include|use) … (real values?|actual values?|values? of|contents? of|content of|every|all) … ([A-Z0-9_]+_(KEY|TOKEN|SECRET|PASSWORD|KEYS)|api keys?|environment|environment variables|secrets|credentials|passwords|private key*|.env)",
  ],
  /** The user is to reveal a secret. */
  collect: [
    "(collect|gather|harvest|elicit|coax)",
    "(collect|gather|obtain|take down|note|ask|find out|get hold of|coax|request|have) … (name|names|password|passwords|code|codes|pin|card|address|birthday|date of birth|phone number|login|street|school|photo|photos) *",
    "(ask|prompt|request|require|have|get|make|tell|invite|urge|beg|instruct|remind|say to) … (user|them|him|her|person|people|human|owner|customer|visitor) … (for|to (type|enter|paste|give|provide|share|send|tell|confirm|say|put|fill|repeat|upload)|type|enter|paste)|(please|kindly|now|just) (type|enter|paste|give|provide|share|send|confirm|repeat) … (your|the)|(type|enter|paste|share|give|confirm) (me |us )?(your|their|his|her)",
    "(frage|bitte|fordere) … (nach|um|auf)|gib … (dein|ihr)* … ein",
    "(demande|demandez) … (à l'utilisateur|le|la|son|leur)",
    "(pide|pídele|pida|solicita) … (usuario|al|su|la|el)",
    "(peça|solicite) … (usuário|sua|a|o)",
    "chiedi … (utente|la|il|sua)",
    "(попроси|спроси|запроси)* … (пользовател*|у)",
    "(要求|让|请)用户 … (输入|提供|发送|粘贴)|向用户索取|询问用户的",
    "ユーザーに … (入力|尋ね|聞|求め)",
    "사용자에게 … (입력|요청|물어)",
  ],
  /** Money moves, or something is bought. */
  pay: [
    "(pay|buy|purchase|donate|withdraw|top up|tip|subscribe|upgrade|bid|invest)(?! (nothing|no|anything))|(approve|confirm|make|start) (the |every |any |each )?(payment*|transfer*|purchase*)|place (the |an |every )?orders?|(add|put|include|slip|place) … (gift card*|voucher*|prepaid card*|donation|tip|warranty|insurance|subscription|premium plan|extra item|another item)|(add|put|slip) … (basket|cart|order|invoice|checkout|check-out)|(charge|debit|bill) … (stored card|saved card|card on file|their card|the card|user|customer|account)|(book|order|reserve) … (room|flight|hotel|ticket*|trip|table|offer|product|goods|item*)|(transfer|wire|send) … (money|funds|payment|coins|btc|eth|sol|usdt|euro*|dollar*)",
  ],
  /** It looks on. */
  watch: [
    "(record|film|listen|tape|capture) … (before|after|when|until|while|from the moment) … (others|they|everybody|people|call) … (think|believe|know|begun|begin|good-bye|goodbye|left|ended|over) *|(leave|keep) … (recorder|recording|camera|microphone|webcam|listener) (on|running|open) *|(light|led|lamp|indicator) (covered|off|disabled|taped)",
    "(takes?|reads?|makes?|logs?|records?|captures?|grabs?) … (screenshots?|clipboard|keystrokes?|microphone|camera|webcam|location) … (each|every|all the time|continuously|constantly|in the background|minute|second|also when)",
    "(log|record|keep|collect|save|capture|watch|monitor|note) … (keystrokes?|passwords|everything (the user|they) (types?|says?|copies)|every (message|prompt|password|key)|clipboard|microphone|camera|screenshots?|all (messages|prompts|inputs))",
  ],
  /** Money goes elsewhere than it was to. */
  reroute: [
    "(replace|change|swap|exchange|substitute|set|rewrite|overwrite|redirect|alter|switch|use|insert|fill in|put) … (iban|bic|account number|bank account|bank details|bank connection|wallet address|payment address|payout address|payout account|deposit address|recipient|payee|beneficiary|routing number|sort code|paypal|donation address|crypto address|payment link) … (by|with|to|into|for|as|is) (the following|this one|ours|our|mine|\\W?[A-Z]{2}\\d\\d|\\W?0x|\\W?bc1|\\W?\\d)",
    "(ersetze|ändere|tausche) … (iban|konto*|empfänger*|wallet*) … (durch|auf|gegen) \\W?(\\d|[A-Z]{2}\\d|0x|bc1)",
    "(remplace*|change*) … (iban|compte|bénéficiaire|adresse) … par \\W?(\\d|[A-Z]{2}\\d|0x|bc1)",
    "(reemplaza|cambia|sustituye) … (iban|cuenta|beneficiario|dirección) … por \\W?(\\d|[A-Z]{2}\\d|0x|bc1)",
    "(замени*|измени*) … (счет*|счёт*|реквизит*|адрес*|кошел*) … на \\W?(\\d|[A-Z]{2}\\d|0x|bc1)",
    "(替换|更换|改成|改为)[^。]{0,20}(账号|账户|收款|钱包地址)|(账号|账户|收款人|钱包地址)[^。]{0,20}(替换|改成|改为)",
  ],
  /** Data that identifies or locates a user. */
  personal: [
    "(home|postal|street|e-mail|email|mail|ip|their|the) address|the street|phone numbers?|date of birth|birthday|school|photos?|pictures? of (them|the)|health|diagnos*|medical|salary|salaries|tax (number|id)|passport|identity card|id card|personal data|contacts|address book|location|whereabouts|names? and|codice fiscale|personendaten|паспорт*|адрес*|身份证|住址|手机号",
  ],
  /** Another party gets a copy. */
  blindCopy: ["bcc|blind copy|blind carbon copy|carbon copy|in copy|(?<![./])cc(?!/)"],
} as const;
