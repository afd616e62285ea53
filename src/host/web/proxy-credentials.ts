import type { ProxyChoice } from "../../safety/urls/proxy-choice.ts";

export type Proxy = Extract<ProxyChoice, { readonly kind: "proxy" }>;

/** User name and password of a proxy's address; a lone `%` stays one. */
export function credentialsOf({ username, password }: URL): { readonly username: string; readonly password: string } {
  const plain = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  return { username: plain(username), password: plain(password) };
}
