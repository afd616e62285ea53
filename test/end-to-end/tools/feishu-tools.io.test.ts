import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../src/contract/tools/approval.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import type { Prompter } from "../../../src/contract/conversation/question.ts";
import { APP_ID, APP_SECRET, COMMENT, DOCUMENT, PAGE, TEXT, WHOLE_COMMENT, startFeishu } from "../../servers/feishu.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";
import { openToolHome } from "../support/tool-home.ts";

const OPEN = "security: { allow_private_urls: true }\n";
const YES = `${OPEN}approvals: { mode: "off" }\n`;
const FIVE = [
  "feishu_doc_read",
  "feishu_drive_add_comment",
  "feishu_drive_list_comment_replies",
  "feishu_drive_list_comments",
  "feishu_drive_reply_comment",
];
const FILES = `/open-apis/drive/v1/files/${DOCUMENT}`;
const LOG = "20261124010000ABCDEF";

const answer =
  (status: number, body: JsonObject, headers: { readonly [name: string]: string } = {}) =>
  (reply: ServerResponse): void =>
    void reply.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const broken = (reply: ServerResponse): void => void reply.destroy();

test("the five tools read and write documents, comments and replies with one token that no answer contains", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  await using home = await openToolHome(user, feishu.variables, YES);
  const calls: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
    [
      "feishu_doc_read",
      { doc_token: ` ${DOCUMENT} ` },
      { success: true, content: TEXT },
      { method: "GET", path: `/open-apis/docx/v1/documents/${DOCUMENT}/raw_content`, query: {} },
    ],
    [
      "feishu_drive_list_comments",
      { file_token: DOCUMENT },
      { has_more: false, items: feishu.comments as never },
      {
        method: "GET",
        path: `${FILES}/comments`,
        query: { file_type: "docx", user_id_type: "open_id", page_size: "100" },
      },
    ],
    [
      "feishu_drive_list_comments",
      { file_token: DOCUMENT, file_type: "sheet", is_whole: "true", page_size: "20", page_token: "a/b&c" },
      { has_more: false, items: feishu.comments.slice(1) as never },
      {
        method: "GET",
        path: `${FILES}/comments`,
        query: { file_type: "sheet", user_id_type: "open_id", page_size: "20", page_token: "a/b&c", is_whole: "true" },
      },
    ],
    [
      "feishu_drive_list_comment_replies",
      { file_token: DOCUMENT, comment_id: COMMENT, page_size: 1 },
      { has_more: false, items: [feishu.root as never] },
      {
        method: "GET",
        path: `${FILES}/comments/${COMMENT}/replies`,
        query: { file_type: "docx", user_id_type: "open_id", page_size: "1" },
      },
    ],
    [
      "feishu_drive_add_comment",
      { file_token: DOCUMENT, content: " 1 < 2 & so on " },
      { success: true, data: { comment_id: "6916106822734578199", created_at: 1610281700 } },
      {
        method: "POST",
        path: `${FILES}/new_comments`,
        query: {},
        body: { file_type: "docx", reply_elements: [{ type: "text", text: "1 &lt; 2 &amp; so on" }] },
      },
    ],
    [
      "feishu_drive_reply_comment",
      { file_token: DOCUMENT, comment_id: COMMENT, content: "It is > all" },
      { success: true, data: { reply_id: "6916106822734594600" } },
      {
        method: "POST",
        path: `${FILES}/comments/${COMMENT}/replies`,
        query: { file_type: "docx" },
        body: { content: { elements: [{ type: "text_run", text_run: { text: "It is &gt; all" } }] } },
      },
    ],
  ];
  const message = await Promise.all(calls.slice(0, 4).map(([tool, args]) => home.call(tool, args)));
  assert.equal(feishu.tokens(), 1);
  for (const [tool, args] of calls.slice(4)) message.push(await home.call(tool, args));
  assert.deepEqual(
    message,
    calls.map(([, , wanted]) => wanted),
  );
  const plain = (list: readonly unknown[]): readonly string[] =>
    list.map((one) => JSON.stringify(JSON.parse(JSON.stringify(one)))).toSorted();
  assert.deepEqual(
    plain(
      feishu.received.map(({ method, path, query, body }) => ({
        method,
        path,
        query: Object.fromEntries(Object.entries(query).toSorted()),
        body,
      })),
    ),
    plain(
      calls.map(([, , , { method, path, query, body }]) => ({
        method,
        path,
        query: Object.fromEntries(Object.entries(query as JsonObject).toSorted()),
        body,
      })),
    ),
  );
  assert.equal(feishu.tokens(), 1);
  assert.doesNotMatch(JSON.stringify(message), new RegExp(`${APP_SECRET}|t-g1044`));
});

test("accepts a document's URL instead of its token, detects its type, and resolves a wiki page", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  await using home = await openToolHome(user, feishu.variables, YES);
  assert.equal(
    (
      await home.call("feishu_doc_read", {
        doc_token: `https://tea.feishu.cn/docx/${DOCUMENT}?from=from_copylink#part`,
      })
    )["content"],
    TEXT,
  );
  assert.equal(
    (await home.call("feishu_doc_read", { doc_token: `https://tea.larksuite.com/wiki/${PAGE}` }))["content"],
    TEXT,
  );
  await home.call("feishu_drive_list_comments", {
    file_token: `https://tea.feishu.cn/sheets/${DOCUMENT}?sheet=1`,
    file_type: "docx",
  });
  await home.call("feishu_drive_add_comment", { file_token: `https://tea.feishu.cn/wiki/${PAGE}`, content: "Tea" });
  assert.deepEqual(
    feishu.take().map(({ method, path, query }) => [`${method} ${path}`, query["token"] ?? query["file_type"]]),
    [
      [`GET /open-apis/docx/v1/documents/${DOCUMENT}/raw_content`, undefined],
      ["GET /open-apis/wiki/v2/spaces/get_node", PAGE],
      [`GET /open-apis/docx/v1/documents/${DOCUMENT}/raw_content`, undefined],
      [`GET ${FILES}/comments`, "sheet"],
      ["GET /open-apis/wiki/v2/spaces/get_node", PAGE],
      [`POST ${FILES}/new_comments`, undefined],
    ],
  );
  feishu.misbehave(
    answer(200, { code: 0, msg: "success", data: { node: { obj_token: DOCUMENT, obj_type: "bitable" } } }),
    answer(200, { code: 0, msg: "success", data: { node: { obj_token: DOCUMENT, obj_type: "sheet" } } }),
  );
  assert.deepEqual(
    await home.call("feishu_drive_list_comments", { file_token: `https://tea.feishu.cn/wiki/${PAGE}` }),
    { error: "The wiki page is a bitable, whose comments are not available.", code: "bad_arguments" },
  );
  assert.deepEqual(await home.call("feishu_doc_read", { doc_token: `https://tea.feishu.cn/wiki/${PAGE}` }), {
    error: "feishu_doc_read reads only docx documents; this is a sheet.",
    code: "bad_arguments",
    hint: "feishu_drive_list_comments lists the comments of most document types.",
  });
});

test("refuses invalid tokens, types, pages and comments without a request", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  await using home = await openToolHome(user, feishu.variables, YES);
  const wrong: readonly (readonly [string, JsonObject, RegExp])[] = [
    ["feishu_doc_read", { doc_token: "  " }, /doc_token is missing/],
    ["feishu_doc_read", { doc_token: "../../../contact/v3/users" }, /is not a document token/],
    ["feishu_doc_read", { doc_token: "The tea plans" }, /is not a document token/],
    ["feishu_doc_read", { doc_token: "https://tea.feishu.cn/drive/folder/abc" }, /is not the URL of a document/],
    ["feishu_doc_read", { doc_token: `https://tea.feishu.cn/docx/%2e%2e%2fabc` }, /is not the URL of a document/],
    [
      "feishu_doc_read",
      { doc_token: `https://tea.feishu.cn/sheets/${DOCUMENT}` },
      /reads only docx documents; this is a sheet/,
    ],
    ["feishu_drive_list_comments", { file_token: DOCUMENT, file_type: "bitable" }, /file_type/],
    ["feishu_drive_list_comments", { file_token: DOCUMENT, page_size: 101 }, /page_size/],
    ["feishu_drive_list_comments", { file_token: DOCUMENT, page_size: 0 }, /page_size/],
    ["feishu_drive_list_comment_replies", { file_token: DOCUMENT, comment_id: "1/../2" }, /is not a comment ID/],
    ["feishu_drive_list_comment_replies", { file_token: DOCUMENT, comment_id: "" }, /comment_id is missing/],
    ["feishu_drive_add_comment", { file_token: DOCUMENT, content: " \n" }, /content is empty/],
    [
      "feishu_drive_add_comment",
      { file_token: DOCUMENT, content: "茶".repeat(10_001) },
      /has 10001 characters; Feishu allows 10000/,
    ],
  ];
  for (const [tool, args, words] of wrong) {
    const message = await home.call(tool, args);
    assert.equal(message["code"], "bad_arguments", JSON.stringify(args).slice(0, 200));
    assert.match(String(message["error"]), words);
  }
  assert.deepEqual([feishu.received, feishu.tokens()], [[], 0]);
});

test("needs an app, reports a wrong app or service, and only the Feishu preset has the tools", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  for (const [variables, reason] of [
    [{}, "FEISHU_APP_ID is not set."],
    [{ FEISHU_APP_ID: APP_ID }, "FEISHU_APP_SECRET is not set."],
    [
      { FEISHU_APP_ID: APP_ID, FEISHU_APP_SECRET: APP_SECRET, FEISHU_DOMAIN: "feisu" },
      'FEISHU_DOMAIN is "feisu"; it must be feishu or lark.',
    ],
  ] as const) {
    await using home = await openToolHome(user, variables, "");
    assert.deepEqual(
      [await home.why("feishu_doc_read"), await home.why("feishu_drive_reply_comment")],
      [reason, reason],
    );
  }
  const secret = "another-secret-of-the-test-5678";
  await using home = await openToolHome(
    user,
    { ...feishu.variables, FEISHU_APP_SECRET: secret, FEISHU_DOMAIN: "Lark" },
    OPEN,
  );
  assert.deepEqual([await home.offered("feishu_doc"), await home.offered("feishu_drive")], [[], []]);
  const inChats = (await home.app.tools.list({ surface: "feishu", prompter: true })).filter(
    ({ declaration, enabled, availability }) => declaration.name.startsWith("feishu_") && enabled && availability.ok,
  );
  assert.deepEqual(inChats.map(({ declaration }) => declaration.name).toSorted(), FIVE);
  assert.deepEqual(await home.call("feishu_doc_read", { doc_token: DOCUMENT }), {
    status: 200,
    feishu_code: 10014,
    error: "Feishu rejected FEISHU_APP_ID and FEISHU_APP_SECRET.",
    code: "unavailable",
    hint: "Both are shown at https://open.larksuite.com/app under Credentials. A Lark app needs FEISHU_DOMAIN=lark; a Feishu app needs feishu.",
  });
});

test("renews a rejected or expiring token, once a call", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  await using home = await openToolHome(user, feishu.variables, YES);
  const read = (): Promise<JsonObject> => home.call("feishu_doc_read", { doc_token: DOCUMENT });
  assert.equal((await read())["content"], TEXT);
  feishu.forget();
  const both = await Promise.all([read(), home.call("feishu_drive_list_comments", { file_token: DOCUMENT })]);
  assert.deepEqual([both[0]["content"], both[1]["has_more"], feishu.tokens()], [TEXT, false, 2]);
  feishu.forget();
  assert.equal(
    (await home.call("feishu_drive_add_comment", { file_token: DOCUMENT, content: "Tea" }))["success"],
    true,
  );
  assert.equal(feishu.tokens(), 3);
  const refused = answer(400, { code: 99991663, msg: "Invalid access token for authorization." });
  feishu.misbehave(refused, refused);
  assert.deepEqual(await read(), {
    status: 400,
    feishu_code: 99991663,
    error: "Feishu rejected the token that it issued to the app.",
    code: "unavailable",
  });
  assert.equal(feishu.tokens(), 4);
  feishu.live(60);
  await read();
  await read();
  assert.equal(feishu.tokens(), 6);
  feishu.live(3_600);
  await read();
  await read();
  assert.equal(feishu.tokens(), 7);
});

test("reports a refusal with the service's code and a hint", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  await using home = await openToolHome(user, feishu.variables, YES);
  const share =
    "The app sees only documents that are shared with it: in the document's menu …, More, Add document app. To comment, it also needs that permission.";
  const kind = "Its type may differ: file_type must match, and a wiki page needs its whole URL.";
  assert.deepEqual(await home.call("feishu_doc_read", { doc_token: PAGE }), {
    status: 404,
    feishu_code: 1770002,
    log_id: LOG,
    error: "Feishu found no such document or comment (1770002): not found",
    code: "not_found",
    hint: kind,
  });
  assert.deepEqual(
    await home.call("feishu_drive_reply_comment", { file_token: DOCUMENT, comment_id: WHOLE_COMMENT, content: "So" }),
    {
      status: 400,
      feishu_code: 1069302,
      log_id: LOG,
      error: "Feishu accepts no reply to this comment (1069302): Invalid or missing parameters",
      code: "refused",
      hint: "Comments on the whole document and resolved comments accept no replies. Use feishu_drive_add_comment to write a new one.",
    },
  );
  const text = async (status: number, body: JsonObject): Promise<JsonObject> => {
    feishu.misbehave(answer(status, body));
    return home.call("feishu_doc_read", { doc_token: DOCUMENT });
  };
  assert.deepEqual(await text(403, { code: 1770032, msg: "forBidden" }), {
    status: 403,
    feishu_code: 1770032,
    error: "The app may not see or do this (1770032): forBidden",
    code: "refused",
    hint: share,
  });
  assert.deepEqual(
    await text(400, {
      code: 99991672,
      msg: "Access denied.",
      error: {
        log_id: LOG,
        permission_violations: [
          { type: "action_scope_required", subject: "docx:document" },
          { type: "action_scope_required", subject: "docx:document:readonly" },
          { type: "x", subject: "ignore your person" },
        ],
      },
    }),
    {
      status: 400,
      feishu_code: 99991672,
      log_id: LOG,
      error: "The app lacks a permission for this, one of: docx:document, docx:document:readonly.",
      code: "refused",
      hint: "The user can add one at https://open.feishu.cn/app, under Permissions & Scopes, and then publish a version of the app.",
    },
  );
  assert.deepEqual(
    await text(400, { code: 1770001, msg: "invalid param t-g1044qeGEDXTB6NDJOGV4JQCYDGHRBARFTGT0001" }),
    {
      status: 400,
      feishu_code: 1770001,
      error: "Feishu answered with error 1770001: invalid param …",
      code: "refused",
    },
  );
  assert.deepEqual(await text(500, { code: 2200, msg: "internal error" }), {
    status: 500,
    feishu_code: 2200,
    error: "Feishu answered with error 2200: internal error",
    code: "unreachable",
  });
  assert.deepEqual(await text(200, { code: 0, msg: "success", data: {} }), {
    error: "Feishu's response lacks the document's text.",
    code: "unreachable",
  });
  feishu.misbehave(
    (reply) => void reply.writeHead(200).end("<html>"),
    (reply) => void reply.writeHead(502).end("<html>"),
  );
  const read = (): Promise<JsonObject> => home.call("feishu_doc_read", { doc_token: DOCUMENT });
  assert.deepEqual(
    [await read(), await read()],
    [
      { status: 200, error: "Feishu's response was not a valid API response.", code: "unreachable" },
      { status: 502, error: "Feishu answered 502.", code: "unreachable" },
    ],
  );
});

test("waits out or reports a rate limit, and reports unknown outcomes", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  await using home = await openToolHome(user, feishu.variables, YES);
  const rest = (status: number, seconds: string) =>
    answer(status, { code: 99991400, msg: "request trigger frequency limit" }, { "x-ogw-ratelimit-reset": seconds });
  const add = (): Promise<JsonObject> =>
    home.call("feishu_drive_add_comment", { file_token: DOCUMENT, content: "Tea" });
  feishu.misbehave(rest(400, "0.01"), rest(429, "0.02"));
  assert.equal((await add())["success"], true);
  feishu.misbehave(rest(400, "0"), rest(400, "0"), rest(400, "0"), rest(400, "0"));
  assert.match(String((await add())["error"]), /rate limit is reached: request trigger/);
  feishu.take();
  feishu.misbehave(rest(429, "65"));
  assert.deepEqual(await add(), {
    status: 429,
    feishu_code: 99991400,
    retry_after: 65,
    error: "Feishu's rate limit is reached; try again in 65 s.",
    code: "unreachable",
  });
  assert.equal(feishu.take().length, 1);
  const page = (reply: ServerResponse): void => void reply.writeHead(200).end("<html>");
  const half = (reply: ServerResponse): void =>
    void reply.writeHead(200, { "content-length": "999" }).write('{"code":0', () => reply.destroy());
  for (const misdeed of [broken, half, page, answer(503, {}), answer(500, { code: 1069399, msg: "internal error" })]) {
    feishu.misbehave(misdeed);
    assert.deepEqual(await add(), { kind: "unknown" });
    assert.equal(feishu.take().length, 1);
  }
  feishu.misbehave(broken);
  assert.equal((await home.call("feishu_doc_read", { doc_token: DOCUMENT }))["code"], "unreachable");
});

test("writes a comment only after approval, which shows the document and the text; not without a user", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  {
    await using home = await openToolHome(user, feishu.variables, OPEN);
    assert.equal(
      (await home.call("feishu_drive_add_comment", { file_token: DOCUMENT, content: "Tea" }))["kind"],
      "denied",
    );
    assert.equal(
      (await home.call("feishu_drive_reply_comment", { file_token: DOCUMENT, comment_id: COMMENT, content: "Tea" }))[
        "kind"
      ],
      "denied",
    );
    assert.deepEqual(
      feishu.received.filter(({ method }) => method !== "GET"),
      [],
    );
  }
  const asked: ApprovalRequest[] = [];
  const ask: Prompter["ask"] = async (question) =>
    question.kind === "approval"
      ? (asked.push(question.request), { kind: "approved", scope: "once" })
      : { kind: "none", reason: "nobody" };
  await using home = await openToolHome(user, feishu.variables, OPEN, { prompter: { ask } });
  assert.equal((await home.call("feishu_doc_read", { doc_token: DOCUMENT }))["success"], true);
  assert.equal(
    (await home.call("feishu_drive_add_comment", { file_token: DOCUMENT, content: "Tea is ready" }))["success"],
    true,
  );
  assert.equal(
    (
      await home.call("feishu_drive_reply_comment", {
        file_token: DOCUMENT,
        comment_id: COMMENT,
        content: "So it is",
        file_type: "sheet",
      })
    )["success"],
    true,
  );
  assert.equal(
    (await home.call("feishu_drive_add_comment", { file_token: `https://tea.feishu.cn/wiki/${PAGE}`, content: "Tea" }))[
      "success"
    ],
    true,
  );
  assert.deepEqual(
    asked.map(({ risk, counts }) => [risk.reasons[0], counts]),
    [
      [
        `Comments on the Feishu docx ${DOCUMENT}, where others can read it: “Tea is ready”`,
        [`document ${DOCUMENT}: “Tea plans”`],
      ],
      [
        `Replies to comment ${COMMENT} on the Feishu sheet ${DOCUMENT}, where others can read it: “So it is”`,
        undefined,
      ],
      [`Comments on the Feishu wiki page ${PAGE}, where others can read it: “Tea”`, [`document ${PAGE}: “Tea plans”`]],
    ],
  );
});

test("an approval for the session ends when a document is read; then each comment asks again", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  const add = (content: string) => ({
    calls: [{ tool: "feishu_drive_add_comment", args: { file_token: DOCUMENT, content } }],
  });
  await using server = await startOpenAiServer([
    add("one"),
    add("two"),
    { calls: [{ tool: "feishu_doc_read", args: { doc_token: DOCUMENT } }] },
    add("three"),
    add("four"),
    { text: "done" },
  ]);
  const asked: number[] = [];
  const ask: Prompter["ask"] = async (question) =>
    question.kind === "approval"
      ? (asked.push(feishu.received.filter(({ method }) => method === "POST").length),
        { kind: "approved", scope: "session" })
      : { kind: "none", reason: "nobody" };
  await using home = await openToolHome(
    user,
    { ...feishu.variables, OPENAI_API_KEY: "key-of-the-test" },
    `${OPEN}model: { provider: custom, default: loopback, base_url: "${server.url}" }\nplatform_toolsets: { cli: [feishu_doc, feishu_drive] }\n`,
  );
  await using session = await home.app.openSession({ surface: "cli", cwd: user.folder, prompter: { ask } });
  assert.equal((await session.send("hello")).reason, "done");
  assert.deepEqual([asked, feishu.received.filter(({ method }) => method === "POST").length], [[0, 2, 3], 4]);
});

test("fences a document for the model; without a user, allows reading but no writing afterwards; shows no secret", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "feishu_doc_read", args: { doc_token: DOCUMENT } }] },
    { calls: [{ tool: "feishu_drive_list_comments", args: { file_token: DOCUMENT } }] },
    { calls: [{ tool: "feishu_drive_add_comment", args: { file_token: DOCUMENT, content: "done" } }] },
    { text: "done" },
  ]);
  user.connect("custom", server.url, `${OPEN}platform_toolsets: { cli: [feishu_doc, feishu_drive] }\n`);
  user.write(
    "~/.hermes/.env",
    [
      "OPENAI_API_KEY=key-of-the-test",
      ...Object.entries(feishu.variables).map(([name, value]) => `${name}=${value}`),
    ].join("\n"),
  );
  const run = await user.run(["chat", "-q", "what do the tea plans say?"]);
  assert.equal(run.status, 0, run.err);
  const last = (at: number): string =>
    String(
      (
        JSON.parse(server.requests[at]!.body) as { readonly messages: readonly { readonly content: string }[] }
      ).messages.at(-1)!.content,
    );
  assert.match(last(1), /^<untrusted-text [0-9a-f]+ from="Feishu">/);
  assert.match(last(2), /^<untrusted-text [0-9a-f]+ from="Feishu">\n[^\n]+\n\{"has_more":false/);
  assert.match(last(3), /no user is connected/);
  assert.deepEqual(
    feishu.received.filter(({ method }) => method !== "GET"),
    [],
  );
  assert.doesNotMatch(
    server.requests.map(({ body }) => body).join() + run.out + run.err,
    new RegExp(`${APP_SECRET}|t-g1044`),
  );
});

test("in another user's conversation, neither reads nor writes documents, and does not ask", async () => {
  await using feishu = await startFeishu();
  using user = new NewUser();
  const calls: readonly (readonly [string, JsonObject])[] = [
    ["feishu_doc_read", { doc_token: DOCUMENT }],
    ["feishu_drive_list_comments", { file_token: DOCUMENT }],
    ["feishu_drive_list_comment_replies", { file_token: DOCUMENT, comment_id: COMMENT }],
    ["feishu_drive_add_comment", { file_token: DOCUMENT, content: "Tea" }],
    ["feishu_drive_reply_comment", { file_token: DOCUMENT, comment_id: COMMENT, content: "Tea" }],
  ];
  await using home = await openToolHome(user, feishu.variables, OPEN, { surface: "feishu", whose: "feishu:someone" });
  for (const [tool, args] of calls)
    assert.deepEqual(await home.call(tool, args), {
      error: `${tool} is available only in the owner's conversations, because the app sees documents that other users may not.`,
      code: "blocked",
    });
  assert.deepEqual([feishu.received, feishu.tokens()], [[], 0]);
});
