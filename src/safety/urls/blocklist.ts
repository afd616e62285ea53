/**
 * The first rule that names this host: `example.com` means it and all below it, `*.example.com` only what is below. A
 * rule may be pasted as a URL; `www.` in front of one means the whole site.
 */
export function ruleFor(host: string, rules: readonly string[]): string | undefined {
  return rules.find((rule) => {
    const name = plainRule(rule);
    if (name.startsWith("*.")) return host.endsWith(name.slice(1));
    return name !== "" && (host === name || host.endsWith(`.${name}`));
  });
}

/** The rules of a shared list: one a line, `#` starts a comment, a hosts file's address in front is dropped. */
export function rulesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/#.*/, "")
        .trim()
        .replace(/^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+/, ""),
    )
    .filter((line) => line !== "" && !/\s/.test(line));
}

function plainRule(rule: string): string {
  const bare = rule
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .replace(/[/?#:].*$/, "")
    .replace(/^www\./, "")
    .replace(/\.$/, "");
  if (!/[^\x00-\x7f]/.test(bare) || !URL.canParse(`http://${bare.replace(/^\*\./, "")}`)) return bare;
  const ascii = new URL(`http://${bare.replace(/^\*\./, "")}`).hostname;
  return bare.startsWith("*.") ? `*.${ascii}` : ascii;
}
