import assert from "node:assert/strict";
import * as disk from "node:fs/promises";
import { test } from "node:test";
import { answerUrl } from "../answers/answer-url.ts";
import { rulesOf } from "./blocklist.ts";
import { judgeAddress } from "./judge-address.ts";
import { judgeAddresses, judgeUrl } from "./judge-url.ts";
import { harmfulUrls, harmlessUrls, type UrlCase } from "../../../test/safety/url-cases.ts";

const ask = (line: UrlCase) =>
  answerUrl(line as never, {
    cwd: "/",
    home: "/",
    readLink: async () => undefined,
    isSpecial: async () => false,
    disk,
  });

async function wrong(lines: readonly UrlCase[], right: string): Promise<readonly string[]> {
  const answers = await Promise.all(lines.map(ask));
  return answers.flatMap((answer, at) =>
    answer["verdict"] === right ? [] : [`${JSON.stringify(lines[at])}: ${answer["reason"]}`],
  );
}

// req: R-30
test("blocks every harmful URL: addresses in every spelling, local names, other schemes, disguises, leaks, chains", async () => {
  const lines = harmfulUrls();
  assert.ok(lines.length > 1000, `${lines.length} lines`);
  assert.deepEqual(await wrong(lines, "blocked"), []);
});

test("allows every harmless line", async () => {
  const lines = harmlessUrls();
  assert.ok(lines.length > 150, `${lines.length} lines`);
  assert.deepEqual(await wrong(lines, "allowed"), []);
});

test("returns the checked address to connect to, in plain form; a later DNS change does not matter", async () => {
  assert.deepEqual(
    await ask({ url: "https://a.org/", resolve: { "a.org": [["93.184.215.14", "2606:4700::1"], ["127.0.0.1"]] } }),
    { verdict: "allowed", reason: "", pinned: "93.184.215.14" },
  );
  assert.deepEqual(await ask({ url: "http://0x08080808/" }), { verdict: "allowed", reason: "", pinned: "8.8.8.8" });
  assert.deepEqual(await ask({ url: "http://[::ffff:8.8.8.8]/" }), {
    verdict: "allowed",
    reason: "",
    pinned: "8.8.8.8",
  });
  assert.deepEqual(await ask({ url: "https://a.org/" }), { verdict: "allowed", reason: "" });
});

test("refuses cloud metadata addresses in every spelling, even if private addresses are allowed", () => {
  const policy = { allowPrivate: true };
  for (const url of [
    "http://127.0.0.1:8080/",
    "http://localhost:3000/",
    "http://10.0.0.7/",
    "http://nas.lan/",
    "http://[fd12::1]/",
    "http://db/",
  ])
    assert.equal(judgeUrl(url, policy).kind, "allowed", url);
  for (const url of [
    "http://169.254.169.254/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://metadata.google.internal/",
    "http://168.63.129.16/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://192.0.0.192/",
    "http://224.0.0.1/",
    "http://0.0.0.0/",
    "file:///etc/passwd",
  ])
    assert.equal(judgeUrl(url, policy).kind, "blocked", url);
  assert.equal(judgeAddresses("x.org", ["10.0.0.1"], policy).kind, "allowed");
  assert.equal(judgeAddresses("x.org", ["10.0.0.1", "169.254.169.254"], policy).kind, "blocked");
});

test("a blocklist rule covers a site and everything below it, a tool's host list nothing more, also in redirects", () => {
  const key = (url: string, policy: Parameters<typeof judgeUrl>[1]) => {
    const judged = judgeUrl(url, policy);
    return judged.kind === "blocked" ? judged.key : "allowed";
  };
  const blocklist = ["bad.org", "*.ads.net", "https://www.worse.com/path", "münchen.de"];
  assert.deepEqual(
    [
      "https://bad.org",
      "https://x.BAD.org./",
      "https://notbad.org",
      "https://ads.net",
      "https://a.ads.net",
      "https://worse.com",
      "https://xn--mnchen-3ya.de/",
    ].map((url) => key(url, { blocklist })),
    ["blocklist", "blocklist", "allowed", "allowed", "blocklist", "blocklist", "blocklist"],
  );
  assert.deepEqual(
    ["https://api.x.org/", "https://deep.api.x.org/", "https://x.org/", "https://api.x.org.evil.org/"].map((url) =>
      key(url, { hosts: ["api.x.org"] }),
    ),
    ["allowed", "allowed", "host list", "host list"],
  );
  assert.equal(key("https://x.org/", { hosts: [] }), "host list");
  assert.deepEqual(rulesOf("# list\nbad.org # why\n\n0.0.0.0 ads.net\n127.0.0.1\tx.org\n"), [
    "bad.org",
    "ads.net",
    "x.org",
  ]);
});

test("a reason never repeats the secret, and short values are not looked for", () => {
  const judged = judgeUrl("https://x.org/?a=swordfish-77", { secrets: ["swordfish-77"] });
  assert.ok(judged.kind === "blocked" && !judged.reason.includes("swordfish"));
  assert.equal(judgeUrl("https://x.org/cat", { secrets: ["cat"] }).kind, "allowed");
});

test("a session URL may contain a key and its service's secrets, but only after its own origin", () => {
  const policy = { secrets: ["swordfish-77", "key-of-the-service"], signed: ["key-of-the-service"] };
  const key = (url: string) => {
    const judged = judgeUrl(url, policy);
    return judged.kind === "blocked" ? judged.key : "allowed";
  };
  const shaped = "sk-proj-Zk3bQ9vT7xW2mN8pL5rD4cF6";
  assert.equal(judgeUrl(`https://x.org/${shaped}`).kind, "blocked");
  assert.deepEqual(
    [
      `https://x.org/${shaped}?k=${shaped}`,
      "https://x.org/?k=key-of-the-service",
      `https://x.org/${Buffer.from("key-of-the-service").toString("base64url")}`,
    ].map(key),
    ["allowed", "allowed", "allowed"],
  );
  assert.deepEqual(
    [
      "https://x.org/swordfish-77",
      "https://x.org/?a=sword&b=fish-77",
      `https://x.org/?a=${Buffer.from("swordfish-77").toString("hex")}`,
      "https://swordfish-77.org/",
      "https://key-of-the-service.org/",
      `https://${shaped}.org/`,
    ].map(key),
    Array.from({ length: 6 }, () => "secret"),
  );
  assert.deepEqual(["https://10.0.0.1/", "https://u:p@x.org/", "https://x.org:22/", "ftp://x.org/"].map(key), [
    "private address",
    "user info",
    "port",
    "scheme",
  ]);
});

test("a text that is not a URL is never accepted as one", () => {
  for (const text of [
    "",
    "1.2.3",
    "1.2.3.4.5",
    "01.2.3.4",
    "1.2.3.256",
    ":::",
    "1::2::3",
    "12345::",
    "::g",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "::1.2.3",
    "fe80::1%1",
    "localhost",
  ])
    assert.equal(judgeAddress(text).class, "unusable", text);
});

test("judges 32 KB of hostile text in bounded time", () => {
  for (const piece of ["%25", "a.", "+", "@", "1-2-3-4-", "xn--", "sk-Ab1", "QUJD", "&#65;", "/"]) {
    const url = `https://example.org/${piece.repeat(32_000 / piece.length)}`.slice(0, 32_000);
    judgeUrl(url, { secrets: ["some-secret-value"] });
    const before = process.cpuUsage();
    judgeUrl(url, { secrets: ["some-secret-value"] });
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 5_000_000, `${(user + system) / 1000} ms for ${piece}`);
  }
});
