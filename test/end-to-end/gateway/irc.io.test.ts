import assert from "node:assert/strict";
import { test } from "node:test";
import { lacksProgram } from "../../../src/testing/lacks-program.ts";
import { ircUser } from "../../../plugins/platform-irc/test/irc-user.ts";
import { OPERATOR, startNgircd, withNgircd } from "../../../plugins/platform-irc/test/irc-server.ts";
import { chatScene, gone } from "../support/chatting.ts";

// req: plugins.platform-irc
test(
  "IRC needs only its variables: TLS, a channel, direct messages, allowed users and reconnection",
  { skip: withNgircd.skip || lacksProgram("openssl") },
  async () => {
    await using server = await startNgircd({ tls: true });
    using ada = await ircUser(server.port, "ada");
    using eve = await ircUser(server.port, "eve");
    for (const user of [ada, eve]) await user.joins("#team");
    const env = {
      IRC_SERVER: "127.0.0.1",
      IRC_PORT: String(server.tlsPort),
      IRC_USE_TLS: "true",
      IRC_CHANNEL: "#team",
      IRC_ALLOWED_USERS: "ada",
      NODE_EXTRA_CA_CERTS: server.certificate,
    };
    await using scene = await chatScene(
      [{ text: "**Noon**.\n\nSharp." }, { text: "Only for you." }, { text: "I am back." }],
      { env },
    );
    scene.prompter.write("~/.hermes/memories/USER.md", "The cat is called Tom.\n");
    const status = await scene.prompter.run(["gateway", "status"]);
    assert.match(status.out, /IRC/);
    const gateway = await scene.serve();

    eve.says("#team", "hermes-bot: and who am I?");
    await eve.settled();
    ada.says("#team", "hermes-bot: what time is it?");
    assert.deepEqual(
      [await eve.receivesFrom("hermes-bot"), await eve.receivesFrom("hermes-bot")],
      [
        { target: "#team", text: "Noon." },
        { target: "#team", text: "Sharp." },
      ],
    );
    ada.says("hermes-bot", "and in private?");
    await ada.sees(
      ({ command, params }) => command === "PRIVMSG" && params[0] === "ada" && params[1] === "Only for you.",
    );
    assert.equal(scene.model.requests.length, 2);
    assert.match(scene.model.requests[0]!.body, /You are chatting on IRC/);
    assert.match(scene.log(), /Refused a message on irc/);
    // Only the owner sees the memory, not a channel.
    const [team, alone] = scene.model.requests.map(({ body }) => ({
      remembers: body.includes("The cat is called Tom."),
      tools: ["memory", "session_search"].filter((name) => body.includes(`"name":"${name}"`)),
    }));
    assert.deepEqual(
      [team, alone],
      [
        { remembers: false, tools: [] },
        { remembers: true, tools: ["memory", "session_search"] },
      ],
    );

    ada.raw(`OPER ${OPERATOR.name} ${OPERATOR.password}\r\nKILL hermes-bot :go`);
    await ada.sees(({ command, source }) => command === "QUIT" && source?.nick === "hermes-bot");
    await ada.sees(({ command, source }) => command === "JOIN" && source?.nick === "hermes-bot");
    ada.says("#team", "hermes-bot: still there?");
    assert.equal((await eve.receivesFrom("hermes-bot")).text, "I am back.");

    gateway.kill("SIGTERM");
    await eve.sees(({ command, source }) => command === "QUIT" && source?.nick === "hermes-bot");
    assert.equal(await gone(gateway), 0);
  },
);
