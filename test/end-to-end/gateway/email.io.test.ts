import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import PostalMime from "postal-mime";
import { withDovecot } from "../../../plugins/platform-email/test/dovecot.ts";
import { emailBench } from "../../../plugins/platform-email/test/email-bench.ts";
import { chatScene, gone } from "../support/chatting.ts";

const root = join(import.meta.dirname, "../../..");

test(
  "email: a verified, allowed sender is answered, also for a message from while the gateway was killed",
  withDovecot,
  async () => {
    await using mail = await emailBench();
    await using scene = await chatScene([{ text: "Half past five." }, { text: "Six." }], {
      env: { ...mail.env, EMAIL_ALLOWED_USERS: "ada@example.com" },
    });
    // The packages, as after the user allowed their installation.
    const packages = join(root, "plugins/platform-email/packages");
    const lock = createHash("sha256")
      .update(readFileSync(join(packages, "package-lock.json")))
      .digest("hex");
    const folder = join(scene.prompter.agentHome, "packages", `platform-email-${lock.slice(0, 12)}`);
    mkdirSync(folder, { recursive: true });
    cpSync(join(packages, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const gateway = await scene.serve();
    const answer = async (): Promise<string> => {
      const { to, source } = await mail.smtp.next();
      assert.equal(to, "ada@example.com");
      return ((await PostalMime.parse(source)).text ?? "").trim();
    };
    mail.deliver({ from: "ada@example.com", text: "forged", verified: "dmarc=fail header.from=example.com" });
    mail.deliver({ from: "ada@example.com", text: "what time is it?" });
    assert.equal(await answer(), "Half past five.");
    assert.equal(scene.model.requests.length, 1);
    gateway.kill("SIGKILL");
    await gone(gateway);
    mail.deliver({ from: "ada@example.com", text: "and now?" });
    const next = await scene.serve();
    // If the gateway was killed before it stored that the answer arrived, it reports that first.
    const texts: string[] = [];
    while (texts.at(-1) !== "Six.") texts.push(await answer());
    assert.ok(!texts.includes("Half past five."), texts.join(" | "));
    next.kill("SIGTERM");
    assert.equal(await gone(next), 0);
  },
);
