import { platformContract, quietLog } from "hermes-agent/testing";
import { ircPlatform } from "./irc-platform.ts";
import { ircUser } from "./test/irc-user.ts";
import { OPERATOR, startNgircd, withNgircd } from "./test/irc-server.ts";

// req: plugins.platform-irc
platformContract(
  "irc",
  async () => {
    const server = await startNgircd();
    const people = new Map<string, ReturnType<typeof ircUser>>();
    const prompter = (nick: string): ReturnType<typeof ircUser> => {
      const known = people.get(nick) ?? entered(server.port, nick);
      people.set(nick, known);
      return known;
    };
    const watcher = await entered(server.port, "watcher");
    const env: Record<string, string> = {
      IRC_SERVER: "127.0.0.1",
      IRC_PORT: String(server.port),
      IRC_CHANNEL: "#team",
    };
    return {
      platform: ircPlatform((name) => env[name], quietLog()),
      extra: { lines_per_second: 100 },
      chat: "#team",
      // A line of the protocol is a line, and no longer than 512 bytes.
      sayable: (text) => !text.includes("\n") && Buffer.byteLength(text) < 400,
      group: "#team",
      async write(chat, nick, text, { mention = true } = {}) {
        (await prompter(nick)).says(chat, mention ? `hermes-bot: ${text}` : text);
      },
      async arrived() {
        const { target, text } = await watcher.receivesFrom("hermes-bot");
        return { chat_id: target, text };
      },
      async cut() {
        const boss = await prompter("boss");
        boss.raw(`OPER ${OPERATOR.name} ${OPERATOR.password}\r\nKILL hermes-bot :go`);
        await watcher.sees(({ command, source }) => command === "QUIT" && source?.nick === "hermes-bot");
      },
      refusing: "nobody-here",
      async [Symbol.asyncDispose]() {
        watcher[Symbol.dispose]();
        for (const one of people.values()) (await one)[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  },
  { ...withNgircd, folder: import.meta.dirname },
);

async function entered(port: number, nick: string): ReturnType<typeof ircUser> {
  const prompter = await ircUser(port, nick);
  await prompter.joins("#team");
  return prompter;
}
