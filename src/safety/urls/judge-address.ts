import { readAddress, spellAddress, type Address } from "./read-address.ts";

/**
 * - `public`: may be contacted.
 * - `private`, `loopback`: this machine and its network; contacted only if the user allows private addresses.
 * - `metadata`, `unusable`: never contacted. The first gives out credentials of a cloud machine, the second is no
 * host's address.
 */
export type AddressClass = "public" | "private" | "loopback" | "metadata" | "unusable";

export interface AddressJudgement {
  readonly class: AddressClass;
  /** The name of the range. */
  readonly name: string;
  /** The address to connect to: IPv4 wrapped in IPv6 is unwrapped. */
  readonly address: string;
}

/**
 * Classifies an address, unwrapped from every layout that carries IPv4 inside IPv6. A text that is no address is
 * `unusable`.
 */
export function judgeAddress(text: string): AddressJudgement {
  const address = readAddress(text);
  if (address === undefined) return { class: "unusable", name: "no address", address: text };
  const spelled = spellAddress(address);
  if (address.family === 4) return { ...classOf4(address.parts), address: spelled };
  const inside = embedded(address);
  const row = V6().find(({ prefix, bits }) => startsWith(address.parts, prefix, bits, 16));
  if (inside === undefined)
    return row === undefined
      ? { ...ordinary6(address.parts), address: spelled }
      : { class: row.class, name: row.name, address: spelled };
  const unwrapped = spellAddress({ family: 4, parts: inside.bytes });
  const judged = classOf4(inside.bytes);
  const name = `${judged.name} ${unwrapped} inside ${inside.layout}`;
  // The wrapped address decides first: metadata behind NAT64 is metadata.
  if (judged.class !== "public") return { class: judged.class, name, address: spelled };
  if (!inside.routed) return { class: "unusable", name: inside.layout, address: spelled };
  return { class: "public", name, address: inside.layout === MAPPED ? unwrapped : spelled };
}

interface Range {
  readonly prefix: readonly number[];
  readonly bits: number;
  readonly class: Exclude<AddressClass, "public">;
  readonly name: string;
}

const v4 = (cidr: string, kind: Range["class"], name: string): Range => {
  const [address = "", bits] = cidr.split("/");
  return { prefix: readAddress(address)!.parts, bits: Number(bits), class: kind, name };
};

/** Read when first asked: a start asks nothing. */
function lazily(table: () => readonly Range[]): () => readonly Range[] {
  let made: readonly Range[] | undefined;
  return () => (made ??= table());
}

/** IANA's special-purpose registry and what clouds answer at. The first row that fits decides. */
const V4 = lazily(() => [
  v4("169.254.0.0/16", "metadata", "link-local, where clouds serve metadata"),
  v4("168.63.129.16/32", "metadata", "Azure's metadata"),
  v4("100.100.100.200/32", "metadata", "Alibaba's metadata"),
  v4("192.0.0.192/32", "metadata", "Oracle's metadata"),
  v4("0.0.0.0/8", "unusable", "this network"),
  v4("10.0.0.0/8", "private", "private network"),
  v4("100.64.0.0/10", "private", "carrier-grade NAT"),
  v4("127.0.0.0/8", "loopback", "loopback"),
  v4("172.16.0.0/12", "private", "private network"),
  v4("192.0.0.0/24", "unusable", "protocol assignments"),
  v4("192.0.2.0/24", "unusable", "documentation"),
  v4("192.88.99.0/24", "unusable", "6to4 relay"),
  v4("192.168.0.0/16", "private", "private network"),
  v4("198.18.0.0/15", "unusable", "benchmarking"),
  v4("198.51.100.0/24", "unusable", "documentation"),
  v4("203.0.113.0/24", "unusable", "documentation"),
  v4("224.0.0.0/4", "unusable", "multicast"),
  v4("240.0.0.0/4", "unusable", "reserved"),
]);

const V6 = lazily(() => [
  v4("fd00:ec2::254/128", "metadata", "Amazon's metadata"),
  v4("fd00:ec2::/32", "metadata", "Amazon's instance services"),
  v4("fd20:ce::254/128", "metadata", "Google's metadata"),
  v4("fd00:42::42/128", "metadata", "Scaleway's metadata"),
  v4("fe80::a9fe:a9fe/128", "metadata", "link-local metadata"),
  v4("::1/128", "loopback", "loopback"),
  v4("::/128", "unusable", "unspecified"),
  v4("fc00::/7", "private", "unique local"),
  v4("fe80::/10", "unusable", "link-local"),
  v4("fec0::/10", "unusable", "site-local"),
  v4("ff00::/8", "unusable", "multicast"),
  v4("2001::/23", "unusable", "protocol assignments"),
  v4("2001:db8::/32", "unusable", "documentation"),
  v4("3fff::/20", "unusable", "documentation"),
]);

function classOf4(bytes: readonly number[]): { readonly class: AddressClass; readonly name: string } {
  const row = V4().find(({ prefix, bits }) => startsWith(bytes, prefix, bits, 8));
  return row === undefined ? { class: "public", name: "public" } : { class: row.class, name: row.name };
}

/** Of all the rest only 2000::/3 is given out. */
function ordinary6(groups: readonly number[]): { readonly class: AddressClass; readonly name: string } {
  return groups[0]! >> 13 === 1
    ? { class: "public", name: "public" }
    : { class: "unusable", name: "outside global unicast" };
}

function startsWith(parts: readonly number[], prefix: readonly number[], bits: number, width: 8 | 16): boolean {
  for (let at = 0, left = bits; left > 0; at++, left -= width) {
    const shift = Math.max(0, width - left);
    if (parts[at]! >> shift !== prefix[at]! >> shift) return false;
  }
  return true;
}

const MAPPED = "an IPv4-mapped address";

interface Embedded {
  readonly layout: string;
  readonly bytes: readonly number[];
  /** A public address in this layout is one that networks do carry. */
  readonly routed: boolean;
}

/** IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
function embedded({ parts }: Address): Embedded | undefined {
  const at = (index: number, flip = 0): readonly number[] =>
    [parts[index]!, parts[index + 1]!].flatMap((group) => [(group ^ flip) >> 8, (group ^ flip) & 255]);
  const zeros = (to: number): boolean => parts.slice(0, to).every((group) => group === 0);
  if (zeros(5) && parts[5] === 0xffff) return { layout: MAPPED, bytes: at(6), routed: true };
  if (zeros(6) && (parts[6] !== 0 || parts[7]! > 1))
    return { layout: "an IPv4-compatible address", bytes: at(6), routed: false };
  if (zeros(4) && parts[4] === 0xffff && parts[5] === 0)
    return { layout: "an IPv4-translated address", bytes: at(6), routed: false };
  if (parts[0] === 0x64 && parts[1] === 0xff9b)
    return parts.slice(2, 6).every((group) => group === 0)
      ? { layout: "NAT64", bytes: at(6), routed: true }
      : { layout: "local NAT64", bytes: at(6), routed: false };
  if (parts[0] === 0x2002) return { layout: "6to4", bytes: at(1), routed: false };
  if (parts[0] === 0x2001 && parts[1] === 0) return { layout: "Teredo", bytes: at(6, 0xffff), routed: false };
  if ((parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe)
    return { layout: "ISATAP", bytes: at(6), routed: false };
  return undefined;
}
