import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeBytes, encodeString, encodingName, readableText } from "./text-encoding.ts";

const CASES: readonly (readonly [why: string, bytes: Uint8Array, encoding: string | undefined, text: string])[] = [
  ["ASCII", Buffer.from("a\nb"), "utf-8", "a\nb"],
  ["nothing", Buffer.from(""), "utf-8", ""],
  ["UTF-8", Buffer.from("häß 漢 🦀"), "utf-8", "häß 漢 🦀"],
  ["UTF-8 with a mark", Buffer.from("\ufeffhä"), "utf-8", "hä"],
  ["UTF-16 as PowerShell writes it", Buffer.from("\ufeffkey: ä\r\n", "utf16le"), "utf-16le", "key: ä\r\n"],
  ["big-endian UTF-16", Buffer.from([0xfe, 0xff, 0, 0x61, 0x6f, 0x22]), "utf-16be", "a漢"],
  ["UTF-16 without a mark", Buffer.from("hello\n", "utf16le"), "utf-16le", "hello\n"],
  ["Latin-1", Buffer.from("café\n", "latin1"), "latin-1", "café\n"],
  ["Latin-1 with many accents", Buffer.from("Übergröße: ÄÖÜ éèàù", "latin1"), "latin-1", "Übergröße: ÄÖÜ éèàù"],
  ["quotes of Windows", Buffer.from([0x93, 0x68, 0x69, 0x20, 0x61, 0x6c, 0x6c, 0x94]), "windows-1252", "“hi all”"],
  ["GBK", Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xa3, 0xac, 0xca, 0xc0, 0xbd, 0xe7]), "gbk", "你好，世界"],
  ["a wrong byte in UTF-8", Buffer.from([0xc3, 0xa4, 0xff, 0xc3, 0xa4]), "utf-8", "ä\udcffä"],
  ["UTF-8 that was cut", Buffer.from("ää漢").subarray(0, 6), "utf-8", "ää\udce6\udcbc"],
  ["a program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0xff]), undefined, ""],
  ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), undefined, ""],
  ["half a character of UTF-16", Buffer.from([0xff, 0xfe, 0x61]), undefined, ""],
];

for (const [why, bytes, encoding, text] of CASES) {
  // field: F06
  test(`decodes bytes as ${encoding ?? "no text"} and encodes them back unchanged: ${why}`, () => {
    const decoded = decodeBytes(bytes);
    assert.equal(decoded?.encoding.name, encoding);
    if (decoded === undefined) return;
    assert.equal(decoded.text, text);
    const again = encodeString(decoded.text, decoded.encoding);
    assert.ok("bytes" in again);
    assert.deepEqual(Buffer.from(again.bytes), Buffer.from(bytes));
  });
}

// field: F06
test("names a character that the encoding cannot represent", () => {
  for (const name of ["latin-1", "windows-1252"] as const)
    assert.deepEqual(encodeString("aé漢", { name, bom: false }), { missing: "漢" });
  assert.deepEqual(encodeString("漢🦀", { name: "gbk", bom: false }), { missing: "🦀" });
  assert.equal(encodingName({ name: "utf-8", bom: true }), undefined);
});

test("text decoded for reading has no lone surrogates", () => {
  assert.equal(readableText(Buffer.from([0xc3, 0xa4, 0xff, 0xc3, 0xa4])), "ä\ufffdä");
});

test("every text survives encodings that have all its characters", () => {
  const random = (below: number): number => Math.floor(next() * below);
  let state = 7;
  const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296;
  for (let round = 0; round < 500; round++) {
    const bytes = Uint8Array.from({ length: random(60) }, () =>
      random(3) === 0 ? 128 + random(128) : 32 + random(95),
    );
    const decoded = decodeBytes(bytes);
    if (decoded === undefined) continue;
    const again = encodeString(decoded.text, decoded.encoding);
    assert.ok("bytes" in again && Buffer.from(again.bytes).equals(bytes), `${Buffer.from(bytes).toString("hex")}`);
  }
});
