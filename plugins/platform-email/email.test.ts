import assert from "node:assert/strict";
import { test } from "node:test";
import { whyAutomatic } from "./is-automatic.ts";
import { ownText, textOfHtml } from "./mail-text.ts";
import { verifiedSender } from "./verified-sender.ts";

const RULES = { verifiers: ["mx.example.net"], trustsFrom: false };

function senderOf(results: readonly string[], from = "Ada <ada@mail.example.com>", rules = RULES): string {
  const headers = [...results.map((value) => ({ key: "authentication-results", value })), { key: "from", value: from }];
  const verdict = verifiedSender({ headers, from: { name: "Ada", address: "ada@mail.example.com" } }, rules);
  return "refused" in verdict ? "refused" : verdict.address;
}

test("text that the sender chose inside a result, quoted or in a comment, is no other result", () => {
  const forged = "dmarc=pass header.from=mail.example.com";
  for (const value of [
    `mx.example.net; spf=pass smtp.mailfrom="x; ${forged} "@evil.example`,
    String.raw`mx.example.net; spf=pass smtp.mailfrom="x\"; ${forged} "@evil.example`,
    `mx.example.net; spf=pass (domain of x(; ${forged}) designates it) smtp.mailfrom=x@evil.example`,
    `mx.example.net; spf=pass (domain of x"y) smtp.mailfrom="x; ${forged} "@evil.example`,
    String.raw`mx.example.net; spf=pass (domain of \) ; ${forged} ) smtp.mailfrom=x@evil.example`,
    `mx.example.net; spf=pass smtp.mailfrom="x; ${forged}`,
  ])
    assert.equal(senderOf([value]), "refused", value);
  assert.equal(
    senderOf(['mx.example.net; dkim=pass (2048-bit "key") header.d="mail.example.com"']),
    "ada@mail.example.com",
  );
});

test("a sender counts if the mail server verified the domain of the address", () => {
  const known = "ada@mail.example.com";
  assert.equal(senderOf(["mx.example.net; dmarc=pass (p=reject) header.from=mail.example.com"]), known);
  assert.equal(senderOf(["mx.example.net 1; spf=fail; dkim=pass header.d=example.com header.s=k1"]), known);
  assert.equal(senderOf(["mx.example.net; spf=pass smtp.mailfrom=bounce@mail.example.com"]), known);
});

test("a sender address without a verification of the mail server counts for nothing", () => {
  for (const results of [
    [],
    ["mx.example.net; none"],
    ["mx.example.net; dmarc=fail header.from=mail.example.com"],
    ["mx.example.net; dkim=pass header.d=evil.example"],
    ["mx.example.net; dkim=pass header.d=evil.mail.example.com"],
    ["mx.example.net; dkim=pass header.d=com"],
    ["mx.example.net; spf=pass smtp.mailfrom=eve@evil.example"],
    ["mx.example.net; spf=fail (dmarc=pass header.from=mail.example.com)"],
    ["mx.evil.example; dmarc=pass header.from=mail.example.com"],
    // The topmost header is the server's; the sender wrote the one below.
    ["mx.example.net; dmarc=fail", "mx.example.net; dmarc=pass header.from=mail.example.com"],
  ])
    assert.equal(senderOf(results), "refused", results.join(" | "));
});

test("a message with two sender addresses is refused, also if sender addresses are trusted", () => {
  const pass = ["mx.example.net; dmarc=pass header.from=mail.example.com"];
  const trusting = { ...RULES, trustsFrom: true };
  assert.equal(senderOf(pass, "ada@mail.example.com, eve@evil.example"), "refused");
  assert.equal(senderOf([], "ada@mail.example.com, eve@evil.example", trusting), "refused");
  assert.equal(senderOf([], "Ada <ada@mail.example.com>", trusting), "ada@mail.example.com");
});

test("automatic messages, mailing lists and the agent's own messages get no answer", () => {
  const why = (key: string, value: string, sender = "ada@example.com"): boolean =>
    whyAutomatic({ headers: [{ key, value }] }, sender, "hermes@example.net") !== undefined;
  for (const [key, value] of [
    ["auto-submitted", "auto-replied"],
    ["auto-submitted", "auto-generated; owner"],
    ["precedence", "Bulk"],
    ["list-id", "<tea.example.com>"],
    ["list-unsubscribe", "<mailto:x@example.com>"],
    ["return-path", "<>"],
  ] as const)
    assert.equal(why(key, value), true, `${key}: ${value}`);
  for (const sender of [
    "hermes@example.net",
    "no-reply@example.com",
    "MAILER-DAEMON@example.com".toLowerCase(),
    "bounces+7@example.com",
  ])
    assert.equal(why("subject", "x", sender), true, sender);
  assert.equal(why("auto-submitted", "no"), false);
  assert.equal(why("precedence", "normal", "noreen@example.com"), false);
});

test("cuts the quoted message and the signature, and keeps an answer between quoted lines", () => {
  assert.deepEqual(
    ownText("Yes.\r\n\r\nAda\r\n-- \r\nAda, Tea house\r\n\r\nOn Sunday, Bob\r\nwrote:\r\n> Tea?\r\n> Or not?\r\n"),
    {
      text: "Yes.\n\nAda",
      quoted: "Tea?\nOr not?",
    },
  );
  assert.deepEqual(ownText("Yes.\n\n-----Original Message-----\nFrom: Bob\n\nTea?"), {
    text: "Yes.",
    quoted: "From: Bob\n\nTea?",
  });
  const between = "> Tea?\nYes.\n> Milk?\nNo.";
  assert.deepEqual(ownText(between), { text: between, quoted: "" });
});

test("reads the text of an HTML message without scripts, styles and marks", () => {
  const html =
    "<html><head><style>p{}</style></head><body><p>1 &lt; 2 &amp; more</p><script>x()</script><ul><li>tea</li></ul>see<br>you<blockquote>old<br>text</blockquote></body></html>";
  assert.equal(textOfHtml(html), "1 < 2 & more\n\n- tea\nsee\nyou\n> old\n> text");
});
