/** The text with no name and no password in the addresses it holds; that of `ssh` keeps its name, which is no secret and belongs to the address. */
export function withoutLogin(text: string): string {
  return text.replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*)@/gi, (_, scheme: string, login: string) => (scheme.toLowerCase() === "ssh://" ? `${scheme}${login.split(":", 1)[0]!}@` : scheme));
}
