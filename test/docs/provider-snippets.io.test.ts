import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { openApp } from "../../src/host/app.ts";
import { NewPerson } from "../end-to-end/person.ts";
import { pageOf, readPage } from "./read-pages.ts";

const PYTHON = spawnSync("python3", ["--version"]).status === 0;

/** What each section's plugins are, and what they have to fill. */
const SECTIONS: { readonly [heading: string]: readonly [kind: string, ...providers: readonly string[]] } = {
  "A wire of its own": ["standalone", "model/echo"],
  "Model services": ["model-provider", "model_profile/acme"],
  Memory: ["exclusive", "memory/my-memory"],
  "Context engines": ["standalone", "context/my-engine"],
  "Pictures and films": ["backend", "image_gen/my-imggen", "video_gen/my-films"],
  Channels: ["platform", "platform/myplatform"],
};

test("what the plugin guide shows of each kind of provider is a plugin that fills its slot, in either language", async () => {
  const { text } = readPage("docs/plugins.md");
  const shown = Object.entries(SECTIONS).flatMap(([heading, [kind, ...providers]], at) => {
    const [section = ""] = text.slice(text.indexOf(`\n### ${heading}\n`) + 5).split(/^##/m);
    const { fences } = pageOf(heading, section);
    return ["ts", "python"].flatMap((language) => {
      const codes = fences.filter((fence) => fence.language === language).map(({ code }) => code);
      return codes.length === 0 || (language === "python" && !PYTHON) ? [] : [{ name: `shown-${at}-${language}`, heading, kind, providers, language, codes }];
    });
  });
  assert.deepEqual(Object.keys(SECTIONS).filter((heading) => !shown.some((one) => one.heading === heading)), []);

  using person = new NewPerson();
  for (const { name, kind, language, codes } of shown) {
    person.write(`~/.hermes/plugins/${name}/plugin.yaml`, `name: ${name}\nversion: 1.0.0\ndescription: From the guide.\nkind: ${kind}\noptional_env: [MYPLATFORM_TOKEN]\n`);
    if (language === "ts") person.write(`~/.hermes/plugins/${name}/index.ts`, `import { textOf } from "hermes-agent/plugin";\nexport const register = (ctx: any) => {\nvoid textOf;\n${codes.join("\n")}\n};\n`);
    else person.write(`~/.hermes/plugins/${name}/__init__.py`, registersAll(codes));
  }
  await using app = await openApp({ version: "0", env: { HOME: person.home, PATH: process.env["PATH"] }, signal: new AbortController().signal });
  for (const { name, heading, language, providers } of shown) {
    const { listing } = await app.plugins.enable(name);
    assert.deepEqual([...listing.registered.providers].sort(), [...providers].sort(), `${heading} in ${language}`);
  }
});

/** Each snippet has a `register` of its own; a plugin of several calls all. */
function registersAll(codes: readonly string[]): string {
  const renamed = codes.map((code, at) => code.replace(/^def register\(/m, `def register_${at}(`));
  const calls = codes.flatMap((code, at) => (/^def register\(/m.test(code) ? [`    register_${at}(ctx)`] : []));
  return `${renamed.join("\n")}\n\ndef register(ctx):\n${["    pass", ...calls].join("\n")}\n`;
}
