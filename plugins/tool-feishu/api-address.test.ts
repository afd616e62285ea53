import assert from "node:assert/strict";
import { test } from "node:test";
import { apiAddress } from "./api-address.ts";

const of = (variables: { readonly [name: string]: string }): string => apiAddress((name) => variables[name]);

test("uses Feishu's API unless FEISHU_DOMAIN or a configured address replaces it", () => {
  assert.deepEqual(
    [of({}), of({ FEISHU_DOMAIN: " " }), of({ FEISHU_DOMAIN: "feishu" }), of({ FEISHU_DOMAIN: " Lark " })],
    ["https://open.feishu.cn", "https://open.feishu.cn", "https://open.feishu.cn", "https://open.larksuite.com"],
  );
  assert.equal(
    of({ FEISHU_DOMAIN: "nowhere", FEISHU_API_BASE_URL: "http://127.0.0.1:8080//" }),
    "http://127.0.0.1:8080",
  );
  for (const domain of ["larksuite", "constructor"])
    assert.throws(() => of({ FEISHU_DOMAIN: domain }), {
      code: "unavailable",
      message: `FEISHU_DOMAIN is "${domain}"; it must be feishu or lark.`,
    });
});
