import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApprovalRequest } from "../../../src/contract/tools/approval.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import type { Prompter } from "../../../src/contract/conversation/question.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { APP_ID, BOT, fieldsOf, GROUP, PEOPLE, startYuanbao, type ReceivedFrame } from "../../servers/yuanbao.ts";
import { NewUser } from "../support/test-user.ts";
import { openToolHome } from "../support/tool-home.ts";

const OPEN = "security: { allow_private_urls: true }\n";
const YES = `${OPEN}approvals: { mode: "off" }\n`;
const TOOLS = ["yb_query_group_info", "yb_query_group_members", "yb_search_sticker", "yb_send_dm", "yb_send_sticker"];
const ROLES = ["unknown", "user", "yuanbao_ai", "bot"];
const MEMBERS = PEOPLE.map(([user_id, nickname, kind]) => ({ user_id, nickname, role: ROLES[kind] ?? "unknown" }));
const PNG = Buffer.from("89504e470d0a1a0a0000000d494844520000000300000002", "hex");

const text = (frame: ReceivedFrame, at: number): string => String(frame.fields[at]?.[0] ?? "");
/** Of a message: the kind and the fields of its only element. */
const element = (frame: ReceivedFrame, at: number): readonly [string, ReturnType<typeof fieldsOf>] => {
  const whole = fieldsOf(frame.fields[at]![0] as Buffer);
  return [String(whole[1]![0]), fieldsOf(whole[2]![0] as Buffer)];
};

// req: tool-yuanbao.five
test("the five yuanbao tools work over one connection", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  await using home = await openToolHome(user, yuanbao.variables, YES, { surface: "yuanbao" });
  assert.deepEqual(await home.call("yb_query_group_info", { group_code: GROUP }), {
    success: true,
    group_code: GROUP,
    group_name: "Tea house",
    member_count: PEOPLE.length,
    owner: { user_id: "u_alice", nickname: "Alice" },
    note: "In the app a group is called 派 (Pai).",
  });
  const mention_hint = 'To mention a member, write a space, @, the nickname and a space, such as " @Alice ".';
  assert.deepEqual(await home.call("yb_query_group_members", { group_code: GROUP, action: "list_all" }), {
    success: true,
    msg: "6 members.",
    members: MEMBERS,
  });
  assert.deepEqual(
    await home.call("yb_query_group_members", { group_code: GROUP, action: "find", name: "BOB", mention: true }),
    { success: true, msg: '2 members with "BOB" in the name.', members: [MEMBERS[1], MEMBERS[2]], mention_hint },
  );
  assert.deepEqual(await home.call("yb_query_group_members", { group_code: GROUP, action: "list_bots" }), {
    success: true,
    msg: "2 bots.",
    members: [MEMBERS[3], MEMBERS[4]],
  });
  const sent = await home.call("yb_send_dm", { group_code: GROUP, name: "alice", message: "茶 is ready" });
  assert.deepEqual(
    { ...sent, message_id: "" },
    { success: true, user_id: "u_alice", nickname: "Alice", message_id: "", note: "Sent: the text." },
  );
  const heart = { sticker_id: "252", name: "比心" };
  const found = await home.call("yb_search_sticker", { query: "比心", limit: 1 });
  assert.deepEqual(found, {
    success: true,
    query: "比心",
    count: 1,
    results: [{ ...heart, description: "笔芯 爱你 爱心手势 love heart 喜欢你", package_id: "1003" }],
  });
  const stuck = await home.call("yb_send_sticker", { sticker: "252", chat_id: `group:${GROUP}`, reply_to: "r-1" });
  assert.deepEqual(
    { ...stuck, message_id: "" },
    {
      success: true,
      chat_id: `group:${GROUP}`,
      sticker: heart,
      message_id: "",
      note: "The sticker was sent. Answer only if there is more to say.",
    },
  );

  const frames = yuanbao.take();
  assert.deepEqual(
    frames.map(({ command, module }) => [command, module]),
    [
      ["auth-bind", "conn_access"],
      ...[
        "query_group_info",
        "get_group_member_list",
        "get_group_member_list",
        "get_group_member_list",
        "get_group_member_list",
        "send_c2c_message",
        "send_group_message",
      ].map((command) => [command, "yuanbao_openclaw_proxy"]),
    ],
  );
  const direct = frames.at(-2)!;
  assert.deepEqual(
    [
      text(direct, 1),
      direct.id,
      text(direct, 2),
      text(direct, 3),
      text(direct, 6),
      element(direct, 5)[0],
      String(element(direct, 5)[1][1]![0]),
    ],
    [sent["message_id"], sent["message_id"], "u_alice", BOT, GROUP, "TIMTextElem", "茶 is ready"],
  );
  const sticker = frames.at(-1)!;
  assert.deepEqual(
    [text(sticker, 1), text(sticker, 2), text(sticker, 3), text(sticker, 7), element(sticker, 6)[0]],
    [stuck["message_id"], GROUP, BOT, "r-1", "TIMFaceElem"],
  );
  assert.deepEqual(JSON.parse(String(element(sticker, 6)[1][4]![0])), {
    sticker_id: "252",
    package_id: "1003",
    width: 128,
    height: 128,
    formats: "png",
    name: "比心",
  });
  assert.deepEqual(
    [yuanbao.connections(), yuanbao.requests.map(({ path }) => path)],
    [1, ["/api/v5/robotLogic/sign-token"]],
  );
  const { app_key, nonce, timestamp } = JSON.parse(yuanbao.requests[0]!.body.toString()) as JsonObject;
  assert.equal(app_key, APP_ID);
  assert.match(String(nonce), /^[0-9a-f]{32}$/);
  assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);
  assert.equal(yuanbao.requests[0]!.headers["x-instance-id"], "17");
});

// req: tool-yuanbao.five
test("only Yuanbao's preset includes the tools, and without both keys none is offered", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  const toolset = ["yuanbao", "hermes-yuanbao"];
  await using home = await openToolHome(user, yuanbao.variables, OPEN);
  const holding = (await home.app.tools.toolsets()).filter(({ tools }) => tools.some((name) => name.startsWith("yb_")));
  assert.deepEqual(
    holding
      .filter(({ includes }) => includes.length === 0)
      .map(({ name }) => name)
      .toSorted(),
    toolset.toSorted(),
  );
  assert.deepEqual(await home.offered("yuanbao"), []);
  const there = await home.app.tools.list({ surface: "yuanbao", prompter: true });
  assert.deepEqual(
    there
      .filter(
        ({ declaration, enabled, availability }) => declaration.toolset === "yuanbao" && enabled && availability.ok,
      )
      .map(({ declaration }) => declaration.name)
      .toSorted(),
    TOOLS,
  );
  using other = new NewUser();
  const { YUANBAO_APP_SECRET, ...half } = yuanbao.variables;
  await using lacking = await openToolHome(other, half, OPEN);
  for (const tool of TOOLS) assert.equal(await lacking.why(tool), "YUANBAO_APP_SECRET is not set.");
  using third = new NewUser();
  await using none = await openToolHome(third, { YUANBAO_APP_SECRET }, OPEN);
  assert.equal(await none.why("yb_send_dm"), "YUANBAO_APP_ID is not set.");
});

test("uploads files first, sends pictures as pictures, and sends nothing if an upload fails", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  await using home = await openToolHome(user, yuanbao.variables, YES);
  user.write("cup.png", PNG.toString("latin1"));
  user.write("price list.txt", "tea: 3");
  const media = (...paths: readonly string[]) => ({
    user_id: "u_bob",
    message: "Here",
    media_files: paths.map((path) => ({ path })),
  });
  const sent = await home.call("yb_send_dm", media(`${user.folder}/cup.png`, `${user.folder}/price list.txt`));
  assert.deepEqual(
    { ...sent, message_id: "" },
    {
      success: true,
      user_id: "u_bob",
      nickname: "",
      message_id: "",
      note: "Sent: the text, the file cup.png, the file price list.txt.",
    },
  );
  const puts = yuanbao.requests.filter(({ method }) => method === "PUT");
  assert.deepEqual(
    puts.map(({ path, headers, body }) => [
      path,
      headers["content-type"],
      headers["x-cos-security-token"],
      body.length,
    ]),
    [
      ["/up/cup.png", "image/png", "pass+/=", Buffer.byteLength(PNG.toString("latin1"))],
      ["/up/price%20list.txt", "application/octet-stream", "pass+/=", 6],
    ],
  );
  assert.match(
    String(puts[0]!.headers.authorization),
    /^q-sign-algorithm=sha1&q-ak=AKIDtest&q-sign-time=1700000000;4000000000&q-key-time=1700000000;4000000000&q-header-list=content-type;host;x-cos-security-token&q-url-param-list=&q-signature=[0-9a-f]{40}$/,
  );
  const [, , picture, file] = yuanbao.take();
  const [kind, shown] = element(picture!, 5);
  assert.deepEqual(
    [kind, shown[3], String(fieldsOf(shown[8]![0] as Buffer)[5]![0])],
    ["TIMImageElem", [3n], "https://r.example/cup.png"],
  );
  const [otherKind, list] = element(file!, 5);
  assert.deepEqual(
    [otherKind, String(list[12]![0]), list[11], String(list[10]![0])],
    ["TIMFileElem", "price list.txt", [6n], "https://r.example/price list.txt"],
  );

  user.write("empty.txt", "");
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ["nowhere.png", "not_found", /File not found: .*nowhere\.png\. Nothing was sent/],
    ["empty.txt", "bad_arguments", /is empty\. Nothing was sent/],
    [".", "bad_arguments", /is not a file/],
  ];
  for (const [path, code, words] of wrong) {
    const message = await home.call("yb_send_dm", media(`${user.folder}/${path}`));
    assert.equal(message["code"], code);
    assert.match(String(message["error"]), words);
  }
  assert.equal((await home.call("yb_send_dm", media("~/.hermes/.env")))["code"], "blocked");
  yuanbao.misbehave("/up/cup.png", { kind: "status", status: 403 });
  assert.match(
    String((await home.call("yb_send_dm", media(`${user.folder}/cup.png`)))["error"]),
    /Yuanbao's storage answered 403 to the upload\. Nothing was sent/,
  );
  assert.deepEqual(
    yuanbao.take().filter(({ command }) => command.startsWith("send_")),
    [],
  );
});

test("reports what was sent before a failure, and unknown outcomes", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  await using home = await openToolHome(user, yuanbao.variables, YES);
  user.write("list.txt", "tea: 3");
  const args = {
    user_id: "u_bob",
    message: `${"tea ".repeat(1_200)}\nend`,
    media_files: [{ path: `${user.folder}/list.txt` }],
  };
  const answered = { kind: "status", status: 0 } as const;
  yuanbao.misbehave("send_c2c_message", answered);
  yuanbao.misbehave("send_c2c_message", answered);
  yuanbao.misbehave("send_c2c_message", { kind: "refuse", code: 20_009, message: "too many" });
  const failed = await home.call("yb_send_dm", args);
  assert.deepEqual(
    { ...failed, message_id: "" },
    {
      yuanbao_code: 20_009,
      success: false,
      delivered: ["part 1 of the text", "part 2 of the text"],
      message_id: "",
      error:
        "part 1 of the text, part 2 of the text sent, but not the file list.txt: Yuanbao refused send_c2c_message (20009): too many",
      code: "refused",
      hint: "Send again only what was not sent.",
    },
  );
  const texts = yuanbao
    .take()
    .filter(({ command }) => command === "send_c2c_message")
    .slice(0, 2)
    .map((one) => String(element(one, 5)[1][1]![0]));
  assert.ok(texts.every(({ length }) => length <= 4_000));
  assert.equal(texts.join(" "), `${"tea ".repeat(1_200).trim()} \nend`);
  for (const misdeed of [
    { kind: "drop" },
    { kind: "close", code: 4_014, reason: "conflict" },
    { kind: "kick", reason: "another one" },
    { kind: "rubbish" },
  ] as const) {
    yuanbao.misbehave("send_c2c_message", misdeed);
    assert.deepEqual(
      await home.call("yb_send_dm", { user_id: "u_bob", message: "x" }),
      { kind: "unknown" },
      misdeed.kind,
    );
  }
  assert.equal(yuanbao.take().filter(({ command }) => command === "send_c2c_message").length, 4);
});

test("reports a refused sign-in, a closed connection and an unknown group", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  await using home = await openToolHome(user, yuanbao.variables, YES);
  const info = (): Promise<JsonObject> => home.call("yb_query_group_info", { group_code: GROUP });
  yuanbao.answerSignIn({ code: 10099, msg: "busy" });
  assert.equal((await info())["success"], true);
  const broken: readonly (readonly [Parameters<typeof yuanbao.misbehave>[1], RegExp])[] = [
    [
      { kind: "kick", reason: "signed in elsewhere" },
      /Yuanbao ended this connection because it allows one for each bot: signed in elsewhere/,
    ],
    [
      { kind: "close", code: 4_014, reason: "same user" },
      /connection to Yuanbao was lost: .* code 4014\. Reason: same user/,
    ],
    [{ kind: "drop" }, /connection to Yuanbao was lost/],
    [{ kind: "rubbish" }, /not a message of its protocol/],
    [{ kind: "status", status: 500 }, /refused query_group_info \(500\)/],
    [{ kind: "refuse", code: -7, message: "no" }, /refused query_group_info \(-7\): no/],
  ];
  for (const [misdeed, words] of broken) {
    yuanbao.misbehave("query_group_info", misdeed);
    assert.match(String((await info())["error"]), words);
    assert.equal((await info())["success"], true);
  }
  assert.deepEqual(await home.call("yb_query_group_info", { group_code: "1" }), {
    yuanbao_code: 12_001,
    error: "Yuanbao refused query_group_info (12001): no such group",
    code: "refused",
  });
  // The service has expired the cached token, so the tool requests a new one, once.
  yuanbao.expire();
  yuanbao.misbehave("query_group_info", { kind: "drop" });
  await info();
  assert.equal((await info())["success"], true);
  yuanbao.misbehave("query_group_info", { kind: "drop" });
  await info();
  yuanbao.misbehave("auth-bind", { kind: "refuse", code: 41_999, message: "bot is banned" });
  assert.match(String((await info())["error"]), /refused the bot's sign-in \(41999\): bot is banned/);

  using other = new NewUser();
  await using wrong = await openToolHome(
    other,
    { ...yuanbao.variables, YUANBAO_APP_SECRET: "another-secret-9876543210" },
    YES,
  );
  const message = await wrong.call("yb_query_group_info", { group_code: GROUP });
  assert.deepEqual(message, {
    error: "Yuanbao refused the bot's sign-in (10001): signature mismatch",
    code: "unavailable",
    hint: "Ask the user to check YUANBAO_APP_ID and YUANBAO_APP_SECRET.",
  });
  yuanbao.misbehave("/api/v5/robotLogic/sign-token", { kind: "rubbish" });
  assert.match(String((await wrong.call("yb_query_group_info", { group_code: GROUP }))["error"]), /was not JSON/);
});

test("reads members page by page, does not guess an ambiguous name, and reports an unknown one", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  await using home = await openToolHome(user, yuanbao.variables, YES);
  yuanbao.pages(2);
  assert.deepEqual(
    (await home.call("yb_query_group_members", { group_code: GROUP, action: "list_all" }))["members"],
    MEMBERS,
  );
  assert.deepEqual(
    yuanbao
      .take()
      .filter(({ command }) => command === "get_group_member_list")
      .map(({ fields }) => [Number(fields[2]?.[0] ?? 0n), Number(fields[3]?.[0])]),
    [
      [0, 200],
      [2, 200],
      [4, 200],
    ],
  );
  const several = await home.call("yb_send_dm", { group_code: GROUP, name: "o", message: "x" });
  assert.deepEqual(several, {
    success: false,
    candidates: [
      { user_id: "u_bob", nickname: "Bob" },
      { user_id: "u_bobby", nickname: "Bobby Tables" },
      { user_id: "u_odd", nickname: "Odd" },
    ],
    error: 'Several members have a name that contains "o".',
    code: "bad_arguments",
    hint: "Pass user_id to choose one.",
  });
  assert.equal((await home.call("yb_send_dm", { group_code: GROUP, name: "bob", message: "x" }))["user_id"], "u_bob");
  assert.equal((await home.call("yb_send_dm", { group_code: GROUP, name: "Zoe", message: "x" }))["code"], "not_found");
  assert.deepEqual(
    (await home.call("yb_query_group_members", { group_code: GROUP, action: "find", name: "Zoe" }))["members"],
    MEMBERS,
  );
  const wrong: readonly (readonly [string, JsonObject, RegExp])[] = [
    ["yb_send_dm", { user_id: "u_bob" }, /Nothing to send/],
    ["yb_send_dm", { user_id: "u_bob", message: "Look\nMEDIA:/tmp/a.png" }, /message must be text only/],
    ["yb_send_dm", { user_id: "u_bob", message: "x".repeat(10_001) }, /the maximum is 10000/],
    ["yb_send_dm", { name: "Bob", message: "x" }, /group_code is required/],
    ["yb_send_dm", { group_code: GROUP, message: "x" }, /name is required/],
    ["yb_send_dm", { user_id: "u bob", message: "x" }, /is not a Yuanbao chat/],
    ["yb_send_sticker", { sticker: "252" }, /chat_id is required/],
    ["yb_send_sticker", { sticker: "252", chat_id: "u_bob", reply_to: "r" }, /reply_to works only in groups/],
    ["yb_send_sticker", { sticker: "qqqq", chat_id: "u_bob" }, /No sticker matches "qqqq"/],
    ["yb_query_group_info", { group_code: " " }, /code of one group/],
  ];
  yuanbao.take();
  for (const [tool, args, words] of wrong) assert.match(String((await home.call(tool, args))["error"]), words);
  assert.deepEqual(yuanbao.take(), []);
});

test("the question shows the recipient, text and files; without a user, sends nothing", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  const asked: ApprovalRequest[] = [];
  const ask: Prompter["ask"] = async (question) =>
    question.kind === "approval"
      ? (asked.push(question.request), { kind: "approved", scope: "once" })
      : { kind: "none", reason: "nobody" };
  {
    await using home = await openToolHome(user, yuanbao.variables, OPEN, { prompter: { ask } });
    user.write("list.txt", "tea: 3");
    await home.call("yb_send_dm", {
      group_code: GROUP,
      name: "ali",
      message: "Tea",
      media_files: [{ path: "list.txt" }],
    });
    await home.call("yb_send_sticker", { sticker: "比心", chat_id: "u_bob" });
    await home.call("yb_query_group_members", { group_code: GROUP, action: "list_all" });
  }
  assert.deepEqual(
    asked.map(({ risk, counts }) => [risk.reasons, counts]),
    [
      [
        [`Sends to “ali” of group ${GROUP} on Yuanbao: “Tea” and the file list.txt`],
        ["“ali” is Alice, account u_alice"],
      ],
      [["Sends to direct:u_bob on Yuanbao: the sticker “比心”"], undefined],
    ],
  );
  yuanbao.take();
  await using home = await openToolHome(user, yuanbao.variables, OPEN);
  assert.equal((await home.call("yb_send_dm", { user_id: "u_bob", message: "x" }))["kind"], "denied");
  assert.equal((await home.call("yb_send_sticker", { sticker: "252", chat_id: `group:${GROUP}` }))["kind"], "denied");
  assert.deepEqual(yuanbao.take(), []);
});

test("fences names for the model, and without a user sends nothing afterwards", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "yb_query_group_members", args: { group_code: GROUP, action: "list_all" } }] },
    { calls: [{ tool: "yb_send_dm", args: { user_id: "u_bob", message: "x" } }] },
    { text: "done" },
  ]);
  user.connect("custom", server.url, `${OPEN}platform_toolsets: { cli: [yuanbao] }\n`);
  user.write(
    "~/.hermes/.env",
    [
      "OPENAI_API_KEY=key-of-the-test",
      ...Object.entries(yuanbao.variables).map(([name, value]) => `${name}=${value}`),
    ].join("\n"),
  );
  const run = await user.run(["chat", "-q", "who is in the tea house?"]);
  assert.equal(run.status, 0, run.err);
  const last = (at: number): string =>
    String(
      (
        JSON.parse(server.requests[at]!.body) as { readonly messages: readonly { readonly content: string }[] }
      ).messages.at(-1)!.content,
    );
  assert.match(last(1), /^<untrusted-text [0-9a-f]+ from="Yuanbao">/);
  assert.match(last(2), /no user is connected/);
  assert.deepEqual(
    yuanbao.take().filter(({ command }) => command.startsWith("send_")),
    [],
  );
  for (let waits = 0; waits < 50 && yuanbao.connected() > 0; waits += 1) await sleep(20);
  assert.equal(yuanbao.connected(), 0);
});

test("in another user's conversation, the tools use only its chat and send no files", async () => {
  await using yuanbao = await startYuanbao();
  using user = new NewUser();
  const acts: readonly (readonly [string, JsonObject])[] = [
    ["yb_query_group_info", { group_code: GROUP }],
    ["yb_query_group_info", { group_code: "1" }],
    ["yb_send_sticker", { sticker: "比心" }],
    ["yb_send_sticker", { sticker: "比心", chat_id: "direct:u_bob" }],
    ["yb_send_dm", { name: "Bob", message: "x" }],
    ["yb_search_sticker", { query: "六六六", limit: 1 }],
  ];
  await using server = await startOpenAiServer([
    ...acts.map(([tool, args]) => ({ calls: [{ tool, args }] })),
    { text: "done" },
  ]);
  await using home = await openToolHome(
    user,
    { ...yuanbao.variables, OPENAI_API_KEY: "key-of-the-test" },
    `${OPEN}model: { provider: custom, default: loopback, base_url: "${server.url}" }\n`,
  );
  await using session = await home.app.openSession({
    surface: "yuanbao",
    cwd: user.folder,
    whose: "yuanbao:someone",
  });
  const lanes = await (await home.app.gateway()).lanes();
  const received = await lanes.receive({
    platform: "yuanbao",
    sessionKey: "k",
    message: { text: "hello", chat_id: `group:${GROUP}`, user_id: "u_bob" },
  });
  await lanes.hand(received as number, session.id);
  assert.equal((await session.send("hello")).reason, "done");
  const results = (JSON.parse(server.requests.at(-1)!.body) as { readonly messages: readonly JsonObject[] }).messages
    .filter((one) => one["role"] === "tool")
    .map((one) => String(one["content"]));
  assert.match(results[0]!, /Tea house/);
  assert.match(results[1]!, /works only in that Yuanbao chat/);
  assert.match(results[2]!, /"success":true/);
  for (const at of [3, 4]) assert.match(results[at]!, /works only in that Yuanbao chat|no user is connected/);
  assert.match(results[5]!, /六六六/);
  assert.deepEqual(
    yuanbao.take().map(({ command }) => command),
    ["auth-bind", "query_group_info", "send_group_message"],
  );
});
