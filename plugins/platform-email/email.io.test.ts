import assert from "node:assert/strict";
import { test } from "node:test";
import PostalMime from "postal-mime";
import { emailBench } from "./test/email-bench.ts";
import { withDovecot } from "./test/dovecot.ts";

const ADA = "ada@example.com";

test("answers in the thread of the message, with its subject once", withDovecot, async () => {
  await using bench = await emailBench();
  await using adapter = await bench.connected();
  const id = bench.deliver({
    from: ADA,
    subject: "Re: Re: Tea",
    text: "What time is it?",
    headers: ["References: <a@example.com> <b@example.com>"],
  });
  assert.deepEqual(await bench.texts(1), ["What time is it?"]);
  await adapter.send(ADA, "Half past five.", { reply_to: bench.received[0]!.message_id });
  const mail = await PostalMime.parse((await bench.smtp.next()).source);
  assert.equal(mail.subject, "Re: Tea");
  assert.equal(mail.inReplyTo, id);
  assert.equal(mail.references, `<a@example.com> <b@example.com> ${id}`);
});

test("puts the subject of a new thread before the text, but not before a command", withDovecot, async () => {
  await using bench = await emailBench();
  await using _ = await bench.connected();
  bench.deliver({ from: ADA, subject: "Tea", text: "Is there any?" });
  bench.deliver({ from: ADA, subject: "Status", text: "/status" });
  assert.deepEqual(await bench.texts(2), ["Subject: Tea\n\nIs there any?", "/status"]);
});

test("ignores unverified senders and automatic messages, and reads the next one", withDovecot, async () => {
  await using bench = await emailBench();
  await using _ = await bench.connected();
  bench.deliver({ from: ADA, text: "forged", verified: "dmarc=fail header.from=example.com" });
  bench.deliver({ from: ADA, text: "unverified", verified: "" });
  bench.deliver({ from: ADA, text: "away", headers: ["Auto-Submitted: auto-replied"] });
  bench.deliver({ from: ADA, text: "<p>hello</p>", type: "text/html" });
  assert.deepEqual(await bench.texts(1), ["hello"]);
});

test("answers no message from before the first start", withDovecot, async () => {
  await using bench = await emailBench();
  bench.deliver({ from: ADA, text: "old" });
  await using _ = await bench.connected();
  bench.deliver({ from: ADA, text: "new" });
  assert.deepEqual(await bench.texts(1), ["new"]);
});
