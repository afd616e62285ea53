import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { test } from "node:test";
import { startChatServer } from "../../examples/plugins/loopback-chat/chat-server.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import { died, startGateway } from "./gateway-process.ts";

/** Where the gateway is killed, and whether it is then unknown if a message was sent. */
const POINTS: readonly { readonly point: string; readonly before: "nothing" | "answer"; readonly doubt?: true }[] = [
  { point: "before:receive", before: "nothing" },
  { point: "after:receive", before: "nothing" },
  { point: "after:hand", before: "nothing" },
  { point: "before:finish", before: "nothing" },
  { point: "after:sending", before: "nothing", doubt: true },
  { point: "before:sent", before: "answer", doubt: true },
];
const NOTE = /do not know whether it arrived/;

// rows 1 to 4, 23 and 40 of the fault matrix
// req: R-03
test(
  "after kill -9 between any two steps of a chat, the gateway answers each acknowledged message, sends nothing twice and reports unknown outcomes",
  { timeout: 600_000 },
  async () => {
    await using model = await startOpenAiServer(({ body }) => ({
      text: `answer ${[...body.matchAll(/message (\d+)/g)].at(-1)?.[1]}`,
    }));
    await using chat = await startChatServer();
    using user = new NewUser();
    user.connect("custom", model.url);
    const serve = (number: number): Promise<ChildProcess> =>
      startGateway(chat.port, user, POINTS[number]?.point ?? "never", `message ${number}`);
    let gateway = await serve(0);
    try {
      for (const [number, { point, before, doubt }] of POINTS.entries()) {
        const received: string[] = [];
        const until = async (last: RegExp): Promise<void> => {
          do received.push((await chat.arrived()).text);
          while (!last.test(received.at(-1)!));
        };
        await chat.write("room", "ada", `message ${number}`, `id${number}`);
        await died(gateway);
        if (before === "answer") await until(/^answer/);
        gateway = await serve(number + 1);
        // Sends it again, as a service does that missed the acknowledgement.
        await chat.write("room", "ada", `message ${number}`, `id${number}`);
        if (doubt === true) await until(NOTE);
        if (doubt === true && before === "nothing") await chat.write("room", "ada", "/resend", `again${number}`);
        if (!received.includes(`answer ${number}`)) await until(/^answer/);
        // A duplicate would arrive before the answer to this message.
        await chat.write("room", "ada", `message ${number}00`, `then${number}`);
        await until(new RegExp(`^answer ${number}00$`));
        assert.deepEqual(
          received.filter((text) => text !== `answer ${number}00`).sort(),
          [`answer ${number}`, ...(doubt === true ? [received.find((text) => NOTE.test(text))] : [])].sort(),
          point,
        );
        // An answer to a later message would confirm the one before it.
        await chat.write("room", "ada", "/title", `title${number}`);
        await until(/title/i);
      }
    } finally {
      gateway.kill("SIGKILL");
    }
  },
);
