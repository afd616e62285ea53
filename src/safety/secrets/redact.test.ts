import assert from "node:assert/strict";
import { test } from "node:test";
import { createKnownMask } from "./known-values.ts";
import { createRedactor as create } from "./redact.ts";

const createRedactor = (secrets: () => readonly string[]) => create(createKnownMask(secrets));

const SECRET = 'p@ss/wörd "quoted"+1';
const redact = createRedactor(() => [SECRET, "short"]);

test("masks a known value in every spelling, unless it is too short", () => {
  const spellings = [
    SECRET,
    encodeURIComponent(SECRET),
    JSON.stringify(SECRET).slice(1, -1),
    Buffer.from(SECRET).toString("hex"),
    Buffer.from(SECRET).toString("hex").toUpperCase(),
  ];
  for (const text of spellings) assert.equal(redact(`before ${text} after`), "before [REDACTED] after");
  for (const lead of ["", "x", "xy", "user:"])
    for (const encoding of ["base64", "base64url"] as const)
      assert.ok(
        redact(Buffer.from(`${lead}${SECRET} and more`).toString(encoding)).includes("[REDACTED]"),
        lead + encoding,
      );
  assert.equal(redact("a short word"), "a short word");
});

test("a masked token keeps its ends, a short one nothing", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["key sk-abcdefghijklmnopqrstuvwxyz0123 end", "key sk-abc...0123 end"],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_ab...6789"],
    ["AKIAABCDEFGHIJKLMNOP", "AKIAAB...MNOP"],
    ["Authorization: Bearer abcdefghijklmnopqrstu", "Authorization: Bearer abcdef...rstu"],
    ['{"password": "hunter2hunter2"}', '{"password": "***"}'],
    ["export DB_PASSWORD=hunter2", "export DB_PASSWORD=***"],
    ["api_key: abcdefghij0123456789", "api_key: abcdef...6789"],
    ["KeyError: 'missing'", "KeyError: 'missing'"],
    ["postgres://me:topsecret@db/x", "postgres://me:***@db/x"],
    ["https://abcdefghijklmnopqrst@github.com/x", "https://abcdef...qrst@github.com/x"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghij", "eyJhbG...ghij"],
    ["bot123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "bot123...AAAA"],
    ["grant=x&client_secret=abcdefghijkl&z=1", "grant=x&client_secret=***&z=1"],
    [
      "-----BEGIN RSA PRIVATE KEY-----\nAAA\n-----END RSA PRIVATE KEY-----\nx",
      "-----BEGIN RSA PRIVATE KEY-----\n[REDACTED]\n-----END RSA PRIVATE KEY-----\nx",
    ],
    ["call +491701234567", "call +49***67"],
  ];
  for (const [text, masked] of cases) {
    assert.equal(redact(text), masked);
    assert.equal(redact(masked), masked, "masking twice changes nothing");
  }
});

test("leaves ordinary text and code unchanged, and links keep their query", () => {
  for (const text of [
    "const token = getToken();",
    "max_tokens: 100000000",
    "key: value",
    "API_KEY=$API_KEY",
    "see https://x.org/z?token=abcdefgh&b=1",
    "sk-8 skip-links-in-tests",
    "the password is: foo",
    "hf_hub_download_with_progress_bar(npm_config_registry_override)",
    "key-value-store-design-notes.md",
    "fc-barcelona-beats-real-madrid-3-2",
    "secret_garden_of_earthly_delights",
    "primaryKey: true",
    "1+1234567890123456",
  ])
    assert.equal(redact(text), text);
});

test("uses changed secrets at once", () => {
  let secrets: readonly string[] = [];
  const changing = createRedactor(() => secrets);
  assert.equal(changing("tell swordfish"), "tell swordfish");
  secrets = ["swordfish"];
  assert.equal(changing("tell swordfish"), "tell [REDACTED]");
});

test("masks 100 KB of any content in bounded time", () => {
  const many = createRedactor(() => Array.from({ length: 40 }, (_, i) => `${i}secret-value-${i}`));
  for (const piece of [
    "a",
    "key=",
    "KEY=a?",
    "?x_key=abcd",
    "1secret-value-",
    "cookie: aaa",
    "key: ",
    "A_KEY=",
    "https://",
    '"',
    "authorization:",
    "sk-",
    "eyJ.",
    "token=x&",
    "x y z ",
    "-----BEGIN ",
  ]) {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    many(text);
    const before = process.cpuUsage();
    many(text);
    const spent = process.cpuUsage(before);
    assert.ok(spent.user + spent.system < 5_000_000, `${(spent.user + spent.system) / 1000} ms for ${piece}`);
  }
});
