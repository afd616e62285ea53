import { judgeAddresses, judgeUrl, type UrlBlocked, type UrlPolicy } from "./judge-url.ts";

/** More hops than this lead in a circle. */
export const MAX_REDIRECTS = 10;

export type Hop =
  | UrlBlocked
  | {
      readonly kind: "allowed";
      readonly url: URL;
      /** The address to connect to; absent if no name was resolved. */ readonly pinned: string | undefined;
    };

/**
 * One step of a request: the address that was asked for, or what a redirect names. The name is looked up once and the
 * answer is what is dialled, so an answer that changes afterwards changes nothing.
 * @param lookup All addresses of a name. One that throws or finds nothing refuses the hop.
 */
export async function judgeHop(
  text: string,
  policy: UrlPolicy,
  lookup: ((host: string) => readonly string[] | Promise<readonly string[]>) | undefined,
  from?: URL,
): Promise<Hop> {
  const judged = judgeUrl(text, policy, from);
  if (judged.kind === "blocked") return judged;
  const { url, address } = judged;
  if (address !== undefined || lookup === undefined) return { kind: "allowed", url, pinned: address };
  const host = url.hostname.replace(/\.$/, "");
  let addresses: readonly string[];
  try {
    addresses = await lookup(host);
  } catch (cause) {
    return {
      kind: "blocked",
      key: "unresolved",
      reason: `Cannot resolve the name ${host} (${(cause as NodeJS.ErrnoException).code ?? "no answer"}).`,
    };
  }
  const dialled = judgeAddresses(host, addresses, policy);
  return dialled.kind === "blocked" ? dialled : { kind: "allowed", url, pinned: dialled.pinned };
}
