import { lookup } from "node:dns/promises";
import { judgeAddresses, judgeUrl } from "hermes-agent/plugin";

/**
 * Whether an address is on this machine or its networks, which a browser elsewhere cannot reach. Decides where it
 * opens, not whether it may.
 * @param mayLookUp Called before a name leaves this machine: a DNS lookup reveals it to the name's server.
 */
export async function isPrivate(
  address: string,
  mayLookUp: () => Promise<boolean>,
  lookUp: (name: string) => Promise<readonly { readonly address: string }[]> = (name) => lookup(name, { all: true }),
): Promise<boolean> {
  const judged = judgeUrl(address);
  if (judged.kind === "blocked") return judged.key === "private address";
  if (judged.address !== undefined) return false;
  if (!(await mayLookUp())) return false;
  const { hostname } = judged.url;
  try {
    const found = judgeAddresses(
      hostname,
      (await lookUp(hostname)).map((one) => one.address),
    );
    return found.kind === "blocked" && found.key === "private address";
  } catch {
    return false; // A name that leads nowhere here is the browser's to tell.
  }
}
