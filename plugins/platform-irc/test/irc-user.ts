import { connect } from "node:net";
import { createInterface } from "node:readline";
import { parseIrcLine, type IrcLine } from "../wire/irc-line.ts";

/** A user with an ordinary IRC client. */
export async function ircUser(port: number, nick: string) {
  const socket = connect(port, "127.0.0.1");
  const seen: IrcLine[] = [];
  let message = Promise.withResolvers<void>();
  socket.on("error", () => socket.destroy());
  createInterface({ input: socket }).on("line", (text) => {
    const line = parseIrcLine(text);
    if (line === undefined) return;
    if (line.command === "PING") socket.write(`PONG :${line.params.at(-1)}\r\n`);
    seen.push(line);
    message.resolve();
    message = Promise.withResolvers();
  });
  const prompter = {
    raw: (line: string | Uint8Array) => void socket.write(typeof line === "string" ? `${line}\r\n` : line),
    /** The next matching line; earlier lines are dropped. */
    async sees(wanted: (line: IrcLine) => boolean): Promise<IrcLine> {
      for (;;) {
        for (let line = seen.shift(); line !== undefined; line = seen.shift()) if (wanted(line)) return line;
        await message.promise;
      }
    },
    async joins(channel: string) {
      prompter.raw(`JOIN ${channel}`);
      await prompter.sees(({ command }) => command === "366");
    },
    /** Resolves when the server has processed everything written before. */
    async settled() {
      prompter.raw("PING :settled");
      await prompter.sees(({ command, params }) => command === "PONG" && params.at(-1) === "settled");
    },
    says: (target: string, text: string) => prompter.raw(`PRIVMSG ${target} :${text}`),
    /** The next message of that user. */
    async receivesFrom(from: string) {
      const { params } = await prompter.sees(({ command, source }) => command === "PRIVMSG" && source?.nick === from);
      return { target: params[0]!, text: params[1]! };
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
  prompter.raw(`NICK ${nick}\r\nUSER ${nick} 0 * :${nick}`);
  await prompter.sees(({ command }) => command === "001");
  return prompter;
}
