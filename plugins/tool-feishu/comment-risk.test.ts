import assert from "node:assert/strict";
import { test } from "node:test";
import { reachOfComment, riskOfComment } from "./comment-risk.ts";
import type { FeishuInput, FeishuTool } from "./read-call.ts";

const OWNER = { whose: undefined, chat: undefined };
const OTHER = { whose: "feishu:someone", chat: undefined };
const REPLY: readonly [FeishuTool, FeishuInput] = [
  "feishu_drive_reply_comment",
  { file_token: "XIHSdYSI7oMEU1xrsnxc8fabcef", comment_id: "691", content: "Tea" },
];

test("a reply asks and counts as sending; an approval covers one document", () => {
  const risk = riskOfComment(...REPLY, OWNER);
  assert.deepEqual(risk, {
    answer: "ask",
    key: "comment on feishu:XIHSdYSI7oMEU1xrsnxc8fabcef",
    reasons: ["Replies to comment 691 on the Feishu docx XIHSdYSI7oMEU1xrsnxc8fabcef, where others can read it: “Tea”"],
    effects: [],
  });
  assert.equal(
    riskOfComment(
      "feishu_drive_add_comment",
      { file_token: "https://tea.feishu.cn/docx/XIHSdYSI7oMEU1xrsnxc8fabcef", content: "Cups" },
      OWNER,
    )?.key,
    risk?.key,
  );
  assert.deepEqual(reachOfComment(...REPLY, OWNER), [
    { kind: "send", what: "Feishu, comment on XIHSdYSI7oMEU1xrsnxc8fabcef: “Tea”" },
  ]);
});

test("does not ask if nothing will be sent: invalid arguments, or another user's conversation", () => {
  for (const given of [
    { file_token: "", content: "Tea" },
    { file_token: "a/b", content: "Tea" },
    { file_token: "abc", content: " " },
  ])
    assert.deepEqual(
      [
        riskOfComment("feishu_drive_add_comment", given, OWNER),
        reachOfComment("feishu_drive_add_comment", given, OWNER),
      ],
      [undefined, []],
    );
  assert.deepEqual([riskOfComment(...REPLY, OTHER), reachOfComment(...REPLY, OTHER)], [undefined, []]);
});
