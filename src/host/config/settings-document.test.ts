import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { SettingsDocument } from "./settings-document.ts";
import type { SettingsEdit } from "./settings-edit.ts";

const ANYTHING = { type: "object", additionalProperties: {} } as const;

function edited(text: string, ...edits: readonly SettingsEdit[]): string {
  const document = new SettingsDocument("config.yaml", text, ANYTHING);
  document.apply(edits);
  return document.text();
}

const FILE = `# top comment
agent:
    max_turns: 5      # turns
    # about the list
    toolsets:
    - web
    -   file   # wide

# about models
model: {default: x,   provider: "openai"}
hooks:
    -   on: start
        run: |
            echo one

            echo two
    -   on: end
last:   'quoted'   # end
`;

// field: C15
test("set changes only the lines of its key: indentation, comments and blank lines stay", () => {
  const set = (path: string, value: never): string => edited(FILE, { kind: "set", path, value });
  assert.equal(set("agent.max_turns", 8 as never), FILE.replace("5      #", "8      #"));
  assert.equal(set("last", "it's" as never), FILE.replace("'quoted'", "'it''s'"));
  assert.equal(set("model.default", "y" as never), FILE.replace("default: x", "default: y"));
  assert.equal(
    set("model.base_url", "http://h/v1" as never),
    FILE.replace('"openai"}', '"openai", base_url: http://h/v1}'),
  );
  assert.equal(set("agent.effort", "high" as never), FILE.replace("# wide\n", "# wide\n    effort: high\n"));
  assert.equal(
    set("agent.nested.deep", 1 as never),
    FILE.replace("# wide\n", "# wide\n    nested:\n        deep: 1\n"),
  );
  assert.equal(set("fresh.list", ["a", "b"] as never), `${FILE}fresh:\n    list:\n      - a\n      - b\n`);
  assert.equal(
    set("agent.toolsets", ["todo"] as never),
    FILE.replace("    - web\n    -   file   # wide\n", "    - todo   # wide\n"),
  );
  assert.equal(set("hooks.1.on", "stop" as never), FILE.replace("on: end", "on: stop"));
});

// field: C15
test("unset removes only the lines of its key, and of a section that becomes empty", () => {
  const unset = (text: string, path: string): string => edited(text, { kind: "unset", path });
  assert.equal(unset(FILE, "agent.max_turns"), FILE.replace("    max_turns: 5      # turns\n", ""));
  assert.equal(unset(FILE, "agent.toolsets"), FILE.replace("    toolsets:\n    - web\n    -   file   # wide\n", ""));
  assert.equal(unset(FILE, "model.default"), FILE.replace("default: x,   ", ""));
  assert.equal(unset(FILE, "model.provider"), FILE.replace(',   provider: "openai"', ""));
  assert.equal(unset(FILE, "last"), FILE.replace("last:   'quoted'   # end\n", ""));
  assert.equal(unset("a:\n  b: 1\n# kept\nc: 2\n", "a.b"), "# kept\nc: 2\n");
  assert.equal(unset(FILE, "nowhere"), FILE);
});

// field: C15
test("a list that grows and shrinks keeps its indentation and the comments of its other items", () => {
  const text =
    "allow:\n      - ls *   # quick\n      - rm x # bad\n      # before the last\n      - rule: npm *\n        at: 1\nend: 1\n";
  assert.equal(
    edited(text, { kind: "list", path: "allow", add: ["git status"], remove: ["rm x"] }),
    text.replace("      - rm x # bad\n", "").replace("        at: 1\n", "        at: 1\n      - git status\n"),
  );
  assert.equal(
    edited("allow: [a, b] # c\n", { kind: "list", path: "allow", add: ["d"], remove: ["a"] }),
    "allow: [b, d] # c\n",
  );
  assert.equal(
    edited(text, { kind: "list", path: "allow", remove: ["npm *"] }),
    text.replace("      - rule: npm *\n        at: 1\n", ""),
  );
});

test("files without a final line end, with only comments, or with Windows line ends keep their form", () => {
  const set = (text: string): string => edited(text, { kind: "set", path: "b.c", value: 1 });
  assert.equal(set("a: 1"), "a: 1\nb:\n  c: 1\n".trimEnd());
  assert.equal(set("# nothing yet\n"), "# nothing yet\nb:\n  c: 1\n");
  assert.equal(set("a:\r\n   x: 1 # one\r\n"), "a:\r\n   x: 1 # one\r\nb:\r\n   c: 1\r\n");
  assert.equal(set("b:   # empty\nz: 1\n"), "b:\n  c: 1   # empty\nz: 1\n");
});

interface Line {
  readonly text: string;
  /** The key path that the line belongs to; for comments and blank lines the section that they are in. */
  readonly owner: string;
}

/** Numbers that look random and are the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** A YAML file with every style a user may write, and the key path of each line. */
function randomFile(random: (below: number) => number): {
  readonly lines: readonly Line[];
  readonly paths: readonly string[];
} {
  const lines: Line[] = [];
  const paths: string[] = [];
  let made = 0;
  const noise = (column: number, owner: string): void => {
    if (random(4) === 0) lines.push({ text: "", owner });
    if (random(4) === 0) lines.push({ text: `${" ".repeat(column)}# note ${made++}: [not, a: value]`, owner });
  };
  const comment = (): string => (random(3) === 0 ? `${" ".repeat(1 + random(4))}# ${made++}` : "");
  const section = (path: string, column: number, depth: number): void => {
    const step = 1 + random(5);
    const count = 1 + random(4);
    for (let index = 0; index < count; index++) {
      noise(column, path);
      const key = `k${made++}`;
      const own = path === "" ? key : `${path}.${key}`;
      const spaces = " ".repeat(column);
      const add = (text: string): void => void lines.push({ text, owner: own });
      paths.push(own);
      switch (depth > 0 ? random(7) : 1 + random(6)) {
        case 0:
          add(`${spaces}${key}:${comment()}`);
          section(own, column + step, depth - 1);
          break;
        case 1:
          add(`${spaces}${key}: ${random(1000)}${comment()}`);
          break;
        case 2:
          add(
            `${spaces}${key}:   ${["plain words", "'it''s # quoted'", '"tab\\t"', "true", "~", ""][random(6)]}${comment()}`,
          );
          break;
        case 3:
          add(`${spaces}${key}: [a,  b, {c: ${random(9)}}]${comment()}`);
          break;
        case 4: {
          const inner = spaces + " ".repeat(random(2) * step);
          add(`${spaces}${key}:`);
          for (let item = 0; item <= random(3); item++)
            add(`${inner}-${" ".repeat(1 + random(3))}item ${item}${comment()}`);
          break;
        }
        case 5:
          add(`${spaces}${key}: ${["|", "|-", ">"][random(3)]}`);
          add(`${spaces}${" ".repeat(step)}line one`);
          add(`${spaces}${" ".repeat(step)}  line: two # text`);
          break;
        default:
          add(`${spaces}${key}: {a:  ${random(9)}, b: 'x'}${comment()}`);
      }
    }
  };
  section("", 0, 3);
  return { lines, paths };
}

const within = (owner: string, path: string): boolean => owner === path || owner.startsWith(`${path}.`);

/** The value at a path is replaced, or removed together with sections that become empty. */
function changed(data: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(data ?? {}) as Record<string, unknown>;
  const keys = path.split(".");
  const chain: Record<string, unknown>[] = [copy];
  for (const key of keys.slice(0, -1)) chain.push((chain.at(-1)![key] ??= {}) as Record<string, unknown>);
  if (value !== undefined) chain.at(-1)![keys.at(-1)!] = value;
  else {
    for (let depth = keys.length - 1; depth >= 0; depth--) {
      delete chain[depth]![keys[depth]!];
      if (Object.keys(chain[depth]!).length > 0) break;
    }
  }
  return copy;
}

// field: C15
test("in random files, set and unset change only the lines of their key, with the right result", () => {
  const values = [7, "word", "it's: # odd", true, null, ["x", "y"], { p: { q: [1] } }, "two\nlines\n"] as const;
  for (let seed = 0; seed < 500; seed++) {
    const random = randomFrom(seed);
    const { lines, paths } = randomFile(random);
    const text = `${lines.map((line) => line.text).join("\n")}\n`;
    const before: unknown = parse(text);
    const path = paths[random(paths.length)]!;
    const value = values[random(values.length)] as never;
    const about = (result: string): string => `seed ${seed}, ${path}:\n${text}\n--- became ---\n${result}`;
    const others = (of: string): string =>
      lines
        .filter(({ owner }) => !within(owner, of))
        .map((line) => line.text)
        .join("\n");

    const set = edited(text, { kind: "set", path, value });
    assert.deepEqual(parse(set), changed(before, path, value), about(set));
    assertKept(lines, path, set, about(set));

    const fresh = `${path}.new`;
    const parent = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "";
    const beside = parent === "" ? "new" : `${parent}.new`;
    const added = edited(text, { kind: "set", path: beside, value });
    assert.deepEqual(parse(added), changed(before, beside, value), about(added));
    assertKept(lines, fresh, added, about(added));

    const unset = edited(text, { kind: "unset", path });
    assert.deepEqual(parse(unset) ?? {}, changed(before, path, undefined), about(unset));
    let whole = path;
    for (let up = parent; up !== "" && !paths.some((one) => within(one, up) && !within(one, whole) && one !== up);) {
      whole = up;
      up = up.includes(".") ? up.slice(0, up.lastIndexOf(".")) : "";
    }
    assert.equal(unset.trimEnd(), others(whole).trimEnd(), about(unset));
  }
});

/** All lines of other keys, comments and blank lines are there, in order, byte for byte. */
function assertKept(lines: readonly Line[], path: string, result: string, about: string): void {
  const there = result.split("\n");
  let at = 0;
  for (const { text, owner } of lines) {
    if (within(owner, path) || within(path, owner)) continue;
    const found = there.indexOf(text, at);
    assert.ok(found >= 0, `the line "${text}" is missing: ${about}`);
    at = found + 1;
  }
}
