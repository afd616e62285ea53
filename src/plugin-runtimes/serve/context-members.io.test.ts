import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { NetworkServices } from "../../host/plugins/registry/plugin-services.ts";
import { createProxy } from "../../host/web/guarded-proxy.ts";
import { openWorld, SECRET } from "../../host/web/web-fixture.ts";
import type { CliIo } from "../../contract/conversation/command.ts";
import { manifest, setUp, type Files } from "../../host/plugins/plugins-fixture.ts";
import { enabled, answerOf, withPython } from "../test/hosts-fixture.ts";

/** The same plugin in both languages: tools that return JSON, a command that signs in. */
const NODE = `import { createHash } from "node:crypto";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { defineTool, type Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => {
  const tool = (name: string, execute: any) => ctx.tool(defineTool({ name, toolset: "t", description: "d", effect: "none", input: { type: "object", properties: { url: { type: "string" }, hosts: { type: "array", items: { type: "string" } }, body: { type: "integer" } } }, execute } as any));
  const refusal = (error: any) => ({ code: error.code, message: error.message });
  tool("through", async ({ url, hosts, body = 0 }: any) => {
    const refused: string[] = [];
    using proxy = await ctx.proxy({ hosts: () => hosts ?? [], refused: (words) => void refused.push(words) });
    const server = createServer((socket) => proxy.serve(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as any).port, "127.0.0.1");
    socket.write((body ? "POST " : "GET ") + url + " HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: " + body + "\\r\\nconnection: close\\r\\n\\r\\n");
    if (body > 0) socket.write(Buffer.alloc(body, 97));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    server.close();
    const whole = Buffer.concat(chunks);
    const at = whole.indexOf("\\r\\n\\r\\n") + 4;
    return { status: whole.subarray(9, 12).toString(), bytes: whole.length - at, hash: createHash("sha256").update(whole.subarray(at)).digest("hex"), refused };
  });
  tool("judge", async ({ url, hosts }: any) => {
    try {
      using proxy = await ctx.proxy({ hosts: () => hosts ?? [] });
      return { said: (await proxy.judge(url)) ?? null };
    } catch (error) { return refusal(error); }
  });
  tool("private", async () => { try { await ctx.proxy({ allowPrivate: () => true }); return "opened"; } catch (error) { return refusal(error); } });
  tool("secrets", async () => ({ mine: (await ctx.secrets.read("TIDES_TOKEN")) ?? null, other: (await ctx.secrets.read("OTHER_TOKEN")) ?? null, written: await ctx.secrets.write({ TIDES_TOKEN: "x" }).catch(refusal) }));
  tool("count", async () => { let asked = 0; await ctx.changeFile("notes/count", (text) => { asked += 1; return String(Number(text ?? 0) + 1); }); return asked; });
  tool("elsewhere", async () => { try { await ctx.changeFile("../outside", () => "x"); return "written"; } catch (error) { return refusal(error); } });
  tool("returns", async () => { try { await ctx.browserReturn({ host: "127.0.0.1", port: 0, path: "/back" }); return "opened"; } catch (error) { return refusal(error); } });
  tool("impatient", async () => {
    using back = await ctx.browserReturn({ host: "127.0.0.1", port: 0, path: "/back" });
    return back.came("s", { out() {}, error() {}, interactive: false, signal: ctx.signal }, AbortSignal.timeout(50)).then(() => "came", (error) => error.name);
  });
  ctx.cli({ name: "sign-in", description: "d", input: { type: "object", properties: {} }, run: async (_: any, io) => {
    using back = await ctx.browserReturn({ host: "127.0.0.1", port: 0, path: "/back" });
    io.out(String(back.port));
    const { code, iss } = await back.came("the state", io, io.signal);
    io.out(JSON.stringify([code, iss ?? null]));
  } });
  ctx.doctor(async () => [{ name: "tides", ok: false, detail: "the moon is gone", hint: "look up" }]);
};
export default register;
`;
const PYTHON = `import hashlib, json, socket, threading, time
def register(ctx):
    def tool(name, run):
        ctx.register_tool(name=name, toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {"url": {"type": "string"}, "hosts": {"type": "array", "items": {"type": "string"}}, "body": {"type": "integer"}}}}, handler=lambda args, **_: json.dumps(run(args)))
    def refusal(error):
        return {"code": getattr(error, "data", {}).get("code"), "message": str(error)}
    def tried(run):
        try:
            return run()
        except Exception as error:
            return refusal(error)
    def through(args):
        refused = []
        with ctx.proxy(hosts=lambda: args.get("hosts") or [], refused=refused.append) as proxy, socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=lambda: proxy.serve(server.accept()[0]), daemon=True).start()
            program = socket.create_connection(server.getsockname())
            body = args.get("body") or 0
            head = "%s %s HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: %d\\r\\nconnection: close\\r\\n\\r\\n" % ("POST" if body else "GET", args["url"], body)
            program.sendall(head.encode())
            threading.Thread(target=lambda: program.sendall(b"a" * body), daemon=True).start()
            whole = b""
            while True:
                more = program.recv(1 << 16)
                if not more:
                    break
                whole += more
            program.close()
        at = whole.index(b"\\r\\n\\r\\n") + 4
        return {"status": whole[9:12].decode(), "bytes": len(whole) - at, "hash": hashlib.sha256(whole[at:]).hexdigest(), "refused": refused}
    def judge(args):
        with ctx.proxy(hosts=args.get("hosts")) as proxy:
            return {"said": proxy.judge(args["url"])}
    def count(args):
        asked = []
        def change(text):
            asked.append(1)
            return str(int(text or 0) + 1)
        ctx.change_file("notes/count", change)
        return len(asked)
    def impatient(args):
        with ctx.browser_return(path="/back") as back:
            try:
                back.came("s", timeout=0.05)
            except TimeoutError:
                return "TimeoutError"
    tool("through", through)
    tool("judge", lambda args: tried(lambda: judge(args)))
    tool("private", lambda args: tried(lambda: bool(ctx.proxy(allow_private=True)) and "opened"))
    tool("secrets", lambda args: {"mine": ctx.secrets.read("TIDES_TOKEN"), "other": ctx.secrets.read("OTHER_TOKEN"), "written": tried(lambda: ctx.secrets.write(TIDES_TOKEN="x"))})
    tool("count", count)
    tool("elsewhere", lambda args: tried(lambda: ctx.change_file("../outside", lambda text: "x") or "written"))
    tool("returns", lambda args: tried(lambda: bool(ctx.browser_return()) and "opened"))
    tool("impatient", impatient)
    def sign_in(args):
        with ctx.browser_return(path="/back") as back:
            print(back.port, end="", flush=True)
            answer = back.came("the state")
            print(json.dumps([answer.code, answer.iss], separators=(",", ":")), end="", flush=True)
    ctx.register_cli_command("sign-in", help="d", handler_fn=sign_in)
    ctx.doctor(lambda: [{"name": "tides", "ok": False, "detail": "the moon is gone", "hint": "look up"}])
`;
const HOSTS = [
  ["Node", { "index.ts": NODE }, {}],
  ["Python", { "__init__.py": PYTHON }, withPython],
] as const;

const folder = (where: string, files: Files, more = ""): Files =>
  Object.fromEntries(
    Object.entries({ ...files, "plugin.yaml": manifest("tides", `requires_env: [TIDES_TOKEN]\n${more}`) }).map(
      ([name, text]) => [`${where}/tides/${name}`, text],
    ),
  );
const ENV = { TIDES_TOKEN: "ebb-and-flow", OTHER_TOKEN: "somebody-elses" };

for (const [language, files, skip] of HOSTS) {
  test(
    `${language}: a program uses the agent's guarded proxy through the plugin, in both directions and for long bodies`,
    skip,
    async (t) => {
      await using world = await openWorld(
        (incoming, reply) =>
          void incoming.pipe(
            reply.writeHead(200, { connection: "close", "content-length": incoming.headers["content-length"] ?? 0 }),
          ),
        { "a.example.org": [["93.184.215.14"]], "inside.example.org": [["10.0.0.1"]] },
      );
      const services = {
        proxy: async (options: Parameters<NetworkServices["proxy"]>[0]) => createProxy(world.ports, options),
      };
      const { host } = await setUp(t, folder("home/plugins", files), enabled("tides")).start(ENV, {
        hosts: true,
        services,
      });
      const ask = async (
        tool: string,
        args: { readonly url?: string; readonly hosts?: string[]; readonly body?: number },
      ) => JSON.parse(await answerOf(host, tool, args)) as { readonly [key: string]: unknown };
      const size = 3_000_000;
      assert.deepEqual(await ask("through", { url: "http://a.example.org/x", body: size }), {
        status: "200",
        bytes: size,
        hash: createHash("sha256").update(Buffer.alloc(size, 97)).digest("hex"),
        refused: [],
      });
      assert.deepEqual(
        [world.dialled, world.requests.map(({ method, host: name, url }) => `${method} ${name}${url}`)],
        [["93.184.215.14:80"], ["POST a.example.org/x"]],
      );
      const inside = await ask("through", { url: "http://inside.example.org/" });
      assert.deepEqual([inside["status"], (inside["refused"] as string[]).length], ["403", 1]);
      assert.match(String(inside["refused"]), /10\.0\.0\.1/);
      const notAmong = await ask("through", { url: "http://a.example.org/", hosts: ["b.example.org"] });
      assert.deepEqual(
        [notAmong["status"], (notAmong["refused"] as string[]).length],
        ["403", 1],
        "the plugin's host list applies",
      );
      assert.equal(
        (await ask("through", { url: `http://a.example.org/?k=${SECRET}` }))["status"],
        "403",
        "a stored secret stays",
      );
      assert.deepEqual(await ask("judge", { url: "http://a.example.org/" }), { said: null });
      assert.match(String((await ask("judge", { url: "http://127.0.0.1/" }))["said"]), /only public addresses/);
      assert.equal(world.requests.length, 1);
    },
  );

  test(
    `${language}: a plugin reads only its manifest's variables, with current values, and writes none`,
    skip,
    async (t) => {
      const place = setUp(t, folder("home/plugins", files), enabled("tides"));
      const { host } = await place.start({ OTHER_TOKEN: "somebody-elses", TIDES_TOKEN: "" }, { hosts: true });
      assert.equal(host.tools.get("secrets"), undefined, "it waits for its variable");
      writeFileSync(join(place.path, "home/.env"), "TIDES_TOKEN=first\n");
      const second = await place.start({ OTHER_TOKEN: "somebody-elses" }, { hosts: true });
      assert.match(await answerOf(second.host, "secrets"), /"mine": ?"first"/);
      writeFileSync(join(place.path, "home/.env"), "TIDES_TOKEN=renewed\n");
      const read = JSON.parse(await answerOf(second.host, "secrets")) as {
        readonly mine: string;
        readonly other: unknown;
        readonly written: { readonly message: string };
      };
      assert.deepEqual([read.mine, read.other], ["renewed", null]);
      assert.match(read.written.message, /cannot use ctx\.secrets\.write here: .*hermes config set/);
      assert.equal(readFileSync(join(place.path, "home/.env"), "utf8"), "TIDES_TOKEN=renewed\n");
    },
  );

  test(
    `${language}: changes a file in the home atomically, retries after a concurrent write, and refuses outside files`,
    skip,
    async (t) => {
      const place = setUp(t, folder("home/plugins", files), enabled("tides"));
      const { host } = await place.start(ENV, { hosts: true });
      const asked = (await Promise.all(Array.from({ length: 8 }, () => answerOf(host, "count")))).map(Number);
      assert.equal(readFileSync(join(place.path, "home/notes/count"), "utf8"), "8");
      assert.ok(asked.every((times) => times >= 1));
      assert.match(await answerOf(host, "elsewhere"), /is not in the agent's home/);
    },
  );

  test(
    `${language}: a browser returns to the agent, which passes on the request with the state; a cancelled wait ends`,
    skip,
    async (t) => {
      const { host } = await setUp(t, folder("home/plugins", files), enabled("tides")).start(ENV, { hosts: true });
      const printed: string[] = [];
      const port = Promise.withResolvers<number>();
      const out = (text: string): void => (printed.push(text), port.resolve(Number(text)));
      const io: CliIo = { out, error: () => undefined, interactive: false, signal: new AbortController().signal };
      const done = host.cli.get("sign-in")!.run({ words: [] } as never, io);
      const back = `http://127.0.0.1:${await port.promise}/back`;
      assert.equal((await fetch(`${back}?state=another&code=wrong`)).status, 400);
      assert.equal((await fetch(`${back}?state=the+state&code=right&iss=https://sign.in`)).status, 200);
      assert.equal((await done) ?? 0, 0);
      assert.equal(printed.filter((text) => text !== "").at(-1), '["right","https://sign.in"]');
      await assert.rejects(fetch(back), "it is closed");
      assert.match(await answerOf(host, "impatient"), /TimeoutError/);
    },
  );

  test(`${language}: a doctor check runs while the plugin is loaded`, skip, async (t) => {
    const { host } = await setUp(t, folder("home/plugins", files), enabled("tides")).start(ENV, { hosts: true });
    assert.deepEqual(await host.checks(), [{ name: "tides", ok: false, detail: "the moon is gone", hint: "look up" }]);
  });

  test(`${language}: an installed plugin gets its grants, and an error names a missing grant`, skip, async (t) => {
    await using world = await openWorld((_, reply) => void reply.writeHead(200, { connection: "close" }).end("hello"));
    const services = {
      proxy: async (options: Parameters<NetworkServices["proxy"]>[0]) => createProxy(world.ports, options),
    };
    const place = setUp(
      t,
      folder("project/.hermes/plugins", files, 'grants: { hosts: [a.example.org, "127.0.0.1:8080"] }\n'),
      "",
    );
    const options = { hosts: true, services, projectDir: join(place.path, "project/.hermes/plugins") } as const;
    await (await place.start(ENV, options)).host.service.enable("tides");
    const { host } = await place.start(ENV, options);
    const ask = async (tool: string, args: { readonly url?: string; readonly hosts?: string[] } = {}) =>
      JSON.parse(await answerOf(host, tool, args)) as { readonly [key: string]: unknown };
    assert.deepEqual(await ask("judge", { url: "http://a.example.org/" }), { said: null });
    assert.match(
      String((await ask("judge", { url: "http://b.example.org/" }))["said"]),
      /not one of the allowed hosts/,
    );
    assert.deepEqual(await ask("judge", { url: "http://b.example.org/", hosts: ["b.example.org"] }), {
      code: "blocked",
      message: 'Cannot open a proxy for the plugin "tides": it is not your own and has no grant for b.example.org.',
    });
    assert.deepEqual(await ask("private"), {
      code: "blocked",
      message:
        'Cannot open a proxy for the plugin "tides": it is not your own and may not connect to private networks.',
    });
    assert.equal((await ask("secrets"))["mine"], "ebb-and-flow");
    assert.match(
      String((await ask("elsewhere"))["message"]),
      /cannot use ctx\.changeFile here: the files of the home are the agent's\. Keep values in ctx\.storage/,
    );
    assert.match(String((await ask("returns"))["message"]), /may start a sign-in only in a command that you typed/);
  });
}
