import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram } from "../../../src/testing/lacks-program.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { RecordedRequest, ScriptedReply } from "../../servers/script.ts";
import { NewUser } from "../support/test-user.ts";

const SECRET = "wander-Blaue7!katze";
const DIGEST = createHash("sha256").update(SECRET).digest("hex");

/** Each records a digest of its input, which proves that it received the secret without revealing it. */
const WAITS = `import hashlib, sys\nprint("Password:", flush=True)\ngiven = sys.stdin.readline().rstrip("\\n")\nopen("got.txt", "w").write(hashlib.sha256(given.encode()).hexdigest())\nprint("welcome, you typed", given, flush=True)\n`;
const NODE = `
import { createHash } from "node:crypto";
export default (ctx) => {
  const input = { type: "object", properties: { key: { type: "string" }, note: { type: "string" } } };
  ctx.tool({ name: "node_open", toolset: "opens", description: "Opens.", effect: "read", input, secrets: [{ argument: "key" }], execute: (args) => ({ digest: createHash("sha256").update(args.key).digest("hex"), note: args.note, key: args.key }) });
  ctx.register_tool({ name: "seeds_open", toolset: "opens", schema: { name: "seeds_open", description: "Opens.", parameters: input }, secrets: [{ argument: "key" }], handler: (args) => ({ digest: createHash("sha256").update(args.key).digest("hex") }) });
};
`;
const PYTHON = `import hashlib, json
def opens(args, **kwargs):
    return json.dumps({"digest": hashlib.sha256(args["key"].encode()).hexdigest(), "note": args["note"], "key": args["key"]})
def register(ctx):
    ctx.register_tool(name="python_open", toolset="opens", schema={"description": "Opens.", "parameters": {"type": "object", "properties": {"key": {"type": "string"}, "note": {"type": "string"}}}}, handler=opens, secrets=[{"argument": "key"}])
`;

// req: R-39, plugins.register-tool
test(
  "replaces a secret handle only in waiting programs and declared plugin arguments, and never shows the value",
  { skip: lacksProgram("python3") },
  async () => {
    using user = new NewUser();
    const handle = "secret://DOOR_KEY";
    const opened = { key: handle, note: `say ${handle}` };
    const script = (request: RecordedRequest, number: number): ScriptedReply => {
      const process = /proc_[\w-]+/.exec(request.body)?.[0] ?? "";
      switch (number) {
        case 1:
          return {
            calls: [
              { tool: "terminal", args: { command: "python3 waits.py", background: true } },
              { tool: "terminal", args: { command: `echo ${handle}` } },
              { tool: "write_file", args: { path: "note.txt", content: handle } },
            ],
          };
        case 2:
          return { calls: [{ tool: "process", args: { action: "submit", session_id: process, data: handle } }] };
        case 3:
          return {
            calls: [
              { tool: "process", args: { action: "wait", session_id: process } },
              { tool: "process", args: { action: "log", session_id: process } },
              ...["node_open", "seeds_open", "python_open"].map((tool) => ({ tool, args: opened })),
            ],
          };
        case 4:
          return { calls: [{ tool: "node_open", args: { key: "secret://OTHER_KEY" } }] };
        default:
          return { text: "Done." };
      }
    };
    await using server = await startOpenAiServer(script);
    user.connect(
      "custom",
      server.url,
      `security:\n  secret_handles:\n    DOOR_KEY: { tools: [process, node_open, seeds_open, python_open] }\nplugins:\n  enabled: [opens, snake]\nlogging:\n  level: DEBUG\n`,
    );
    user.write(
      "~/.hermes/.env",
      `OPENAI_API_KEY=key-of-the-test\nDOOR_KEY='${SECRET}'\nOTHER_KEY=another-secret-value\n`,
    );
    user.write("~/.hermes/plugins/opens/plugin.yaml", "name: opens\nversion: 1.0.0\ndescription: Opens\n");
    user.write("~/.hermes/plugins/opens/index.mjs", NODE);
    user.write("~/.hermes/plugins/snake/plugin.yaml", "name: snake\nversion: 1.0.0\ndescription: Opens\n");
    user.write("~/.hermes/plugins/snake/__init__.py", PYTHON);
    user.write("waits.py", WAITS);
    const ended = await user.run(["chat", "-q", "open the door", "--json", "--yolo"]);
    assert.equal(ended.status, 0, ended.err);

    assert.equal(readFileSync(join(user.folder, "got.txt"), "utf8"), DIGEST);
    assert.equal(readFileSync(join(user.folder, "note.txt"), "utf8"), handle);
    const results = (
      JSON.parse(server.requests.at(-1)!.body) as {
        readonly messages: readonly { readonly role: string; readonly content: string }[];
      }
    ).messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content);
    assert.match(results[1]!, /"output":\s*"secret:\/\/DOOR_KEY/);
    assert.match(results[4]!, /welcome, you typed \[REDACTED\]/);
    assert.deepEqual(
      results
        .slice(6, 9)
        .map((text) => [text.includes(DIGEST), text.includes("say secret://DOOR_KEY"), text.includes("[REDACTED]")]),
      [
        [true, true, true],
        [true, false, false],
        [true, true, true],
      ],
    );
    assert.match(results[9]!, /secret:\/\/OTHER_KEY does not exist, or you may not use it/);

    const places = await everywhere(user, server.requests, ended);
    assert.ok(places.length > 8);
    assert.deepEqual(
      places.filter(([, text]) => text.includes(SECRET)).map(([name]) => name),
      [],
    );
  },
);

// req: R-39
test("asks before it types a secret handle into a running shell, and types nothing without an approval", async () => {
  using user = new NewUser();
  const script = (request: RecordedRequest, number: number): ScriptedReply =>
    number === 1
      ? { calls: [{ tool: "terminal", args: { command: "bash reads.sh", background: true } }] }
      : number === 2
        ? {
            calls: [
              {
                tool: "process",
                args: {
                  action: "submit",
                  session_id: /proc_[\w-]+/.exec(request.body)?.[0] ?? "",
                  data: "echo secret://DOOR_KEY > took.txt",
                },
              },
            ],
          }
        : { text: "Done." };
  await using server = await startOpenAiServer(script);
  user.connect("custom", server.url, "security:\n  secret_handles:\n    DOOR_KEY: { tools: [process] }\n");
  user.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\nDOOR_KEY='${SECRET}'\n`);
  user.write("reads.sh", 'while read -r line; do eval "$line"; done\n');
  const ended = await user.run(["chat", "-q", "open the door", "--json"]);
  assert.match(
    server.requests.at(-1)!.body,
    /needs approval \(stored secret typed into a shell\), and no user is connected/,
  );
  assert.equal(readdirSync(user.folder).includes("took.txt"), false, ended.err);
});

/** Prints the secret's digest and every usual encoding, and searches for it where other processes could find it. */
const CALLS_OUT = `import base64, hashlib, os, subprocess, sys, urllib.parse
key = os.environ["DOOR_KEY"]
print("digest", hashlib.sha256(key.encode()).hexdigest())
forms = [key, base64.b64encode(key.encode()).decode(), key.encode().hex(), urllib.parse.quote(key), key[::-1]]
print("said", *forms, file=sys.stderr)
seen = []
for pid in filter(str.isdigit, os.listdir("/proc")):
    for name in ("cmdline", "environ"):
        try:
            if key.encode() in open(f"/proc/{pid}/{name}", "rb").read() and not (name == "environ" and int(pid) == os.getpid()):
                seen.append(name)
        except OSError:
            pass
print("arguments", seen.count("cmdline"))
if "long" in sys.argv: print((key + "\\n") * 5000)
`;

// req: R-39
test(
  "a command gets a stored secret in its environment after an approval, and the value appears nowhere else",
  { skip: lacksProgram("python3") },
  async () => {
    using user = new NewUser();
    const env = { DOOR_KEY: "secret://DOOR_KEY" };
    const script = (request: RecordedRequest, number: number): ScriptedReply => {
      const process = /proc_[\w-]+/.exec(request.body)?.[0] ?? "";
      switch (number) {
        case 1:
          return {
            calls: [
              { tool: "terminal", args: { command: "python3 calls.py long", env } },
              {
                tool: "terminal",
                args: { command: "echo left: $DOOR_KEY; python3() { echo taken $DOOR_KEY; }; export -f python3" },
              },
              { tool: "terminal", args: { command: "python3 calls.py", env } },
            ],
          };
        case 2:
          return {
            calls: [{ tool: "terminal", args: { command: "python3 calls.py; sleep 0.2", env, background: true } }],
          };
        case 3:
          return { calls: [{ tool: "process", args: { action: "wait", session_id: process } }] };
        case 4:
          return {
            calls: [
              { tool: "terminal", args: { command: "true", env: { A: "secret://OTHER_KEY" } } },
              { tool: "terminal", args: { command: "true", env: { A: "plain" } } },
              { tool: "terminal", args: { command: "true", env: { LD_PRELOAD: "secret://DOOR_KEY" } } },
            ],
          };
        default:
          return { text: "Done." };
      }
    };
    await using server = await startOpenAiServer(script);
    user.connect(
      "custom",
      server.url,
      "security:\n  secret_handles:\n    DOOR_KEY: { tools: [terminal] }\nlogging:\n  level: DEBUG\n",
    );
    user.write(
      "~/.hermes/.env",
      `OPENAI_API_KEY=key-of-the-test\nDOOR_KEY='${SECRET}'\nOTHER_KEY=another-secret-value\n`,
    );
    user.write("calls.py", CALLS_OUT);
    const ended = await user.run(["chat", "-q", "open the door", "--json", "--yolo"]);
    assert.equal(ended.status, 0, ended.err);
    const results = (
      JSON.parse(server.requests.at(-1)!.body) as {
        readonly messages: readonly { readonly role: string; readonly content: string }[];
      }
    ).messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content);
    assert.match(results[0]!, new RegExp(`digest ${DIGEST}`));
    assert.match(results[0]!, /arguments 0/);
    assert.match(results[1]!, /"output":\s*"left:"/, "the secret is not in the task's shell");
    assert.match(results[2]!, new RegExp(`digest ${DIGEST}`), "a function of the task's shell does not get it");
    assert.match(results[4]!, new RegExp(`digest ${DIGEST}`));
    assert.match(results[5]!, /secret:\/\/OTHER_KEY does not exist, or you may not use it/);
    assert.match(results[6]!, /env\.A must be exactly secret:\/\/NAME/);
    assert.match(results[7]!, /LD_PRELOAD.* is not an allowed name/);
    const forms = [
      SECRET,
      Buffer.from(SECRET).toString("base64"),
      Buffer.from(SECRET).toString("hex"),
      encodeURIComponent(SECRET),
    ];
    const places = await everywhere(user, server.requests, ended);
    assert.ok(places.length > 8);
    assert.deepEqual(
      places.filter(([, text]) => forms.some((form) => text.includes(form))).map(([name]) => name),
      [],
    );
  },
);

// req: R-39
test("without a user, a secret in an environment is denied unless the secret's own rule covers the command", async () => {
  using user = new NewUser();
  const env = { DOOR_KEY: "secret://DOOR_KEY" };
  const script = (_: RecordedRequest, number: number): ScriptedReply =>
    number === 1
      ? {
          calls: ["python3 calls.py", "sha256sum calls.py", "sha256sum calls.py > x; env"].map((command) => ({
            tool: "terminal",
            args: { command, env },
          })),
        }
      : { text: "Done." };
  await using server = await startOpenAiServer(script);
  user.connect(
    "custom",
    server.url,
    'command_allowlist: ["python3 calls.py"]\nsecurity:\n  secret_handles:\n    DOOR_KEY: { tools: [terminal], commands: ["sha256sum *"] }\n',
  );
  user.write("~/.hermes/.env", `OPENAI_API_KEY=key-of-the-test\nDOOR_KEY='${SECRET}'\n`);
  user.write("calls.py", CALLS_OUT);
  const ended = await user.run(["chat", "-q", "open the door", "--json"]);
  const results = (
    JSON.parse(server.requests.at(-1)!.body) as {
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    }
  ).messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content);
  assert.match(results[0]!, /needs approval \(stored secret given to a command\)/, ended.err);
  assert.match(results[1]!, /calls\.py/);
  assert.match(results[2]!, /needs approval \(stored secret given to a command/);
});

async function everywhere(
  user: NewUser,
  requests: readonly RecordedRequest[],
  ended: { readonly out: string; readonly err: string },
): Promise<readonly (readonly [string, string])[]> {
  return [
    ...requests.map(({ body }, at): readonly [string, string] => [`request ${at + 1}`, body]),
    ["output", ended.out],
    ["errors", ended.err],
    ["export", (await user.run(["sessions", "export", "latest"])).out],
    ...filesBelow(user.agentHome)
      .filter((file) => !file.endsWith("/.env"))
      .map((file): readonly [string, string] => [file, readFileSync(file, "latin1")]),
  ];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
