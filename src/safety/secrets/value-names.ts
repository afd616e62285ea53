/**
 * What a name says about its value. `secret`: `db_password`, `API_KEY`. `maybe`: a secret if the value looks like one
 * (`STRIPE_KEY`, `auth`). `header`, `cookie`: an HTTP header. `list`: several (`api_keys`).
 */
export type NameKind = "secret" | "maybe" | "header" | "cookie" | "list" | undefined;

/** By the last word of the name: `password_policy`, `token_count` and `secretName` name something about a secret. */
export function nameKind(name: string): NameKind {
  if (!MAY_NAME_SECRET.test(name) && !PAT_WORD.test(name)) return undefined;
  const lower = name.toLowerCase();
  if (HEADERS.has(lower)) return lower.endsWith("cookie") ? "cookie" : "header";
  if (FOREIGN.test(lower)) return "secret";
  const words = wordsOf(name);
  while (words.length > 1 && isQualifier(words.at(-1)!)) words.pop();
  const last = words.at(-1);
  if (last === undefined || NO_VALUE.has(words[0]!) || words.includes("PUBLIC")) return undefined;
  const before = words.at(-2);
  if (last === "PWD" || last === "OLDPWD") return before === undefined || before === "OLD" ? undefined : "secret";
  if (PASSWORDS.test(last)) return "secret";
  if (last === "PASS") return before === undefined ? "maybe" : "secret";
  if (last.endsWith("TOKEN"))
    return (last === "TOKEN" && NO_TOKEN.has(before ?? "")) || NO_TOKENS.has(last) ? undefined : "secret";
  if (last.endsWith("SECRET")) return "secret";
  if (JOINED_KEYS.test(last)) return "secret";
  if (last === "KEY")
    return before === undefined || NO_KEY.has(before) ? undefined : KEYS.has(before) ? "secret" : "maybe";
  if (last === "AUTHORIZATION") return "header";
  if (last === "AUTH" || last === "PAT" || last === "CREDENTIAL" || last === "CREDENTIALS") return "maybe";
  if (PLURAL.test(last)) return last === "TOKENS" && before !== undefined && !KEYS.has(before) ? undefined : "list";
  return last === "KEYS" && before !== undefined && KEYS.has(before) ? "list" : undefined;
}

/** What each name has for which `nameKind` has an answer. Most keys have nothing of it. */
const MAY_NAME_SECRET = /[^\0-\x7f]|key|token|secret|pass|pwd|cred|auth|cookie|kennwort|senha/i;
/** The word PAT, as `wordsOf` finds it: not the beginning of `path` or `PATTERN`. */
const PAT_WORD = /[Pp]at(?![a-z])|PAT(?![A-Z](?![a-z]))/;

/** Whether a name is one of a password, which people also make of ordinary words. */
export const namesPassword = (name: string): boolean =>
  /pass|pwd|kennwort|senha|contrase|парол|密码|密碼|パスワード/i.test(name);

/** Whether an identifier is named after a secret: `newPassword2`, `api_token`. */
export const isNamedAfterSecret = (identifier: string): boolean =>
  identifier.replace(/\D/g, "").length <= (identifier.includes("_") ? 4 : 2) &&
  wordsOf(identifier).some((word) => SECRET_WORD.test(word.replace(/\d{1,2}$/, "")));

const SECRET_WORD = /^(?:PASS|PWD|KEYS?|APIKEY|CREDS?|CREDENTIALS?|AUTH)$|(?:PASSWORD|PASSWD|TOKEN|SECRET)S?$/;

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toUpperCase()
    .split(/[_\-.$]+/)
    .filter((word) => word !== "");
}

const isQualifier = (word: string): boolean => QUALIFIERS.has(word) || /^V?\d+$/.test(word);

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const HEADERS = set(
  `authorization proxy-authorization x-api-key api-key x-auth-token x-goog-api-key x-access-token x-amz-security-token
   x-subscription-token private-token x-vault-token cookie set-cookie x-auth-key x-auth x-token x-functions-key
   ocp-apim-subscription-key x-csrf-token x-xsrf-token x-gitlab-token x-figma-token x-shopify-access-token dd-api-key
   x-rapidapi-key x-secret x-webhook-secret`,
);
const FOREIGN = /^(?:密码|密碼|密钥|口令|パスワード|пароль|contraseña|비밀번호)$/;
/** After the word that counts: `API_KEY_PROD`, `password2`, `SecretString`. */
const QUALIFIERS = set(
  `VALUE PROD PRODUCTION DEV DEVELOPMENT STAGING STAGE TEST TESTING LIVE SANDBOX OLD NEW PREVIOUS CURRENT PRIMARY
   SECONDARY MAIN BACKUP BASE64 B64 HEX PLAIN PLAINTEXT RAW STRING STR DEFAULT LOCAL CI CD US EU A B CONFIRM
   CONFIRMATION BASE`,
);
/** Before everything: a question about a secret, or an order to do something with it. */
const NO_VALUE = set(
  "IS HAS USE USES SHOW HIDE NO NEEDS NEED REQUIRE REQUIRES REQUIRED ENABLE DISABLE ALLOW WITH MAX MIN NUM",
);
const PASSWORDS = /(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PASSWORT|KENNWORT|SENHA|[A-Z]PWD)$/;
const NO_TOKEN = set(
  `NEXT PAGE CONTINUATION CONTINUE EOS BOS PAD UNK MASK SEP CLS STOP START END SYNC CANCELLATION CANCEL DESIGN LAST
   FIRST CURRENT PREV PREVIOUS PER SPECIAL THIS EACH RESUME PAGINATION SKIP SYNTAX LEX TYPE IMAGE AUDIO TEXT VIDEO
   COMMENT STRING NUMBER`,
);
const NO_TOKENS = set("NEXTTOKEN PAGETOKEN NEXTPAGETOKEN EOSTOKEN BOSTOKEN PADTOKEN");
const JOINED_KEYS = /^(?:[A-Z]*(?:API|ACCESS|SECRET|PRIVATE|AUTH|MASTER|ENCRYPTION)KEY)$/;
const KEYS = set(
  `API ACCESS SECRET PRIVATE AUTH ENCRYPTION ENCRYPT CRYPT SIGNING SIGNATURE SIGN MASTER SHARED SERVICE ACCOUNT STORAGE
   ADMIN LICENSE CLIENT CONSUMER WEBHOOK INTEGRATION SUBSCRIPTION DEPLOY HMAC JWT AES SESSION COOKIE BOT APP ROLE ROOT
   STREAM SECURITY RECOVERY`,
);
const NO_KEY = set(
  `PRIMARY FOREIGN SORT PARTITION CACHE PUBLIC UNIQUE INDEX PRODUCT ROUTING TRANSLATION HOT OBJECT S3 ROW GROUP ITEM MAP
   CONFIG LOOKUP STORE DICT JSON YAML I18N QUERY REACT RESOURCE REGISTRY IDEMPOTENCY SEARCH DATA KNOWN TMP HASH RANGE
   ISSUE PROJECT BLOB FILE DISTRIBUTION SHARD ORDER REF LABEL MESSAGE EVENT STATE FOR BY ON OF TO MODIFIER SHORTCUT
   ARROW ENTER ESCAPE EMAIL USER DEFAULT SETTING SETTINGS PROPERTY OPTION METADATA TAG ENTRY COLUMN FIELD SECTION MENU
   COMPOSITE NATURAL SURROGATE CANDIDATE DEDUPE DEDUPLICATION CACHED LOCK MUTEX REDIS CACHE`,
);
const PLURAL = /^(?:[A-Z]*PASSWORDS|SECRETS|[A-Z]*APIKEYS|TOKENS)$/;
