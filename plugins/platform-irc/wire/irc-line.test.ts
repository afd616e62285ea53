import assert from "node:assert/strict";
import { test } from "node:test";
import { foldName, parseIrcLine } from "./irc-line.ts";
import { lineReader } from "./line-reader.ts";
import { piecesOf } from "./pieces-of.ts";
import { withoutUndefined } from "hermes-agent/testing";

test("parses a line with tags, sender and parameters", () => {
  assert.deepEqual(
    parseIrcLine("@account=ada;note=a\\sb\\:c;empty :Ada!ada@host.example PRIVMSG #team :hello :there"),
    {
      tags: { account: "ada", note: "a b;c", empty: "" },
      source: { nick: "Ada", user: "ada", host: "host.example" },
      command: "PRIVMSG",
      params: ["#team", "hello :there"],
    },
  );
  assert.deepEqual(parseIrcLine("PING :irc.example"), {
    tags: {},
    source: undefined,
    command: "PING",
    params: ["irc.example"],
  });
  assert.deepEqual(withoutUndefined(parseIrcLine(":irc.example 353 hermes = #team :")), {
    tags: {},
    source: { nick: "irc.example" },
    command: "353",
    params: ["hermes", "=", "#team", ""],
  });
  for (const text of ["", ":only-a-sender", "@tags", "12 too short", ":::"])
    assert.equal(parseIrcLine(text), undefined, text);
});

test("compares names with the protocol's case folding", () => {
  assert.equal(foldName("Ada[away]\\~"), foldName("aDA{AWAY}|^"));
});

test("splits any chunking into lines, decodes UTF-8 or Latin-1, and skips an endless line", () => {
  const lines: string[] = [];
  const read = lineReader((line) => lines.push(line));
  const bytes = Buffer.concat([
    Buffer.from("Grüße 🦀\r\n"),
    Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 10]),
    Buffer.from("half"),
  ]);
  for (const byte of bytes) read(Uint8Array.of(byte));
  read(Buffer.from(" and whole\r\n"));
  for (let more = 0; more < 5; more++) read(Buffer.alloc(10_000, "x"));
  read(Buffer.from("tail\nPING :next\n"));
  assert.deepEqual(lines, ["Grüße 🦀", "Grüße", "half and whole", "PING :next"]);
});

test("splits a text by bytes between words, and never within a character", () => {
  assert.deepEqual(piecesOf("one\r\n\n  two\rthree\u0001\u0000", 400), ["one", "  two", "three"]);
  assert.deepEqual(piecesOf("alpha beta gamma", 12), ["alpha beta", "gamma"]);
  const family = "👩‍👩‍👧‍👦";
  for (const piece of piecesOf(`${family.repeat(20)} ${"漢字".repeat(50)}`, 60)) {
    assert.ok(Buffer.byteLength(piece) <= 60);
    assert.ok(!piece.includes("\ufffd") && piece.replaceAll(family, "").replaceAll(/[漢字 ]/gu, "") === "", piece);
  }
  assert.equal(piecesOf("x".repeat(1_000), 90).join(""), "x".repeat(1_000));
  // A character longer than a line is split between its code points instead of being lost.
  assert.equal(piecesOf(family, 10).join(""), family);
});
