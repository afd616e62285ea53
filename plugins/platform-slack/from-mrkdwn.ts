/** Mentions of users in a text of Slack. */
export function usersIn(text: string): readonly string[] {
  return [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g)].map(([, id]) => id!);
}

/**
 * Slack's text as the user sees it: without its escapes, with mentions and links in words.
 * @param names Display names of users, by id.
 */
export function fromMrkdwn(text: string, names: ReadonlyMap<string, string> = new Map()): string {
  return text
    .replaceAll(/<([^<>\n]+)>/g, (_, inner: string) => {
      const [target = "", label = ""] = inner.split(/\|([^]*)/);
      if (/^@[A-Z0-9]+$/.test(target)) return `@${names.get(target.slice(1)) ?? (label || target.slice(1))}`;
      if (target.startsWith("#")) return label === "" ? target : `#${label}`;
      if (target.startsWith("!")) return label || `@${target.slice(1).split("^")[0]}`;
      const bare = target.replace(/^(?:mailto:|https?:\/\/)/, "").replace(/\/$/, "");
      if (label === "" || label === target || label === bare) return target.startsWith("mailto:") ? bare : target;
      return `${label} (${target})`;
    })
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
