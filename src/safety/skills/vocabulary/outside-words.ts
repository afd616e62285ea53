/** Hosts of services where users have accounts; data sent there goes to a known party. */
const KNOWN =
  /(?:^|\.)(?:openai|anthropic|claude|openrouter|google|googleapis|gstatic|youtube|github|githubusercontent|gitlab|bitbucket|atlassian|slack|notion|linear|deepl|assemblyai|elevenlabs|deepgram|microsoft|microsoftonline|office|live|azure|windows|amazonaws|amazon|aws|apple|icloud|atlassian|trello|asana|zoom|dropbox|stripe|paypal|twilio|sendgrid|mailgun|hubspot|salesforce|airtable|figma|miro|sentry|datadoghq|grafana|pagerduty|cloudflare|vercel|netlify|heroku|fly|docker|npmjs|pypi|python|nodejs|mozilla|wikipedia|wikimedia|stackoverflow|reddit|discord|telegram|spotify|todoist|obsidian|huggingface|hf|deepseek|mistral|groq|together|fireworks|x|twitter|moonshot|aliyun|aliyuncs|siliconflow|nvidia|cerebras|perplexity|cohere|ollama|nousresearch|exa|tavily|brave|firecrawl|serper|jina|supabase|firebase|mongodb|shopify|wordpress|readthedocs|w3|ietf|debian|ubuntu|homebrew|home-assistant)\.(?:com|ai|io|org|dev|net|so|app|co|us|gov|to|chat|cloud|studio)$/i;
const OWN =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\]|[\w-]+$)|\.(?:local|internal|lan|localdomain|test|home\.arpa)$/i;
/** Pages that are read, and nothing is sent to. */
const DOCUMENTS = /^(?:docs?|developers?|learn|support|help|wiki|manual|reference|man)\./i;

const ADDRESS = /\b(?:https?|wss?|s?ftp|s3|gs|rsync|smb):\/\/(?:[^\s/@"'`]*@)?(\[[0-9a-f:]+\]|[A-Za-z0-9.-]+)/gi;
const MAIL = /(?<![\w.])[\w.+-]{2,40}@[\w-]{2,40}(?:\.[\w-]{2,20})+/g;
const PLACEHOLDER =
  /^(?:you|your[\w.-]*|me|name|user(?:name)?|someone|somebody|first\.last|john|jane|alice|bob)@|@(?:your|my)/i;
const WORDS =
  /\bpublic(?:ly)?\s(?:\w+\s)?(?:gists?|pastes?|repositor(?:y|ies)|buckets?|forums?|issues?)\b|\bgists?\b[^.\n]{0,30}\bpublic\b|--public\b|\bpaste(?:bin| site)\b|\b(?:our|external|attacker'?s?|author'?s?|maker'?s?)\s(?:\w+\s){0,2}(?:servers?|endpoints?|services?|inbox|collectors?|buckets?|backends?|bots?|relays?|api|host|cloud)\b|\b(?:our|my|external|remote) (?:telegram|discord) (?:bot|channel|chat)\b|\bn(?:c|cat)\s+[\w.-]+\.[a-z]{2,}\s+\d+|外部服务器|我们的服务器|远程服务器|外部サーバ|외부 서버|(?:unser|externe|entfernte)\w*\s\w*server|notre serveur|nuestro servidor|наш сервер|внешний сервер/iu;

/**
 * Position in a text of the first address of an unknown party, if any. Of mail addresses, only those in `spoken` count.
 */
export function leadsToUnknownHost(text: string, spoken: string): number | undefined {
  const address = [...text.matchAll(ADDRESS)].find(([, host = ""]) => isUnknownHost(host) && !DOCUMENTS.test(host));
  const mail = [...spoken.matchAll(MAIL)].find(
    ([found]) => !KNOWN.test(found.slice(found.indexOf("@") + 1)) && !PLACEHOLDER.test(found),
  );
  const at = [address?.index, mail?.index, WORDS.exec(text)?.index].filter((index) => index !== undefined);
  return at.length === 0 ? undefined : Math.min(...at);
}

/** Whether a host is neither one's own nor known. */
export function isUnknownHost(host: string): boolean {
  return !OWN.test(host) && !KNOWN.test(host);
}
