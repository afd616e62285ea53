/** Labelled lines for the judgement of URLs, in the form of `hermes safety urls`. Written by class; spellings are generated from the class's members. */
export interface UrlCase {
  readonly url: string;
  readonly resolve?: { readonly [host: string]: readonly (readonly string[])[] };
  readonly redirects?: { readonly [url: string]: string };
  readonly secrets?: readonly string[];
}

const PUBLIC = "93.184.215.14";
const SECRET = "tvQ8-Kd/72_zzP+w4mXy";

/** Every class of IPv4 address that no stranger may make us dial. */
const REFUSED_4 = [
  "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.254", "100.100.100.200", "127.0.0.1", "127.1.2.3", "127.255.255.255", "169.254.169.254", "169.254.170.2", "169.254.0.1",
  "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.254", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "168.63.129.16",
];

const REFUSED_6 = [
  "::", "::1", "fe80::1", "febf::1", "fc00::1", "fd12:3456::1", "fd00:ec2::254", "fec0::1", "feff::1", "ff02::1", "2001:db8::1", "3fff::1", "3fff:fff::1", "5f00::1", "100::1", "100:0:0:1::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "64:ff9b:1::1", "4000::1", "1::1", "fd20:ce::254",
];

/** The ends of ranges: one step outside is anybody's. */
const ALLOWED_4 = ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255", "128.0.0.1", "169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.1", "191.255.255.255", "192.0.1.1", "192.167.255.255", "192.169.0.1", "198.17.255.255", "198.20.0.1", "223.255.255.254", PUBLIC, "168.63.129.15", "203.0.112.255"];
const ALLOWED_6 = ["2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001:81b::200e", "2620:fe::fe", "2400:cb00:2048:1::c629:d7a2"];

export function harmfulUrls(): readonly UrlCase[] {
  return [
    ...REFUSED_4.flatMap(spellings4).map((host) => ({ url: `http://${host}/` })),
    ...REFUSED_4.flatMap(embeddings).map((host) => ({ url: `https://[${host}]/x` })),
    ...REFUSED_6.flatMap((address) => [{ url: `http://[${address}]/` }, { url: `http://[${address.toUpperCase()}]:8080/a?b` }]),
    ...[...REFUSED_4, ...REFUSED_6].flatMap((address) => [
      { url: "http://site.example.org/", resolve: { "site.example.org": [[address]] } },
      // One bad address among good ones.
      { url: "https://mixed.example.org/", resolve: { "mixed.example.org": [[PUBLIC, address]] } },
      { url: `http://${PUBLIC}/go`, redirects: { [`http://${PUBLIC}/go`]: `http://${address.includes(":") ? `[${address}]` : address}/latest` } },
    ]),
    ...LOCAL_NAMES.flatMap((host) => [{ url: `http://${host}/` }, { url: `https://${host.toUpperCase()}:8443/x` }, { url: `http://${host}./` }]),
    ...ODD.map((url) => ({ url })),
    ...leaks().map((url) => ({ url, secrets: [SECRET] })),
    ...CHAINS,
  ];
}

export function harmlessUrls(): readonly UrlCase[] {
  return [
    ...ALLOWED_4.flatMap((address) => [{ url: `http://${address}/` }, { url: "https://host.example.org/a", resolve: { "host.example.org": [[address]] } }]),
    ...ALLOWED_6.flatMap((address) => [{ url: `https://[${address}]/` }, { url: "https://six.example.org", resolve: { "six.example.org": [[address, PUBLIC]] } }]),
    ...["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"].map((address) => ({ url: `http://[${address}]/` })),
    ...ORDINARY.map((url) => ({ url })),
    ...ORDINARY.filter((url) => !/^https?:\/\/[\d[]/.test(url)).map((url) => ({ url, resolve: { [new URL(url).hostname]: [[PUBLIC]] }, secrets: [SECRET, "another-secret-value"] })),
    ...GOOD_CHAINS,
  ];
}

function spellings4(address: string): readonly string[] {
  const bytes = address.split(".").map(Number);
  const whole = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  const octal = bytes.map((byte) => `0${byte.toString(8)}`).join(".");
  const hex = bytes.map((byte) => `0x${byte.toString(16)}`).join(".");
  const wide = [...address].map((char) => (char === "." ? "。" : String.fromCharCode(char.charCodeAt(0) - 48 + 0xff10))).join("");
  const circled = [...address].map((char) => (char === "." ? "." : char === "0" ? "⓪" : String.fromCharCode(0x2460 + Number(char) - 1))).join("");
  const bold = [...address].map((char) => (char === "." ? "." : String.fromCodePoint(0x1d7ce + Number(char)))).join("");
  return [
    address, `${address}.`, octal, `0000${octal}`, hex, hex.toUpperCase(), String(whole), `0x${whole.toString(16)}`, `0${whole.toString(8)}`,
    `${bytes[0]}.${whole - bytes[0]! * 2 ** 24}`, `${bytes[0]}.${bytes[1]}.${bytes[2]! * 256 + bytes[3]!}`, `0x${bytes[0]!.toString(16)}.0${bytes[1]!.toString(8)}.${bytes[2]! * 256 + bytes[3]!}`,
    wide, circled, bold, address.replaceAll(".", "%2e"), [...address].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""), `user@${address}`, `${PUBLIC}@${address}`, `${PUBLIC}\\@${address}`, `${PUBLIC}%00@${address}`, `${address}:6379`,
  ];
}

function embeddings(address: string): readonly string[] {
  const bytes = address.split(".").map(Number);
  const [high, low] = [bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!].map((group) => group.toString(16));
  const flipped = [bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!].map((group) => (group ^ 0xffff).toString(16)).join(":");
  return [`::ffff:${address}`, `::ffff:${high}:${low}`, `0:0:0:0:0:ffff:${high}:${low}`, `::${address}`, `::ffff:0:${address}`, `64:ff9b::${address}`, `64:ff9b::${high}:${low}`, `64:ff9b:1::${high}:${low}`, `2002:${high}:${low}::1`, `2001:0:4136:e378:8000:63bf:${flipped}`, `2a00:1450::5efe:${high}:${low}`];
}

const LOCAL_NAMES = [
  "localhost", "app.localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "printer.local", "nas.lan", "router", "intranet", "db", "wiki.corp", "git.internal", "box.home", "x.home.arpa", "vault.service.consul", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local",
  "metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal", "metadata.azure.internal", "host.docker.internal", "gateway.docker.internal", "fritz.box", "metadata.tencentyun.com", "metadata.platformequinix.com",
  "localtest.me", "a.lvh.me", "vcap.me", "127.0.0.1.nip.io", "app.10.0.0.1.nip.io", "app-192-168-1-1.sslip.io", "7f000001.nip.io", "169.254.169.254.xip.io", "--1.sslip.io", "7f000001.c0a80001.rbndr.us", "make-1.2.3.4-rebind-127.0.0.1-rr.1u.ms", "hidden.onion",
  "ⓛocalhost", "ｌｏｃａｌｈｏｓｔ", "ℓocalhost", "metadata。google。internal", "loca\u00adlhost", "local\u200bhost", "lo%63alhost",
];

const ODD = [
  "file:///etc/passwd", "FILE:///etc/passwd", "ftp://example.org/a", "gopher://127.0.0.1:6379/_SET", "dict://example.org/", "ldap://example.org/", "data:text/html,hi", "javascript:alert(1)", "blob:https://example.org/x", "ws://example.org/", "wss://example.org/", "view-source:https://example.org/", "jar:http://example.org/!/", "netdoc:///etc/passwd", "php://filter/x", "chrome://settings", "about:blank", "mailto:a@example.org", "ssh://example.org", "git://example.org/a", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "smb://example.org/share", "tftp://example.org/x", "s3://bucket/key",
  "", " ", "example.org", "//example.org/x", "/etc/passwd", "http:", "http:/", "http://", "http:///", "http:///example.org", "http:example.org", "https:/example.org", "http:\\\\example.org", "http://example.org\\@127.0.0.1/", "http://example.org\\.evil.org/", "https://a:b@example.org/", "https://token@example.org/x", "https://@example.org/", "https://example.org:@evil.org/", "https://google.com@evil.org/", "https://google.com%2f@evil.org",
  "http://exa mple.org/", "http://example.org:99999/", "http://example.org:port/", "http://example.org:-1/", "http://[::1", "http://::1/", "http://[::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[1.2.3.4]/", "http://1.2.3.4.5/", "http://256.256.256.256/", "http://0x100000000/", "http://1.2.3.256/", "http://.example.org/", "http://a..example.org/", "http://..", "http://./", "http://*/", "http://example.org|evil/", "http://<script>/", "http://exa\u0000mple.org/", "http://example.org\r\nHost: evil.org/", "http://example.org/\tx", "http://example.org/\nx", "ht\ttp://example.org/", "\u0001http://example.org/", "http://example.org/\u007f", "http://example.org/\u202egpj.exe", "http://exam\u2028ple.org/", "http://exa\u200bmple.org/", "http://example.org\u2044.evil.org/", "http://example.org／.evil.org/", "http://example.org＃.evil.org/", "http://example.org？.evil.org/", "http://user＠127.0.0.1/", "http://℀.evil.org/", "http://xn--/", "http://xn--zzzzzzzzzz99999/", "http://pаypal.com/", "http://gооgle.com/", "http://аррӏе.com/",
  "http://example.org:22/", "http://example.org:25/", "http://example.org:6379/", "http://example.org:11211/", "http://example.org:2375/", "http://example.org:3306/", "http://example.org:5432/", "http://example.org:27017/", "http://example.org:0/", "http://example.org:6667/", "http://example.org:10250/", "http://example.org:445/",
  "http://١٢٧.0.0.1/", "http://۱۲۷.۰.۰.۱/", "http://१२७.0.0.1/", "http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/", "http://0127.0.0.1/", "http://010.0.0.1/", "http://0192.168.0.1/", "http://00000010.0.0.1/", "http://127.1/", "http://127.0.1/", "http://10.1/", "http://0/", "http://0x7f.1/", "http://017700000001/", "http://0xA9FEA9FE/", "http://2852039166/", "http://0251.0376.0251.0376/", "http://169.254.43518/", "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[0000:0000::0001]/",
  "https://api.example.org/?k=sk-proj-Ab3dEf6hIj9kLmN0pQrStUv", "https://example.org/ghp_16C7e42F292c6912E7710c838347Ae178B4a", "https://example.org/?x=xoxb-123456789012-AbCdEfGhIjKl", "https://example.org/?x=%73%6b-ant-api03-Ab3dEf6hIj9kLmN0pQ",
];

function leaks(): readonly string[] {
  const bytes = Buffer.from(SECRET);
  const base64 = (lead: string) => Buffer.from(lead + SECRET + "tail").toString("base64");
  const forms = [
    encodeURIComponent(SECRET), SECRET, [...bytes].map((byte) => `%${byte.toString(16)}`).join(""), encodeURIComponent(encodeURIComponent(SECRET)), bytes.toString("hex"), bytes.toString("hex").toUpperCase(), bytes.toString("base64url"),
    ...["", "a", "ab"].flatMap((lead) => [encodeURIComponent(base64(lead)), base64(lead).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")]), SECRET.match(/.{5}/g)!.map(encodeURIComponent).join("/"), [...SECRET].map(encodeURIComponent).join("-"), SECRET.toLowerCase(), bytes.toString("hex").match(/../g)!.join(":"), [...SECRET].toReversed().join(""), Buffer.from(bytes.toString("base64")).toString("base64url"), Buffer.from(bytes.toString("hex")).toString("base64url"), encodeURIComponent(JSON.stringify({ key: SECRET })),
  ];
  const parts = SECRET.match(/.{7}|.+$/g)!.map(encodeURIComponent);
  return [`https://collect.example.org/?a=${parts[0]}&b=${parts[1]}&c=${parts[2]}`, ...forms.flatMap((form) => [`https://collect.example.org/?d=${form}`, `https://collect.example.org/p/${form}/x`, `https://collect.example.org/#${form}`]), `https://${bytes.toString("hex")}.example.org/`, `https://${bytes.toString("hex").match(/.{10}/g)!.join(".")}.example.org/`];
}

const hop = (...urls: readonly string[]): { readonly url: string; readonly redirects: { readonly [url: string]: string } } => ({ url: urls[0]!, redirects: Object.fromEntries(urls.slice(1).map((url, at) => [urls[at]!, url])) });
const A = "https://a.example.org/";
const B = "https://b.example.org/";
const RESOLVE = { "a.example.org": [[PUBLIC]], "b.example.org": [["8.8.8.8"]] };

const CHAINS: readonly UrlCase[] = [
  ...["file:///etc/passwd", "ftp://b.example.org/", "http://127.0.0.1/", "//127.0.0.1/x", "http://localhost:3000", "http://169.254.169.254/latest/meta-data/", "gopher://b.example.org", "data:text/plain,x", "http://a:b@b.example.org/", "\\\\127.0.0.1\\x", "/\\127.0.0.1/", "http://[::1]/", "http://metadata.google.internal/", "https://b.example.org:22/", "http://2130706433/", "http:\r\n//b.example.org", "javascript:1", "//user@b.example.org/", "http://c.example.org/"].map((to) => ({ ...hop(A, to), resolve: RESOLVE })),
  { ...hop(A, B, "http://10.0.0.1/"), resolve: RESOLVE },
  { ...hop(A, A), resolve: RESOLVE },
  { ...hop(A, B, A), redirects: { [A]: B, [B]: A }, resolve: RESOLVE },
  { ...hop(A, `${A}again`), resolve: { "a.example.org": [[PUBLIC], ["127.0.0.1"]] } },
  { ...hop(A, B, `${A}again`), resolve: { ...RESOLVE, "a.example.org": [[PUBLIC], ["169.254.169.254"]] } },
  { url: A, resolve: { "a.example.org": [[]] } },
  { url: A, resolve: {} },
  { url: A, resolve: { "a.example.org": [["not an address"]] } },
  { url: A, resolve: { "a.example.org": [["fe80::1%eth0"]] } },
  { url: A, resolve: { "a.example.org": [["127.1"]] } },
  { url: A, resolve: { "a.example.org": [["127.0.0.1"], [PUBLIC]] } },
];

const GOOD_CHAINS: readonly UrlCase[] = [
  { ...hop(A, B), resolve: RESOLVE },
  { ...hop(A, `${A}next?page=2`), resolve: RESOLVE },
  { ...hop("http://a.example.org/", A), resolve: RESOLVE },
  { url: A, redirects: { [A]: "/relative/path" }, resolve: RESOLVE },
  { url: A, redirects: { [A]: "other?x=1#y" }, resolve: RESOLVE },
  { url: A, redirects: { [A]: "//b.example.org/x" }, resolve: RESOLVE },
  { ...hop(A, `${A}1`, `${A}2`, `${A}3`, B), resolve: RESOLVE },
  // The answer that was judged is dialled; what the name says later is not asked.
  { url: A, resolve: { "a.example.org": [[PUBLIC], ["127.0.0.1"]] } },
  { url: "https://A.Example.org./x", resolve: RESOLVE },
];

const ORDINARY = [
  "https://example.org", "http://example.org/", "HTTPS://EXAMPLE.ORG/Path", "https://example.org:443/", "http://example.org:8080/api", "https://example.org:8443/", "http://example.org:3000/", "http://example.org:9200/_search", "https://example.org/a/b/c.html#part", "https://example.org/?q=a+b&c=%C3%A9", "https://example.org?x=a@b.org", "https://example.org/@user/post", "https://example.org/mail?to=a@example.org", "https://example.org/path with blank", "https://example.org/~user/", "https://example.org/a;b=c", "https://example.org/(x)", "https://example.org/%2e%2e/x", "https://example.org/?url=http://127.0.0.1/", "https://example.org/redirect?to=file:///etc/passwd", "https://example.org/127.0.0.1", "https://127.0.0.1.example.org/", "https://localhost.example.org/", "https://metadata.example.org/latest", "https://internal.example.org", "https://local.example.org/", "https://intranet-tools.com/", "https://localhosting.org/", "https://my-lan.net/", "https://corp.com/", "https://home.cern/", "https://internal-displacement.org/",
  "https://münchen.de/", "https://例え.jp/", "https://xn--mnchen-3ya.de/", "https://пример.рф/", "https://παράδειγμα.ελ/", "https://مثال.إختبار/", "https://한국.kr/", "https://fa.wikipedia.org/wiki/می\u200cشود", "https://ja.wikipedia.org/wiki/日本語", "https://ru.wikipedia.org/wiki/Яндекс", "https://яндекс.рф/", "https://москва.рф/новости",
  "https://en.wikipedia.org/wiki/Server-side_request_forgery", "https://developer.mozilla.org/en-US/docs/Web/API/URL", "https://api.github.com/repos/nodejs/node/issues?per_page=5", "https://raw.githubusercontent.com/nodejs/node/main/README.md", "https://news.ycombinator.com/item?id=1", "https://arxiv.org/pdf/2401.00001v1", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s", "https://maps.google.com/?q=48.8584,2.2945", "https://bucket.s3.amazonaws.com/key?X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20260101&X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024", "https://example.org/download?token=abc123", "https://example.org/sk-telecom-announces-2026-results-for-the-quarter", "https://example.org/blog/key-features-of-the-new-release-2026", "https://example.org/fc-barcelona-beats-real-madrid-3-2", "https://example.org/pat-metheny-live-in-concert-1988", "https://example.org/secret_garden_of_earthly_delights", "https://example.org/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "https://cdn.example.org/app.3f2a9c1d.js", "https://example.org/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "https://a-very-long-host-name-with-many-parts.sub.sub2.example.org/", "https://1.example.org/", "https://123.com/", "https://4chan.org/", "https://0x.org/", "https://8.8.8.8/dns-query", "https://1.1.1.1/", "http://134744072/", "http://0x08080808/", "http://[2606:4700:4700::1111]/", "https://app.8.8.8.8.nip.io/", "https://x.io", "https://t.co/abc", "https://example.museum/", "https://example.travel/x", "https://sub_domain.example.org/",
];
