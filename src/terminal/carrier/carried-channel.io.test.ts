import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { carriedChannel, type Carriage } from "./carried-channel.ts";
import { carrierScript } from "./carrier-script.ts";

function carried(variables: Record<string, string> = {}) {
  const name = `hermes-carrier-${randomBytes(6).toString("hex")}`;
  const child = spawn("bash", ["-c", carrierScript({ name, carries: "both", variables })], { stdio: "pipe" });
  const carriage: Carriage = {
    send: async (lines) => void child.stdin.write(lines),
    output: child.stdout.setEncoding("utf8"),
    errors: child.stderr.setEncoding("utf8"),
    close: () => undefined,
  };
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  const channel = carriedChannel(carriage, "the place");
  channel.listen(
    (bytes) => void out.push(Buffer.from(bytes)),
    (bytes) => void errors.push(Buffer.from(bytes)),
  );
  return {
    channel,
    child,
    folder: `/tmp/${name}`,
    out: () => Buffer.concat(out),
    errors: () => Buffer.concat(errors).toString("utf8"),
  };
}

test("carries arbitrary bytes in both directions over an environment that transports only text lines", async () => {
  const { channel, out, errors } = carried({ WORD: "it's declared" });
  const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, n) => n)), randomBytes(100_000)]);
  channel.write(`printf '%s\\n' "$WORD" >&2; head -c ${bytes.length}; exit 3\n`);
  channel.write(bytes.subarray(0, 300));
  channel.write(bytes.subarray(300));
  assert.match(await channel.closed, /has ended/);
  assert.ok(out().equals(bytes));
  assert.equal(errors(), "it's declared\n");
});

test("compresses long compressible output on the way and delivers it unchanged", async () => {
  const { channel, child, out } = carried();
  let travelled = 0;
  child.stdout.on("data", (text: string) => void (travelled += text.length));
  const line = "the same words again and again\n";
  // In one piece: what trickles line by line may be taken up line by line, and a single line is not packed.
  channel.write(
    `for n in {1..60}; do printf -v l '%s' "$l$n ${line.trim()}"; done; f=$(mktemp); for n in {1..600}; do printf '%s\\n' "$l"; done >"$f"; cat "$f"; rm "$f"; exit 0\n`,
  );
  assert.match(await channel.closed, /has ended/);
  const one = Array.from({ length: 60 }, (_, n) => `${n + 1} ${line.trim()}`).join("");
  assert.equal(out().toString("utf8"), `${one}\n`.repeat(600));
  assert.ok(travelled < out().length / 5, `${travelled} of ${out().length}`);
});

test("invalid compressed data, or data that unpacks beyond the limit, counts as a lost environment", async () => {
  const packed = (bytes: Buffer) => `~${deflateRawSync(bytes).toString("base64")}\n`;
  const message = async (line: string) => {
    const carriage: Carriage = {
      send: async () => {},
      output: (async function* () {
        yield line;
      })(),
      errors: (async function* () {
        yield ".\n";
      })(),
      close: () => {},
    };
    const out: number[] = [];
    const channel = carriedChannel(carriage, "the place");
    channel.listen(
      (bytes) => void out.push(bytes.length),
      () => {},
    );
    return [await channel.closed, out] as const;
  };
  assert.deepEqual((await message(`${packed(Buffer.alloc(40_000))}.\n`))[1], [40_000]);
  assert.match((await message(packed(Buffer.alloc(10_000_000))))[0], /was lost: it sent: ~/);
  assert.match((await message("~bm90aGluZw==\n"))[0], /was lost: it sent: ~/);
});

test("closing a channel ends its processes, and a lost environment is reported", async () => {
  const saved = carried();
  const ended = new Promise((resolve) => saved.child.once("exit", resolve));
  saved.channel.write("echo $$\n");
  while (saved.out().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  saved.channel.kill();
  assert.match(await saved.channel.closed, /was closed/);
  await ended;

  const lost = carried();
  lost.channel.write("echo ready\n");
  while (lost.out().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  lost.child.stdout.destroy(new Error("no route"));
  assert.match(await lost.channel.closed, /the place was lost: no route/);
  lost.child.stdin.end();
});

test("an environment that was briefly unreachable still receives the end, and ends its processes", async () => {
  const name = `hermes-carrier-${randomBytes(6).toString("hex")}`;
  const child = spawn("bash", ["-c", carrierScript({ name, carries: "both", variables: {} })], { stdio: "pipe" });
  let refusals = 2;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const send = async (lines: string) => {
    if (lines === ".\n" && refusals-- > 0) throw new Error("no route");
    child.stdin.write(lines);
  };
  const channel = carriedChannel(
    {
      send,
      output: child.stdout.setEncoding("utf8"),
      errors: child.stderr.setEncoding("utf8"),
      close: () => undefined,
    },
    "the place",
  );
  const started = new Promise<void>((resolve) =>
    channel.listen(
      () => resolve(),
      () => {},
    ),
  );
  channel.write("echo ready; sleep 300\n");
  await started;
  const startedAt = performance.now();
  channel.kill();
  await ended;
  assert.ok(performance.now() - startedAt < 40_000, "long before it would end for silence");
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
});

test("leaves no files in the environment after the shell has ended", async () => {
  const { channel, child, folder } = carried();
  const ended = new Promise((resolve) => child.once("close", resolve));
  channel.write("exit\n");
  await channel.closed;
  child.stdin.end();
  await ended;
  assert.equal(existsSync(folder), false);
});

test("frees a long chunk's memory after delivery, but not that of a short one, which others share", async () => {
  const long = Buffer.alloc(48_000, "long ");
  const carriage: Carriage = {
    send: async () => {},
    output: (async function* () {
      yield `~${deflateRawSync(long).toString("base64")}\n${Buffer.from("short").toString("base64")}\n.\n`;
    })(),
    errors: (async function* () {
      yield ".\n";
    })(),
    close: () => {},
  };
  const output: { readonly bytes: Uint8Array; readonly text: string }[] = [];
  const channel = carriedChannel(carriage, "the place");
  channel.listen(
    (bytes) => void output.push({ bytes, text: Buffer.from(bytes).toString("utf8") }),
    () => {},
  );
  await channel.closed;
  assert.deepEqual(
    output.map(({ text }) => text),
    [long.toString("utf8"), "short"],
  );
  assert.deepEqual(
    output.map(({ bytes }) => bytes.length),
    [0, 5],
  );
});
