import assert from "node:assert/strict";
import { test } from "node:test";
import { multipart } from "./multipart.ts";

test("encodes text, objects, bytes and a name with quotes and line breaks", async () => {
  const bytes = new Uint8Array([0, 13, 10, 45, 45, 255]);
  const { contentType, body } = multipart({ chat_id: "7", caption: "Grüße 🦀", reply_parameters: { message_id: 4 } }, [
    { field: "document", name: 'a"b\r\nX: y.pdf', bytes },
  ]);
  const form = await new Response(Buffer.from(body), { headers: { "content-type": contentType } }).formData();
  assert.deepEqual(
    [form.get("chat_id"), form.get("caption"), form.get("reply_parameters")],
    ["7", "Grüße 🦀", '{"message_id":4}'],
  );
  const file = form.get("document") as File;
  assert.equal(file.name, 'a"b  X: y.pdf');
  assert.deepEqual(new Uint8Array(await file.arrayBuffer()), bytes);
});
