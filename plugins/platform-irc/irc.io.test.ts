import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { JsonObject, PlatformMessage } from "hermes-agent/plugin";
import { lacksProgram, quietLog } from "hermes-agent/testing";
import { ircPlatform } from "./irc-platform.ts";
import { ircUser } from "./test/irc-user.ts";
import { startNgircd, withNgircd } from "./test/irc-server.ts";
import { playedServer } from "./test/played-server.ts";

/** The adapter connected to a server, with the messages it receives. */
async function agentAt(port: number, env: Record<string, string> = {}, extra: JsonObject = {}) {
  const variables: Record<string, string> = {
    IRC_SERVER: "127.0.0.1",
    IRC_PORT: String(port),
    IRC_CHANNEL: "#team",
    ...env,
  };
  const received: PlatformMessage[] = [];
  const waiting: ((message: PlatformMessage) => void)[] = [];
  const log = quietLog();
  const message = async (event: PlatformMessage): Promise<void> => {
    const next = waiting.shift();
    if (next === undefined) received.push(event);
    else next(event);
  };
  const adapter = await ircPlatform((name) => variables[name], log).adapter_factory({
    enabled: true,
    extra: { lines_per_second: 100, ...extra },
    message,
  });
  return {
    adapter,
    log,
    nextMessage: (): Promise<PlatformMessage> =>
      received.length > 0 ? Promise.resolve(received.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    [Symbol.asyncDispose]: async () => void (await adapter.disconnect()),
  };
}

describe("IRC at a real server", withNgircd, () => {
  // req: plugins.platform-irc
  test("joins its channel, accepts only messages addressed to it and direct messages, answers, and leaves", async () => {
    await using server = await startNgircd();
    using ada = await ircUser(server.port, "ada");
    await ada.joins("#team");
    await using agent = await agentAt(server.port);
    await agent.adapter.connect({ is_reconnect: false });
    ada.says("#team", "what does hermes-bot say?");
    ada.says("#team", "Hermes-Bot: what time is it?");
    assert.deepEqual(await agent.nextMessage(), {
      text: "what time is it?",
      chat_id: "#team",
      chat_type: "group",
      chat_name: "#team",
      user_id: "ada",
      user_name: "ada",
    });
    ada.says("hermes-bot", "\u0001VERSION\u0001");
    ada.raw("NOTICE hermes-bot :do not answer me");
    ada.says("hermes-bot", "\u0001ACTION waves\u0001");
    assert.equal((await agent.nextMessage()).text, "* ada waves");
    ada.says("hermes-bot", "and \u0002between\u0002 us?");
    assert.deepEqual(await agent.nextMessage(), {
      text: "and between us?",
      chat_id: "ada",
      chat_type: "dm",
      user_id: "ada",
      user_name: "ada",
    });
    assert.deepEqual(await agent.adapter.send("ada", "**Noon**, by `date`.", {}), { success: true });
    assert.deepEqual(await ada.receivesFrom("hermes-bot"), { target: "ada", text: "Noon, by date." });
    await agent.adapter.disconnect();
    assert.equal((await ada.sees(({ command }) => command === "QUIT")).source?.nick, "hermes-bot");
    assert.doesNotMatch(readFileSync(join(import.meta.dirname, "plugin.yaml"), "utf8"), /dependencies/);
  });

  test("nicknames are case-insensitive and are reported in the allowlist's spelling", async () => {
    await using server = await startNgircd();
    using ada = await ircUser(server.port, "ADA");
    using bob = await ircUser(server.port, "Bob");
    await using agent = await agentAt(server.port, { IRC_ALLOWED_USERS: "eve, Ada" });
    await agent.adapter.connect({ is_reconnect: false });
    ada.says("hermes-bot", "me");
    const received = await agent.nextMessage();
    bob.says("hermes-bot", "and me");
    assert.deepEqual(
      [received.user_id, received.chat_id, received.user_name, (await agent.nextMessage()).user_id],
      ["Ada", "ada", "ADA", "bob"],
    );
  });

  test("text of an answer never becomes an IRC command", async () => {
    await using server = await startNgircd();
    using ada = await ircUser(server.port, "ada");
    await ada.joins("#team");
    await using agent = await agentAt(server.port);
    await agent.adapter.connect({ is_reconnect: false });
    assert.deepEqual(await agent.adapter.send("#team", "one\r\nQUIT :bye\r\u0000JOIN #other", {}), { success: true });
    assert.deepEqual(
      [
        (await ada.receivesFrom("hermes-bot")).text,
        (await ada.receivesFrom("hermes-bot")).text,
        (await ada.receivesFrom("hermes-bot")).text,
      ],
      ["one", "QUIT :bye", "JOIN #other"],
    );
    for (const chat of ["#team\r\nQUIT", "a b", "", ":x", "a,b"])
      assert.equal((await agent.adapter.send(chat, "hi", {}))?.success, false, JSON.stringify(chat));
    await agent.adapter.send("#team", "still here", {});
    assert.equal((await ada.receivesFrom("hermes-bot")).text, "still here");
  });

  test("appends an underscore to a nickname in use, and responds to both", async () => {
    await using server = await startNgircd();
    using ada = await ircUser(server.port, "ada");
    using other = await ircUser(server.port, "hermes-bot");
    await ada.joins("#team");
    await using agent = await agentAt(server.port);
    await agent.adapter.connect({ is_reconnect: false });
    ada.says("#team", "hermes-bot: by the old name");
    ada.says("#team", "hermes-bot_: by the new one");
    assert.deepEqual(
      [(await agent.nextMessage()).text, (await agent.nextMessage()).text],
      ["by the old name", "by the new one"],
    );
    await other.settled();
  });

  test("reports a wrong server password with its variable, and connects with the right one", async () => {
    await using server = await startNgircd({ password: "sesame" });
    await using wrong = await agentAt(server.port, { IRC_SERVER_PASSWORD: "open" });
    await assert.rejects(
      async () => wrong.adapter.connect({ is_reconnect: false }),
      (error: Error & { hint?: string }) => !error.message.includes('open"') && /127\.0\.0\.1/.test(error.message),
    );
    await using right = await agentAt(server.port, { IRC_SERVER_PASSWORD: "sesame" });
    assert.equal(await right.adapter.connect({ is_reconnect: false }), true);
  });

  test("refuses a server with an untrusted certificate", { skip: lacksProgram("openssl") }, async () => {
    await using server = await startNgircd({ tls: true });
    await using agent = await agentAt(server.tlsPort, { IRC_USE_TLS: "true" });
    await assert.rejects(async () => agent.adapter.connect({ is_reconnect: false }), {
      message: /^The certificate of 127\.0\.0\.1:\d+ is not trusted/,
      hint: "Add your own certificate authority with NODE_EXTRA_CA_CERTS.",
    });
  });

  test("reports a channel that refuses the agent; direct messages still work", async () => {
    await using server = await startNgircd({ sections: "[Channel]\nName = #door\nModes = +k secret\n" });
    using ada = await ircUser(server.port, "ada");
    await using agent = await agentAt(server.port, { IRC_CHANNEL: "#door" });
    await agent.adapter.connect({ is_reconnect: false });
    assert.match(agent.log.lines.map(({ message }) => message).join("\n"), /refuses the agent in #door/);
    ada.says("hermes-bot", "hello");
    assert.equal((await agent.nextMessage()).text, "hello");
    await using keyed = await agentAt(server.port, { IRC_CHANNEL: "#door secret", IRC_NICKNAME: "keyed" });
    await keyed.adapter.connect({ is_reconnect: false });
    assert.deepEqual(
      keyed.log.lines.filter(({ level }) => level === "warning"),
      [],
    );
  });
});

describe("IRC at a server that misbehaves", () => {
  test("tolerates partial lines, invalid bytes, invalid commands and an endless line", async () => {
    await using server = await playedServer();
    await using agent = await agentAt(server.port);
    const connected = agent.adapter.connect({ is_reconnect: false });
    const client = await server.client();
    await client.welcome();
    await connected;
    client.write(
      Buffer.from(":::::\r\n\r\n@\r\nNOSUCH\r\nPRIVMSG\r\n:ada!a@h PRIVMSG\r\n"),
      Buffer.alloc(70_000, "x"),
      "",
    );
    client.write(Buffer.from(":ada!a@h PRIVMSG hermes-bot :hal"), Buffer.from([0xfc, 0x0d, 0x0a]), "PING :still?");
    assert.equal(await client.waitsFor("PONG"), "PONG :still?");
    assert.equal((await agent.nextMessage()).text, "halü");
  });

  test("repeats unconfirmed lines on the next connection", async () => {
    await using server = await playedServer();
    await using agent = await agentAt(server.port);
    const connected = agent.adapter.connect({ is_reconnect: false });
    const first = await server.client();
    await first.welcome();
    await connected;
    const sent = agent.adapter.send("#team", ["1", "2", "3", "4", "5", "6"].join("\n"), {});
    await first.confirms();
    assert.equal(await first.nextLine(), "PRIVMSG #team :5");
    await first.drop();
    const second = await server.client();
    await second.welcome();
    assert.deepEqual([await second.nextLine(), await second.nextLine()], ["PRIVMSG #team :5", "PRIVMSG #team :6"]);
    await second.confirms();
    assert.deepEqual(await sent, { success: true });
  });

  test("signs in with SASL if offered, else with NickServ, and logs no password", async () => {
    await using server = await playedServer();
    const env = { IRC_NICKSERV_PASSWORD: "pass-word-1" };
    await using agent = await agentAt(server.port, env);
    const connected = agent.adapter.connect({ is_reconnect: false });
    const client = await server.client();
    await client.waitsFor("USER");
    client.write(":irc CAP * LS * :multi-prefix", ":irc CAP * LS :sasl=PLAIN,EXTERNAL account-tag");
    assert.equal(await client.nextLine(), "CAP REQ :account-tag sasl");
    client.write(":irc CAP * ACK :account-tag sasl");
    assert.equal(await client.nextLine(), "AUTHENTICATE PLAIN");
    client.write("AUTHENTICATE +");
    assert.equal(
      await client.nextLine(),
      `AUTHENTICATE ${Buffer.from("\0hermes-bot\0pass-word-1").toString("base64")}`,
    );
    client.write(":irc 900 hermes-bot h!h@h hermes-bot :You are logged in", ":irc 903 hermes-bot :Done");
    assert.equal(await client.nextLine(), "CAP END");
    client.write(":irc 001 hermes-bot :Welcome");
    assert.equal(await client.nextLine(), "JOIN #team");
    client.write(":hermes-bot!h@host JOIN #team");
    await connected;
    // With account tags, only an account identifies a user.
    client.write("@account=ada :Countess!a@h PRIVMSG hermes-bot :me", ":ada!x@y PRIVMSG hermes-bot :not me");
    assert.deepEqual([(await agent.nextMessage()).user_id, (await agent.nextMessage()).user_id], ["ada", "~ada"]);

    await using plain = await agentAt(server.port, env);
    const again = plain.adapter.connect({ is_reconnect: false });
    const simple = await server.client();
    await simple.waitsFor("USER");
    simple.write(":irc 421 * CAP :Unknown command", ":irc 001 hermes-bot :Welcome");
    assert.equal(await simple.nextLine(), "PRIVMSG NickServ :IDENTIFY pass-word-1");
    await simple.waitsFor("JOIN");
    simple.write(":hermes-bot!h@host JOIN #team");
    await again;
    assert.ok([...agent.log.lines, ...plain.log.lines].every(({ message }) => !message.includes("pass-word-1")));
  });

  // field: S16
  test("shortens a nickname that is too long for the server, with and without a suffix, and answers to both", async () => {
    await using server = await playedServer();
    await using agent = await agentAt(server.port);
    const connected = Promise.resolve(agent.adapter.connect({ is_reconnect: false }));
    const client = await server.client();
    await client.waitsFor("NICK hermes-bot");
    client.write(":irc 432 * hermes-bot :Nickname too long, max. 9 characters");
    await client.waitsFor("NICK hermes-bo");
    client.write(":irc 433 * hermes-bo :Nickname is already in use");
    await client.waitsFor("NICK hermes-b_");
    client.write(":irc 433 * hermes-b_ :Nickname is already in use");
    await client.waitsFor("NICK hermes-_2");
    client.write(":irc 001 hermes-_2 :Welcome");
    assert.equal(await connected, true);
    for (const name of ["hermes-_2", "hermes-bot"]) {
      client.write(`:ada!ada@example PRIVMSG #team :${name}: hello`);
      assert.equal((await agent.nextMessage()).text, "hello");
    }
  });

  test("reports what to fix: account refused, nickname refused, no TLS, no server", async () => {
    await using server = await playedServer();
    const failing = async (answers: readonly string[], env: Record<string, string> = {}): Promise<string> => {
      await using agent = await agentAt(server.port, env);
      const failed = Promise.resolve(agent.adapter.connect({ is_reconnect: false })).then(
        () => "connected",
        (error: Error) => error.message,
      );
      const client = await server.client();
      if (env["IRC_USE_TLS"] === undefined) await client.waitsFor("USER");
      client.write(...answers);
      return failed;
    };
    assert.match(
      await failing([":irc 904 * :SASL authentication failed"], { IRC_NICKSERV_PASSWORD: "secret-1" }),
      /^127\.0\.0\.1 refused the account password of "hermes-bot"/,
    );
    const rejected = [":irc 432 * hermes-bot :Erroneous nickname", ":irc 432 * hermes-bo :Erroneous nickname"];
    assert.match(await failing(rejected), /rejects the nickname "hermes-bot"/);
    assert.match(
      await failing([":irc 432 * 9lives :Erroneous nickname"], { IRC_NICKNAME: "9lives" }),
      /rejects the nickname "9lives"/,
    );
    assert.match(await failing(["ERROR :Closing link: you are too many"]), /you are too many/);
    assert.match(await failing(["NOTICE * :plain"], { IRC_USE_TLS: "true" }), /does not support TLS/);
    const gone = await playedServer();
    await gone[Symbol.asyncDispose]();
    await using agent = await agentAt(gone.port);
    await assert.rejects(async () => agent.adapter.connect({ is_reconnect: false }), {
      message: /^Cannot connect to 127\.0\.0\.1:\d+: .*ECONNREFUSED/,
    });
    assert.deepEqual(await agent.adapter.send("#team", "hello", {}), {
      success: false,
      error: "IRC is not connected to 127.0.0.1.",
      retryable: true,
    });
  });
});
