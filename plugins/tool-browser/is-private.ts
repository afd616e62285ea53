import { lookup } from "node:dns/promises";
import { judgeAddresses, judgeUrl } from "hermes-agent/plugin";

/** Whether an address lies on this machine or its networks, which a browser elsewhere cannot reach. Decides where it is opened, and not whether it may be. */
export async function isPrivate(address: string): Promise<boolean> {
  const judged = judgeUrl(address);
  if (judged.kind === "blocked") return judged.key === "private address";
  if (judged.address !== undefined) return false;
  const { hostname } = judged.url;
  try {
    const found = judgeAddresses(hostname, (await lookup(hostname, { all: true })).map((one) => one.address));
    return found.kind === "blocked" && found.key === "private address";
  } catch {
    return false; // A name that leads nowhere here is the browser's to tell.
  }
}
