import assert from "node:assert/strict";
import { test } from "node:test";
import { cosSignature } from "./cos-signature.ts";

test("signs an upload as the Python original does", () => {
  assert.equal(
    cosSignature({
      method: "put",
      path: "/a/b%20c.png",
      headers: {
        "x-cos-security-token": "tok+/=",
        host: "b-1.cos.accelerate.myqcloud.com",
        "content-type": "image/png",
      },
      id: "AKID",
      key: "KEY",
      from: 1_700_000_000,
      until: 1_700_000_600,
    }),
    "q-sign-algorithm=sha1&q-ak=AKID&q-sign-time=1700000000;1700000600&q-key-time=1700000000;1700000600&q-header-list=content-type;host;x-cos-security-token&q-url-param-list=&q-signature=b328949af22f20dd40a7b7c184e492092c3f405a",
  );
});
