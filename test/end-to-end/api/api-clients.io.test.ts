import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import {
  fetchNodePackages,
  fetchPackages,
  type Fetched,
} from "../../../src/plugin-runtimes/test/third-party-fixture.ts";
import { ApiScene, KEY } from "../support/api-scene.ts";
import { ended } from "../support/test-user.ts";

const NODE_PACKAGES = ["openai@7.59.0", "@langchain/openai@1.6.0", "@langchain/core@1.4.0"];
const PYTHON_PACKAGES = ["openai==3.57.0", "langchain-openai==1.7.4"];
const ANSWER = "I look.\n\nIt sleeps.";

interface Client {
  readonly name: string;
  readonly packages: () => Fetched;
  /** Prints the text it received as JSON. Its environment has `OPENAI_BASE_URL` and `OPENAI_API_KEY`. */
  readonly script: string;
}

const node = (): Fetched => fetchNodePackages(NODE_PACKAGES);
const python = (): Fetched => fetchPackages([], PYTHON_PACKAGES);

const CLIENTS: readonly Client[] = [
  {
    name: "OpenAI for Node, reading chunks",
    packages: node,
    script: `
import OpenAI from "openai";
const stream = await new OpenAI().chat.completions.create({ model: "any", messages: [{ role: "user", content: "look" }], stream: true });
let text = "";
for await (const chunk of stream) text += chunk.choices[0].delta.content ?? "";
console.log(JSON.stringify(text));
`,
  },
  {
    name: "OpenAI for Node, with its stream helper",
    packages: node,
    script: `
import OpenAI from "openai";
const stream = new OpenAI().chat.completions.stream({ model: "any", messages: [{ role: "user", content: "look" }] });
console.log(JSON.stringify((await stream.finalChatCompletion()).choices[0].message.content));
`,
  },
  {
    name: "LangChain for Node",
    packages: node,
    script: `
import { ChatOpenAI } from "@langchain/openai";
const model = new ChatOpenAI({ model: "any", configuration: { baseURL: process.env.OPENAI_BASE_URL } });
let text = "";
for await (const chunk of await model.stream("look")) text += chunk.content;
console.log(JSON.stringify(text));
`,
  },
  {
    name: "OpenAI for Python, reading chunks",
    packages: python,
    script: `
import json, openai
stream = openai.OpenAI().chat.completions.create(model="any", messages=[{"role": "user", "content": "look"}], stream=True)
print(json.dumps("".join(chunk.choices[0].delta.content or "" for chunk in stream)))
`,
  },
  {
    name: "OpenAI for Python, with its stream helper",
    packages: python,
    script: `
import json, openai
with openai.OpenAI().chat.completions.stream(model="any", messages=[{"role": "user", "content": "look"}]) as stream:
    print(json.dumps(stream.get_final_completion().choices[0].message.content))
`,
  },
  {
    name: "LangChain for Python",
    packages: python,
    script: `
import json
from langchain_openai import ChatOpenAI
print(json.dumps("".join(chunk.content for chunk in ChatOpenAI(model="any").stream("look"))))
`,
  },
];

// field: S06
for (const { name, packages, script } of CLIENTS)
  test(`${name}: reads the stream of a turn that uses tools`, { timeout: 600_000 }, async (t) => {
    const { environment, reason } = packages();
    if (environment === undefined) return t.skip(reason);
    await using scene = await ApiScene.open([
      { text: "I look.", calls: [{ tool: "read_file", args: { path: "notes.txt" } }] },
      { text: "It sleeps." },
    ]);
    scene.prompter.write("notes.txt", "the weasel sleeps\n");
    const [program, ...args] =
      packages === node
        ? [process.execPath, "--input-type=module", "-e", script]
        : [join(environment, "bin/python"), "-c", script];
    const child = spawn(program!, args, {
      cwd: environment,
      env: {
        PATH: process.env["PATH"],
        HOME: scene.prompter.home,
        OPENAI_BASE_URL: new URL("v1", scene.url).href,
        OPENAI_API_KEY: KEY,
      },
    });
    const { status, out, err } = await ended(child, 60_000);
    assert.equal(status, 0, err);
    assert.equal(JSON.parse(out), ANSWER);
  });
