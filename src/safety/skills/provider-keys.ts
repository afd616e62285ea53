/** Keys that everybody has in their environment, and the hosts that may be sent them. */
const PROVIDER_KEYS: readonly (readonly [name: RegExp, hosts: readonly string[]])[] = [
  [/^OPENAI_|^AZURE_OPENAI_/, ["openai", "azure", "openrouter", "litellm"]],
  [/^ANTHROPIC_|^CLAUDE_/, ["anthropic", "claude", "amazonaws", "googleapis", "openrouter"]],
  [/^OPENROUTER_/, ["openrouter"]],
  [/^(GEMINI|GOOGLE)_/, ["google"]],
  [/^(AWS|S3)_/, ["amazonaws", "aws"]],
  [/^(GITHUB|GH)_/, ["github"]],
  [/^GITLAB_/, ["gitlab"]],
  [/^STRIPE_/, ["stripe"]],
  [/^SLACK_/, ["slack"]],
  [/^(HF|HUGGINGFACE|HUGGING_FACE)_/, ["huggingface", "hf.co"]],
  [/^NPM_/, ["npmjs", "npm", "github"]],
  [/^(BINANCE|COINBASE|KRAKEN|BYBIT|OKX)_/, ["binance", "coinbase", "kraken", "bybit", "okx"]],
  [/^TELEGRAM_/, ["telegram"]],
  [/^DISCORD_/, ["discord"]],
];

const NAME =
  /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:API_)?(?:KEY|TOKEN|SECRET|PASSWORD|SECRET_KEY|SECRET_ACCESS_KEY|ACCESS_KEY_ID))\b/g;
const HOST = /\b(?:https?|wss?):\/\/(?:[^\s/@"'`]*@)?([A-Za-z0-9.-]+)/g;

/**
 * Well-known keys in a piece of code none of whose hosts may be sent them. By line where a line holds both, else by the
 * piece.
 */
export function keysOnWrongWay(text: string): readonly { readonly name: string; readonly host: string }[] {
  const found = new Map<string, string>();
  const look = (part: string): void => {
    const hosts = [...part.matchAll(HOST)].map(([, host = ""]) => host.toLowerCase()).filter((host) => !isOwn(host));
    if (hosts.length === 0) return;
    for (const [, name = ""] of part.matchAll(NAME)) {
      const provider = PROVIDER_KEYS.find(([pattern]) => pattern.test(name));
      if (provider !== undefined && !hosts.some((host) => provider[1].some((word) => host.includes(word))))
        found.set(name, hosts[0]!);
    }
  };
  for (const line of text.split("\n")) look(line);
  if (/\b(post|put|fetch|urlopen|request|curl|wget|send|axios|httpx)\b/i.test(text)) look(text);
  return [...found].map(([name, host]) => ({ name, host }));
}

function isOwn(host: string): boolean {
  return (
    host === "localhost" || /^(127|10|192\.168)\./.test(host) || host.endsWith(".local") || host.endsWith(".internal")
  );
}
