import { createServer, type AddressInfo, type Socket } from "node:net";

export interface SentMail {
  readonly to: string;
  readonly source: string;
}

/** An SMTP server of RFC 5321 that requires a password. Checks what it receives, and misbehaves on demand. */
export async function startSmtpServer(address: string, password: string) {
  const mails: SentMail[] = [];
  const waiting: ((mail: SentMail) => void)[] = [];
  const sockets = new Set<Socket>();
  const misdeeds: ("drop" | "half" | "error")[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    const say = (line: string): void => void (socket.writable && socket.write(`${line}\r\n`));
    let state: { signedIn: boolean; from: boolean; to: string; data: string | undefined } = fresh(false);
    let rest = "";
    socket.on("data", (bytes) => {
      rest += bytes.toString();
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        take(line);
      }
    });
    say("220 mail.test ESMTP");

    function take(line: string): void {
      if (state.data !== undefined) return line === "." ? accept() : note(line.replace(/^\./, ""));
      const verb = line.split(" ")[0]!.toUpperCase();
      if (verb === "EHLO") return say("250-mail.test\r\n250-AUTH PLAIN\r\n250 8BITMIME");
      if (verb === "QUIT") return void (say("221 Bye"), socket.end());
      if (verb === "AUTH") {
        const [, user, given] = Buffer.from(line.split(" ")[2] ?? "", "base64")
          .toString()
          .split("\0");
        state.signedIn = user === address && given === password;
        return say(state.signedIn ? "235 Accepted" : "535 Authentication failed");
      }
      if (!state.signedIn) return say("530 Authentication required");
      if (verb === "RSET") {
        state = fresh(true);
        return say("250 OK");
      }
      if (verb === "MAIL") {
        state.from = line.includes(`<${address}>`);
        return say(state.from ? "250 OK" : "553 Not your address");
      }
      if (verb === "RCPT") {
        state.to = /<([^<>]+)>/.exec(line)?.[1] ?? "";
        return say(state.to.startsWith("unknown@") || state.to === "" ? "550 No such user" : "250 OK");
      }
      if (verb !== "DATA") return say("502 Not implemented");
      if (!state.from || state.to === "") return say("503 Bad sequence of commands");
      state.data = "";
      say("354 Go ahead");
    }

    function note(line: string): void {
      state.data += `${line}\r\n`;
      if (Buffer.byteLength(line) > 998) state.data += "X-Too-Long: 1\r\n";
    }

    function accept(): void {
      const { to, data: source = "" } = state;
      state = fresh(true);
      const misdeed = misdeeds.shift();
      if (misdeed === "drop") return void socket.destroy();
      if (misdeed === "half") return void (socket.write("25"), setTimeout(() => socket.destroy(), 20));
      if (misdeed === "error") return say("451 Try again later");
      const lacks = [
        "Message-ID: <",
        `From: ${address}`,
        `To: ${to}`,
        "Subject: ",
        "Date: ",
        "Auto-Submitted: auto-",
      ].find((one) => !source.toLowerCase().includes(one.toLowerCase()));
      if (lacks !== undefined || source.includes("X-Too-Long")) return say(`554 Invalid message: ${lacks}`);
      say("250 Queued");
      const mail = { to, source };
      const next = waiting.shift();
      if (next === undefined) mails.push(mail);
      else next(mail);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** The next message that it accepted. */
    next: (): Promise<SentMail> =>
      mails.length > 0 ? Promise.resolve(mails.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    /** The next message is answered so. */
    misbehave: (how: "drop" | "half" | "error") => void misdeeds.push(how),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fresh(signedIn: boolean) {
  return { signedIn, from: false, to: "", data: undefined as string | undefined };
}
