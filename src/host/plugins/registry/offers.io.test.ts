import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest, setUp } from "../plugins-fixture.ts";
import { enabled, answerOf, withPython } from "../../../plugin-runtimes/test/hosts-fixture.ts";
import { OFFERS, refusalWords, snake, type Member } from "./offers.ts";

const OWN = Object.keys(OFFERS)
  .filter((member) => !member.includes("."))
  .sort();
/** The members of what its members return, where a runtime can be asked without side effects. */
const NESTED = Object.entries(OFFERS).filter(([member]) =>
  /^(chats|jobs|skills|secrets|storage|sessions)\./.test(member),
);
/** The services as the agent has them, so that a plugin in another process can receive them. */
const service = (name: string) =>
  Object.fromEntries(
    NESTED.filter(([member]) => member.startsWith(`${name}.`)).map(([member]) => [
      member.slice(name.length + 1),
      async () => null,
    ]),
  );
const services = {
  chats: async () => service("chats") as never,
  jobs: async () => service("jobs") as never,
  proxy: async () => ({ serve: () => undefined, judge: async () => undefined, [Symbol.dispose]: () => undefined }),
};
const asTool = (code: string): string =>
  `import { defineTool, type Plugin } from "hermes-agent/plugin";\nconst register: Plugin = (ctx) => void ctx.tool(defineTool({ name: "members", toolset: "t", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: async () => { ${code} } } as any));\nexport default register;\n`;

// If you add a member to the context, this test fails: each runtime has to offer it, or explain why not and give an
// alternative.
test("the table lists every member of an in-process plugin's context, and no other", async (t) => {
  const place = setUp(t, {
    "bundled/ours/plugin.yaml": manifest("ours"),
    "bundled/ours/index.js":
      'export default (ctx) => void ctx.tool({ name: "members", toolset: "t", description: Object.keys(ctx).sort().join(), effect: "none", input: { type: "object", properties: {} }, execute: async () => 1 });\n',
  });
  const { host } = await place.start();
  assert.deepEqual(host.tools.get("members")?.declaration.description.split(","), OWN);
});

test("a Node process offers every member, or refuses it with the text of the table", async (t) => {
  const code = `
    const { chats, jobs } = { chats: await ctx.chats(), jobs: await ctx.jobs() };
    const desks: any = { chats, jobs, skills: ctx.skills, secrets: ctx.secrets, storage: ctx.storage, sessions: ctx.sessions };
    const refused: any = {};
    for (const [name, call] of [["registering", () => ctx.registering(async () => [], { patienceMs: 1, late: () => "" })], ["saveConfig", () => ctx.saveConfig("a", 1)], ["socket", () => ctx.socket("wss://a.example.org/")], ["secrets.write", () => ctx.secrets.write({})]] as any) refused[name] = await (async () => call())().then(() => "taken", (error: any) => error.message);
    using proxy = await ctx.proxy();
    using back = await ctx.browserReturn({ host: "127.0.0.1", port: 0, path: "/" });
    return { own: Object.keys(ctx).sort(), nested: Object.entries(desks).flatMap(([desk, members]: any) => Object.keys(members).map((name) => desk + "." + name)).sort(), proxy: Object.keys(proxy), back: Object.keys(back), refused };`;
  const place = setUp(
    t,
    { "home/plugins/mine/plugin.yaml": manifest("mine"), "home/plugins/mine/index.ts": asTool(code) },
    enabled("mine"),
  );
  const { host } = await place.start({}, { hosts: true, services });
  const found = JSON.parse(await answerOf(host, "members")) as {
    readonly own: readonly string[];
    readonly nested: readonly string[];
    readonly proxy: readonly string[];
    readonly back: readonly string[];
    readonly refused: { readonly [member: string]: string };
  };
  assert.deepEqual(found.own, OWN);
  assert.deepEqual(found.nested, NESTED.map(([member]) => member).sort());
  assert.deepEqual(
    [...found.proxy.map((name) => `proxy.${name}`), ...found.back.map((name) => `browserReturn.${name}`)].sort(),
    Object.keys(OFFERS)
      .filter((member) => /^(proxy|browserReturn)\./.test(member))
      .sort(),
  );
  const refused = Object.entries(OFFERS).flatMap(([member, { node }]) =>
    node === undefined ? [] : [[member, refusalWords("mine", member, node)]],
  );
  assert.deepEqual(found.refused, Object.fromEntries(refused));
});

test(
  "Python offers every member under its Python spelling, or explains why not and gives an alternative",
  withPython,
  async (t) => {
    const spelled = Object.entries(OFFERS).map(
      ([member, { python }]) => [member, typeof python === "string" ? python : snake(member)] as const,
    );
    const code = `
import json
def register(ctx):
    def members(args, **_):
        found = {}
        with ctx.proxy() as proxy, ctx.browser_return() as back:
            opened = {"proxy": proxy, "browser_return": back}
            for member, name in json.loads(${JSON.stringify(JSON.stringify(spelled))}):
                desk, _, nested = name.rpartition(".")
                try:
                    getattr(opened.get(desk) or (getattr(ctx, desk) if desk else ctx), nested)
                    found[member] = True
                except AttributeError as error:
                    found[member] = str(error)
            return json.dumps([found, hasattr(ctx, "no_such_member"), hasattr(ctx, "registering")])
    ctx.register_tool(name="members", toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {}}}, handler=members)
`;
    const place = setUp(
      t,
      { "home/plugins/mine/plugin.yaml": manifest("mine"), "home/plugins/mine/__init__.py": code },
      enabled("mine"),
    );
    const { host } = await place.start({}, { hosts: true, services });
    const [found, none, refused] = JSON.parse(await answerOf(host, "members")) as readonly [
      { readonly [member: string]: unknown },
      boolean,
      boolean,
    ];
    assert.deepEqual([none, refused], [false, false], "a plugin that checks for a refused member does not find it");
    const expected = Object.entries(OFFERS).map(([member, { python }]) => [
      member,
      typeof python === "string" ? true : refusalWords("mine", snake(member), python),
    ]);
    assert.deepEqual(found, Object.fromEntries(expected));
  },
);

test("a refusal names an alternative", () => {
  for (const [member, { node, python, elsewhere }] of Object.entries(OFFERS) as [Member, (typeof OFFERS)[Member]][]) {
    for (const refusal of [node, elsewhere, typeof python === "string" ? undefined : python])
      if (refusal !== undefined)
        assert.match(
          refusalWords("x", member, refusal),
          /^The plugin "x" cannot use ctx\.[\w.]+ here: \S.+\. [A-Z].+\.$/,
        );
  }
});
