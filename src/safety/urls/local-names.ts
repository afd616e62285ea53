import { judgeAddress, type AddressClass } from "./judge-address.ts";

export type NameClass = { readonly class: Exclude<AddressClass, "public">; readonly name: string };

/** Classifies a host name before it is resolved. `host` is lower case, in ASCII, without a final dot. */
export function judgeName(host: string): NameClass | undefined {
  if (METADATA.has(host) || METADATA_LABEL.test(host)) return { class: "metadata", name: "a cloud's metadata service" };
  const last = host.slice(host.lastIndexOf(".") + 1);
  if (host === "localhost" || last === "localhost" || LOOPBACK.has(host))
    return { class: "loopback", name: "a name of this machine" };
  if (!host.includes("."))
    return { class: "private", name: "a name without a dot, which only the local network knows" };
  if (LOCAL_ENDINGS.some((ending) => host === ending || host.endsWith(`.${ending}`)))
    return { class: "private", name: "a name of the local network" };
  if (REBINDING.some((ending) => host === ending || host.endsWith(`.${ending}`)))
    return { class: "unusable", name: "a DNS rebinding service" };
  if (TO_LOOPBACK.some((ending) => host === ending || host.endsWith(`.${ending}`)))
    return { class: "loopback", name: "a public name of this machine" };
  const spelled = EMBEDDING.find((ending) => host.endsWith(`.${ending}`));
  return spelled === undefined ? undefined : embeddedAddress(host.slice(0, -spelled.length - 1));
}

const METADATA = new Set([
  "metadata.google.internal",
  "metadata.goog",
  "metadata",
  "metadata.internal",
  "metadata.azure.internal",
  "metadata.azure.com",
  "instance-data",
  "instance-data.ec2.internal",
  "metadata.tencentyun.com",
  "metadata.oraclecloud.com",
  "metadata.platformequinix.com",
  "metadata.packet.net",
  "rancher-metadata",
  "metadata.service.consul",
  "kubernetes.default.svc",
]);
/** `metadata` as the first label of a name that only a cloud's own network answers. */
const METADATA_LABEL = /^(?:www\.)?(?:metadata|instance-data)\.[a-z0-9.-]*(?:internal|local|cloud)$/;
const LOOPBACK = new Set([
  "localhost.localdomain",
  "localhost6",
  "localhost4",
  "ip6-localhost",
  "ip6-loopback",
  "broadcasthost",
  "loopback",
]);
/** Endings that never lead out: reserved, refused by ICANN, or usual in private networks. */
const LOCAL_ENDINGS = [
  "local",
  "internal",
  "intranet",
  "lan",
  "home",
  "arpa",
  "corp",
  "mail",
  "private",
  "localdomain",
  "domain",
  "workgroup",
  "svc",
  "consul",
  "onion",
  "alt",
  "invalid",
  "fritz.box",
  "router.asus.com",
  "tplinkwifi.net",
  "routerlogin.net",
];
/** Public names that always mean this machine. */
const TO_LOOPBACK = [
  "localtest.me",
  "lvh.me",
  "vcap.me",
  "lacolhost.com",
  "localho.st",
  "fuf.me",
  "smackaho.st",
  "localhost.direct",
  "local.gd",
];
/** Public names that spell out the address they lead to. */
const EMBEDDING = ["nip.io", "sslip.io", "xip.io", "traefik.me", "backname.io", "ip.addr.tools"];
const REBINDING = ["rbndr.us", "1u.ms", "rebind.it", "rebind.network", "rebinder.net", "lock.cmpxchg8b.com"];

/** `10.0.0.1.nip.io`, `app-10-0-0-1.sslip.io`, `7f000001.nip.io`, `--1.sslip.io`. */
function embeddedAddress(prefix: string): NameClass | undefined {
  const found: string[] = [];
  for (const match of prefix.matchAll(/(?<![\d])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?![\d])/g))
    found.push(match.slice(1, 5).map(Number).join("."));
  const last = prefix.slice(prefix.lastIndexOf(".") + 1);
  const hex = /(?:^|-)([0-9a-f]{8})$/.exec(last);
  if (hex)
    found.push(
      hex[1]!
        .match(/../g)!
        .map((byte) => Number.parseInt(byte, 16))
        .join("."),
    );
  if (last.includes("--")) found.push(last.replaceAll("-", ":"));
  for (const address of found) {
    const judged = judgeAddress(address);
    if (judged.class !== "public" && judged.name !== "no address")
      return { class: judged.class, name: `a name that resolves to ${address} (${judged.name})` };
  }
  return undefined;
}
