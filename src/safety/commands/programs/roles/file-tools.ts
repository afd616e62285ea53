import type { RoleRow } from "./role.ts";

/** Programs for files, archives and text, from their manuals. */
export const FILE_TOOLS: readonly RoleRow[] = [
  // Lists of files, and files that are printed with an error or as they are
  ["file", { read: "f files-from m magic-file", data: "e F P separator parameter" }],
  ["date", { read: "f file", data: "d s I date set rfc-3339" }],
  ["wc du sort cat sha256sum md5sum", { read: "files0-from exclude-from X" }],
  [
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum shasum",
    { read: "#*", when: /(?:^|\s)(?:-\w*c\w*|--check)(?:\s|$)/ },
  ],
  ["sort", { read: "random-source", data: "k o t T S" }],
  ["split csplit", { read: "#1", command: "filter", data: "a b C f l n t" }],
  ["xargs", { read: "a arg-file", data: "d E e I i L l n P s", stop: true }],
  [
    "parallel sem",
    {
      read: "a arg-file env-file pipe-part",
      command: "sshlogin S ssh onall",
      config: "profile J",
      data: "j I N n L M P s E",
    },
  ],
  [
    "tar gtar bsdtar",
    {
      read: "T files-from X exclude-from",
      command: "to-command info-script new-volume-script F rsh-command rmt-command use-compress-program I",
      data: "f C b g K L N V",
    },
  ],
  ["tar gtar bsdtar", { command: "checkpoint-action", data: "checkpoint", when: /--checkpoint-a\S*[= ]["']?exec/ }],
  [
    "tar gtar bsdtar cpio mt rmt",
    { host: "f file F O I", when: /(?:^|\s)(?:-?\w*f|--file=?|-[FOI])\s*\S*[\w.-]:(?!\\)\S/ },
  ],
  ["cpio", { read: "E pattern-file", command: "rsh-command", data: "C D F H I M O R" }],
  ["zip", { command: "TT unzip-command", data: "b n s t i x" }],
  ["rsync-ssl", { host: "#*" }],
  ["install cp mv ln", { read: "reference", data: "t S g m o" }],
  ["diff", { read: "from-file to-file X exclude-from" }],
  ["cmp", { read: "#*", when: /(?:^|\s)-(?:-verbose|-print-bytes|\w*[lb])/ }],
  ["grep egrep fgrep zgrep ugrep ug rg ripgrep", { read: "exclude-from ignore-file", data: "e f m A B C d D" }],
  ["look", { read: "#2" }],
  ["shuf", { read: "random-source", data: "n i o e" }],
  ["ptx", { read: "b break-file i ignore-file o only-file" }],
  ["m4", { read: "#*", write: "o", data: "D U I F R L" }],
  ["mcookie", { read: "f file" }],
  ["uuencode", { read: "#1" }],
  [
    "openssl",
    {
      write: "writerand",
      host: "connect host url server proxy",
      load: "engine provider-path provider",
      config: "config",
      data: "k pass passout K iv name subj days md",
      words: true,
    },
  ],
  [
    "gpg gpg2 gpgsm",
    {
      host: "keyserver",
      sends: "send-keys",
      command: "photo-viewer exec-path agent-program dirmngr-program pinentry-program",
      config: "options homedir",
      read: "passphrase-file",
      data: "u r o output recipient local-user default-key status-fd",
    },
  ],
  ["gpg gpg2", { host: "#*", when: /--(?:recv|receive|search|refresh|locate|fetch|auto-key|send)-?\w*/ }],
  ["iconv recode uconv enca", { read: "#*", write: "o output", data: "f t from-code to-code x" }],
  [
    "gio",
    {
      verbs: "cat copy cp info list ls mount move mv open save set tree mkdir remove rm monitor rename launch",
      read: "#*",
    },
  ],
  ["gvfs-cat gvfs-ls gvfs-copy gvfs-info gvfs-mount gvfs-open", { read: "#*" }],
  // Text
  ["sed gsed", { read: "f file", data: "e l expression line-length" }],
  ["jq gojq jaq", { read: "f from-file L slurpfile rawfile", data: "arg argjson indent tab" }],
  [
    "yq xq tomlq dasel fx gron jc jo jless jello mlr miller xsv qsv csvkit csvcut csvgrep csvsql csvstat csvjson in2csv xan datamash visidata vd q textql",
    { read: "#* from-file f i s input", data: "d t c u" },
  ],
  [
    "xmllint xsltproc xmlstarlet xidel tidy htmlq pup hxselect hxnormalize xml2 html2text saxon",
    {
      read: "#* schema relaxng dtdvalid schematron path catalogs dtdvalidfpi nodefdtd",
      write: "o output",
      url: "#*",
      data: "xpath e s html-select xp",
    },
  ],
  ["bat batcat ccat pygmentize highlight", { command: "pager", config: "config-file config" }],
  [
    "less more most pg lv slit moar ov",
    { read: "#* k lesskey-src", write: "o O log-file", data: "p P j t T x y z b h" },
  ],
  ["man", { command: "P pager H html", config: "C config-file", read: "l", data: "L M m R r S s e E p" }],
  ["man", { read: "#*", when: /(?:^|\s)(?:-\w*l|--local-file)(?:\s|$)|(?:^|\s)\.?\.?\//, command: "P" }],
  ["info", { read: "f file restore", data: "d n o" }],
  [
    "enscript a2ps groff troff nroff mandoc lout texi2html rst2html rst2pdf asciidoctor asciidoc markdown pandoc-crossref",
    { read: "#*" },
  ],
  ["asciidoctor asciidoc", { load: "r require I", write: "o out-file" }],
  [
    "pandoc",
    {
      read: "#* metadata-file template H include-in-header B include-before-body A include-after-body d defaults bibliography csl reference-doc abbreviations syntax-definition",
      write: "o output log",
      data: "f t r w V M resource-path extract-media",
    },
  ],
  [
    "pandoc",
    {
      command: "F filter pdf-engine",
      load: "L lua-filter",
      when: /(?:-[FL]|--(?:lua-)?filter|--pdf-engine)[= ]?\S*\//,
      data: "o f t r w V M d H B A",
    },
  ],
  ["crontab", { read: "#1" }],
  ["at batch", { read: "f" }],
  ["patch", { read: "i input", data: "p d o B D F r V Y z" }],
  ["ed red ex", { read: "#*" }],
  [
    "vim vi nvim gvim view rvim vimdiff nvimdiff gview mvim",
    { url: "#*", config: "u U", data: "c S s T p o O i r t q" },
  ],
  ["emacs emacsclient", { read: "insert", url: "#*", load: "l load script", data: "e f eval execute funcall" }],
  [
    "nano pico micro joe jed mg ne kak hx helix tilde dte",
    { command: "s speller", config: "f rcfile config-dir c config", data: "T C Q r o Y" },
  ],
  ["ispell aspell hunspell", { read: "#* p personal", config: "conf per-conf home-dir" }],
  ["ctags etags gtags cscope", { read: "L i I", config: "options", data: "f o R x" }],
  ["tput dircolors", { read: "#1" }],
  ["wall write mesg", { read: "#1" }],
  [
    "mail mailx mutt neomutt s-nail alpine pine aerc",
    { read: "f q i H", config: "F n", command: "e S", when: /(?:^|\s)-[fqiHF]/ },
  ],
  ["base64 base32 basenc gbase64", { read: "i input", data: "w wrap o" }],
  ["gzip xz bzip2 zstd lz4 pigz brotli lzop compress", { read: "patch-from filelist files files0 D" }],
  ["zstd", { read: "filelist patch-from D", data: "o M T" }],
  ["exiftool", { read: "@ tagsFromFile", config: "config", words: true }],
  ["mediainfo identify steghide binwalk foremost stegsnow zsteg outguess", { read: "#*" }],
  ["ssh-keygen", { load: "D w", data: "a b C E F f I J j M m N n O P R r S s T t U V W Y Z z" }],
  ["keytool jarsigner", { load: "providerpath providerclass", words: true }],
  ["age rage", { read: "R recipients-file", data: "i identity o output r recipient" }],
  ["source-highlight code2html enca chardet uchardet", { read: "#* i input" }],
];
