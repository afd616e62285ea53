import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BOT,
  CONNECTION,
  FRAME,
  GROUP_REQUEST,
  GROUP_RESPONSE,
  MEMBERS_REQUEST,
  SIGN_IN,
  TO_GROUP,
  TO_USER,
} from "./messages.ts";
import { readMessage, writeMessage, type Given, type Table } from "./protobuf.ts";
import { signatureOf } from "./sign-token.ts";

const framed = <T extends Table>(
  command: string,
  module: string,
  sequence: number,
  id: string,
  table: T,
  given: Given<T>,
): string =>
  Buffer.from(
    writeMessage(FRAME, { head: { command, sequence, id, module }, data: writeMessage(table, given) }),
  ).toString("hex");
const prompter = { to: "u_1", from: "bot_1" };

test("encodes messages byte for byte as the Python original does", () => {
  assert.equal(
    framed("auth-bind", CONNECTION, 1, "m-1", SIGN_IN, {
      business: "ybBot",
      account: { id: "bot_1", source: "bot", token: "tok-1" },
      device: { appVersion: "1.0.0", system: "linux", instance: "17", botVersion: "1.0.0" },
      environment: "gray",
    }),
    "0a1f1209617574682d62696e64180122036d2d312a0b636f6e6e5f616363657373123e0a057962426f7412130a05626f745f311203626f741a05746f6b2d311a1a0a05312e302e3012056c696e757852023137c20105312e302e302a0467726179",
  );
  assert.equal(
    framed("ping", CONNECTION, 300, "m-2", {}, {}),
    "0a1b120470696e6718ac0222036d2d322a0b636f6e6e5f616363657373",
  );
  assert.equal(
    framed("query_group_info", BOT, 3, "m-3", GROUP_REQUEST, { group: "328306697" }),
    "0a31121071756572795f67726f75705f696e666f180322036d2d332a167975616e62616f5f6f70656e636c61775f70726f7879120b0a09333238333036363937",
  );
  assert.equal(
    framed("get_group_member_list", BOT, 4, "m-4", MEMBERS_REQUEST, { group: "328306697", from: 200, most: 200 }),
    "0a3612156765745f67726f75705f6d656d6265725f6c697374180422036d2d342a167975616e62616f5f6f70656e636c61775f70726f787912110a0933323833303636393710c80118c801",
  );
  assert.equal(
    framed("send_c2c_message", BOT, 5, "m-5", TO_USER, {
      id: "m-5",
      ...prompter,
      random: 4_000_000_000,
      elements: [{ type: "TIMTextElem", content: { text: "茶 is ready" } }],
      group: "328306697",
    }),
    "0a31121073656e645f6332635f6d657373616765180522036d2d352a167975616e62616f5f6f70656e636c61775f70726f787912410a036d2d351203755f311a05626f745f312080d0acf30e2a1d0a0b54494d54657874456c656d120e0a0ce88cb62069732072656164793209333238333036363937",
  );
  assert.equal(
    framed("send_c2c_message", BOT, 5, "m-6", TO_USER, {
      id: "m-6",
      ...prompter,
      random: 7,
      elements: [
        {
          type: "TIMImageElem",
          content: {
            uuid: "abc",
            pictureFormat: 3,
            pictures: [{ type: 1, bytes: 70_000, width: 3, height: 2, url: "https://r.example/a.png" }],
          },
        },
      ],
    }),
    "0a31121073656e645f6332635f6d657373616765180522036d2d362a167975616e62616f5f6f70656e636c61775f70726f787912510a036d2d361203755f311a05626f745f3120072a3c0a0c54494d496d616765456c656d122c120361626318034223080110f0a204180320022a1768747470733a2f2f722e6578616d706c652f612e706e67",
  );
  assert.equal(
    framed("send_c2c_message", BOT, 5, "m-7", TO_USER, {
      id: "m-7",
      ...prompter,
      random: 8,
      elements: [
        { type: "TIMFileElem", content: { uuid: "abc", fileName: "a.pdf", bytes: 5, url: "https://r.example/a.pdf" } },
      ],
    }),
    "0a31121073656e645f6332635f6d657373616765180522036d2d372a167975616e62616f5f6f70656e636c61775f70726f7879124b0a036d2d371203755f311a05626f745f3120082a360a0b54494d46696c65456c656d12271203616263521768747470733a2f2f722e6578616d706c652f612e7064666205612e7064665805",
  );
  const data = JSON.stringify({
    sticker_id: "252",
    package_id: "1003",
    width: 128,
    height: 128,
    formats: "png",
    name: "比心",
  });
  assert.equal(
    framed("send_group_message", BOT, 6, "m-8", TO_GROUP, {
      id: "m-8",
      group: "328306697",
      from: "bot_1",
      random: "9",
      elements: [{ type: "TIMFaceElem", content: { data } }],
      answers: "r-1",
    }),
    "0a33121273656e645f67726f75705f6d657373616765180622036d2d382a167975616e62616f5f6f70656e636c61775f70726f78791293010a036d2d3812093332383330363639371a05626f745f312a013932720a0b54494d46616365456c656d126322617b22737469636b65725f6964223a22323532222c227061636b6167655f6964223a2231303033222c227769647468223a3132382c22686569676874223a3132382c22666f726d617473223a22706e67222c226e616d65223a22e6af94e5bf83227d3a03722d31",
  );
});

test("signs a sign-in as the Python original does", () => {
  assert.equal(
    signatureOf("n0", "2026-11-24T08:00:00+08:00", "app", "sec"),
    "7d79cfd5e6df9967cacdfdf394d8b1ccad6e2dd056ac494816dd6f96e9f9df91",
  );
});

test("skips unknown fields, reads absent ones as zero, keeps the sign of a number, and refuses invalid messages", () => {
  const read = (hex: string) => readMessage(GROUP_RESPONSE, Buffer.from(hex, "hex"));
  assert.deepEqual(read(""), { code: 0, message: "", group: { name: "", ownerId: "", ownerName: "", size: 0 } });
  // Of the fields 1 to 3, and 4 to 7 of other kinds: a number, eight bytes, four bytes, a text.
  assert.deepEqual(read("08ffffffffffffffffff0112026f6b1a050a0154200520073101020304050607083d010203040a0178"), {
    code: -1,
    message: "ok",
    group: { name: "T", ownerId: "", ownerName: "", size: 5 },
  });
  for (const broken of ["08", "0a05", "12ffffffffffffffffff01", "0b", "08ffffffffffffffffffffff01"])
    assert.throws(() => read(broken), /not a message of its protocol/, broken);
});
