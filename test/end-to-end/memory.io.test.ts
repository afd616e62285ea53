import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../servers/openai.ts";
import { NewPerson } from "./person.ts";

const python = spawnSync("python3", ["--version"]).status === 0;
const examples = join(import.meta.dirname, "../../examples/plugins");
type Body = { readonly messages: readonly { readonly role: string; readonly content: string | readonly { readonly text?: string }[] }[]; readonly tools?: readonly { readonly function: { readonly name: string } }[] };

const textsOf = (body: string): readonly string[] => (JSON.parse(body) as Body).messages.map(({ content }) => (typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("\n")));

for (const [language, folder] of [["TypeScript", "notes-memory"], ["Python", "notes-memory-python"]] as const) {
  // req: memory.manager-and-provider, plugins.memory-register, plugins.memory-cli-convention, plugins.memory-cli-gating
  test(`a memory provider in ${language}: stored after the answer, recalled in the next session, its tool and command there while it is chosen`, { skip: language === "Python" && !python ? "there is no python3" : false }, async () => {
    using person = new NewPerson();
    await using server = await startOpenAiServer((_, number) => (number === 3 ? { calls: [{ tool: "notes_search", args: { query: "harbour" } }] } : { text: `Reply ${number}.` }));
    person.connect("custom", server.url, "");
    cpSync(join(examples, folder), join(person.agentHome, "plugins/notes-memory"), { recursive: true });
    const without = await person.run(["chat", "-q", "The harbour code is Zanzibar-77."]);
    assert.equal(without.status, 0, without.err);
    assert.equal((await person.run(["notes-memory", "status"])).status, 2);
    assert.doesNotMatch((await person.run(["--help"])).out, /notes-memory/);

    assert.equal((await person.run(["memory", "setup", "notes-memory"])).status, 0);
    assert.match((await person.run(["memory", "status"])).out, /notes-memory.*available/s);
    const first = await person.run(["chat", "-q", "The harbour code is Zanzibar-77."]);
    assert.equal(first.status, 0, first.err);
    assert.deepEqual(readFileSync(join(person.agentHome, "notes-memory/notes.jsonl"), "utf8").trim().split("\n").map((line) => (JSON.parse(line) as { user: string }).user), ["The harbour code is Zanzibar-77."]);
    const second = await person.run(["chat", "-q", "Which harbour code?", "--yolo"]);
    assert.equal(second.status, 0, second.err);
    const [, stored, recalled, called] = server.requests.map(({ body }) => body);
    assert.ok(!textsOf(stored!).join("\n").includes("<memory-context>"));
    assert.match(textsOf(recalled!).at(-1)!, /Which harbour code\?\n.*<memory-context>\n\[Recalled by notes-memory .*Zanzibar-77.*<\/memory-context>/s);
    assert.match(textsOf(recalled!)[0]!, /Notes of earlier conversations are kept\./);
    assert.ok((JSON.parse(recalled!) as Body).tools!.some((tool) => tool.function.name === "notes_search"));
    assert.match(textsOf(called!).at(-1)!, /Zanzibar-77/);
    // The prefix is the same all along, and what was recalled is in no file of the store.
    assert.equal(textsOf(recalled!)[0], textsOf(called!)[0]);
    for (const file of readdirSync(person.agentHome).filter((name) => name.startsWith("state.db"))) assert.ok(!readFileSync(join(person.agentHome, file), "latin1").includes("<memory-context>"));

    const status = await person.run(["notes-memory", "status"]);
    assert.match(status.out, /^2 notes in .*notes\.jsonl/m, status.err);
    assert.match((await person.run(["--help"])).out, /notes-memory/);
    assert.equal((await person.run(["memory", "off"])).status, 0);
    assert.doesNotMatch((await person.run(["--help"])).out, /notes-memory/);
  });
}
