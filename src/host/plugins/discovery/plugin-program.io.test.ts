import assert from "node:assert/strict";
import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, setUp, type Files } from "../plugins-fixture.ts";

const CODE = "#!/bin/sh\n";

// req: R-59
test("an unusable program is an error with its line and a fix", async (t) => {
  const cases: { readonly [name: string]: readonly [program: string, error: RegExp, more?: Files] } = {
    numbered: [
      "[perl, 7]",
      /plugin\.yaml:4:17: "program" must be a list of strings, `\[perl, \.\/plugin\.pl\]`, or one program, `\.\/plugin`\. Put numbers in quotes\.$/,
    ],
    none: ["[]", /plugin\.yaml:4:1: "program" must be a list of strings/],
    shell: [
      "perl ./plugin.pl",
      /plugin\.yaml:4:1: "program" is not a shell command line; list each argument: `program: \[perl, \.\/plugin\.pl\]`\.$/,
    ],
    rooted: [
      "/bin/sh",
      /plugin\.yaml:4:1: "\/bin\/sh" must be a file of the plugin, which begins with "\.\/", or a program on PATH, which has no "\/"\.$/,
    ],
    above: ["[./../../evil]", /plugin\.yaml:4:11: "\.\/\.\.\/\.\.\/evil" leads out of the plugin's folder\.$/],
    argued: ["[perl, ../x.pl]", /plugin\.yaml:4:17: "\.\.\/x\.pl" leads out of the plugin's folder\.$/],
    both: [
      "./plugin",
      /plugin\.yaml:4:1: a plugin has one entry, but this one has "program" and index\.js\. Remove one\.$/,
      { "home/plugins/both/index.js": "export default () => {};\n" },
    ],
    absent: ["./plugin", /plugin\.yaml:4:1: there is no file \.\/plugin in .*absent; build the program first$/],
    unscripted: ["[sh, ./plugin.sh]", /plugin\.yaml:4:1: there is no file \.\/plugin\.sh in /],
    plain: [
      "./plugin",
      /plugin\.yaml:4:1: \.\/plugin is not executable: chmod \+x .*plain\/plugin$/,
      { "home/plugins/plain/plugin": CODE },
    ],
    linked: ["./plugin", /plugin\.yaml:4:1: \.\/plugin leads out of the plugin's folder, to .*elsewhere$/],
    folder: ["./lib", /plugin\.yaml:4:1: \.\/lib is not a file$/, { "home/plugins/folder/lib/x": "" }],
    unheard: [
      "no-such-interpreter",
      /missing: no-such-interpreter on the PATH, which .*plugin\.yaml:4:1 names as its program$/,
    ],
  };
  const files = Object.entries(cases).map(([name, [program, , more]]): Files => ({
    [`home/plugins/${name}/plugin.yaml`]: manifest(name, `program: ${program}\n`),
    ...more,
  }));
  const place = setUp(t, { ...Object.assign({}, ...files), elsewhere: CODE }, "");
  chmodSync(join(place.path, "elsewhere"), 0o755);
  symlinkSync(join(place.path, "elsewhere"), join(place.path, "home/plugins/linked/plugin"));
  const { host } = await place.start({}, { hosts: true, path: process.env["PATH"] });
  for (const [name, [, error]] of Object.entries(cases)) {
    const [checked] = await host.service.check(name);
    const errors = checked?.problems.filter(({ level }) => level === "error").map(({ text }) => text) ?? [];
    assert.equal(errors.length, 1, `${name}: ${errors.join("\n")}`);
    assert.match(errors[0]!, error, name);
    await assert.rejects(host.service.enable(name), new RegExp(error.source.replace(/\$$/, "")), name);
  }
});
