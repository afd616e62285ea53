import assert from "node:assert/strict";
import { test } from "node:test";
import { absolutePath, homeInPasswords } from "./absolute-path.ts";
import { judgePath } from "./paths.ts";

const HOME = "/home/u";
const ask = (
  access: "read" | "write" | "create" | "delete",
  path: string,
  more: { literal?: string; agentHome?: string; writeRoots?: readonly string[] } = {},
) => judgePath({ path, literal: path, access, home: HOME, ...more });
const answers = (access: "read" | "write" | "create" | "delete", paths: readonly string[]): readonly string[] =>
  paths.map((path) => `${ask(access, path).answer} ${path}`);

test("does not read endless devices, process memory, stored secrets and project .env files", () => {
  const paths = [
    "/dev/zero",
    "/dev/stdin",
    "/dev/fd/0",
    "/proc/self/fd/1",
    "/proc/1/environ",
    "/proc/self/mem",
    "/proc/7/task/9/maps",
    "/home/u/.hermes/.env",
    "/home/u/.hermes/auth.json",
    "/home/u/.hermes/slack_tokens.json",
    "/home/u/.hermes/state.db",
    "/home/u/.hermes/mcp-tokens/x",
    "/home/u/.hermes/skills/.hub/x",
    "/home/u/p/.env",
    "/home/u/p/.env.local",
    "/home/u/p/.envrc",
    "/home/u/p/.ENV",
    "/home/u/.ssh/id_rsa",
    "/home/u/.aws/credentials",
    "/etc/shadow",
    "/Users/x/Library/Keychains/login.keychain-db",
    "/home/other/.netrc",
  ];
  assert.deepEqual(
    answers("read", paths),
    paths.map((path) => `deny ${path}`),
  );
});

test("reads ordinary files, examples and public keys", () => {
  const paths = [
    "/home/u/p/a.ts",
    "/home/u/p/.env.example",
    "/home/u/.ssh/id_rsa.pub",
    "/home/u/.ssh/config",
    "/etc/hosts",
    "/home/u/.bashrc",
    "/home/u/.hermes/config.yaml",
    "/home/u/.hermes/skills/a/SKILL.md",
    "/proc/cpuinfo",
    "/tmp/x",
  ];
  assert.deepEqual(
    answers("read", paths),
    paths.map((path) => `allow ${path}`),
  );
});

test("refuses protected names whether they exist or not", () => {
  const paths = [
    "/etc/hosts",
    "/boot/x",
    "/usr/lib/systemd/x",
    "/private/etc/hosts",
    "/var/run/docker.sock",
    "/home/u/.hermes/config.yaml",
    "/home/u/.hermes/.env",
    "/home/u/.hermes/state.db",
    "/home/u/.hermes/index.db",
    "/home/u/.ssh/authorized_keys",
    "/home/u/.aws/x",
    "/home/u/.kube/config",
    "/home/u/.netrc",
    "/home/u/.npmrc",
    "/home/u/.git-credentials",
    "/home/u/.bashrc",
    "/home/u/.zshenv",
    "/home/u/.config/fish/config.fish",
    "/home/u/p/.git/hooks/pre-commit",
    "/home/u/p/.git/config",
    "/home/u/p/.GIT/hooks/x",
    "/home/u/.config/systemd/user/x.service",
    "/Users/x/Library/LaunchAgents/x.plist",
    "/etc/cron.d/x",
    "/dev/sda",
    "/proc/sysrq-trigger",
    "/usr/bin/x",
    "/",
  ];
  for (const access of ["write", "create", "delete"] as const)
    assert.deepEqual(
      answers(access, paths),
      paths.map((path) => `deny ${path}`),
    );
});

test("protects the session stores under all their names, and the files beside them", () => {
  const names = [
    "state.db",
    "state.db-wal",
    "state.ts.db",
    "state.ts.db-shm",
    "index.ts.db",
    "state.db.aside",
    "state.db.exchange",
    "state.db.suspect",
    "state.db.damaged-20260101000000-wal",
    "state.db.salvage-77",
    "state.db.spill/1-2-3.json",
    "profiles/work/state.ts.db",
    "state-snapshots/20261122-183100/state.db",
    "state-snapshots/20261122-183100/config.yaml",
  ];
  const paths = names.map((name) => `/home/u/.hermes/${name}`);
  for (const access of ["read", "write", "delete"] as const)
    assert.deepEqual(
      answers(access, paths),
      paths.map((path) => `deny ${path}`),
    );
});

test("allows ordinary writes, inside the write roots if any are set", () => {
  const paths = [
    "/home/u/p/a.ts",
    "/home/u/p/.env.example",
    "/home/u/p/.gitignore",
    "/tmp/x",
    "/usr/local/bin/x",
    "/home/u/p/.github/workflows/x.yml",
    "/home/u/.hermes/skills/a/SKILL.md",
  ];
  assert.deepEqual(
    answers("write", paths),
    paths.map((path) => `allow ${path}`),
  );
  assert.equal(ask("write", "/tmp/x", { writeRoots: ["/home/u/p"] }).key, "write root");
  assert.equal(ask("write", "/home/u/p2/x", { writeRoots: ["/home/u/p/"] }).answer, "deny");
  assert.equal(ask("write", "/home/u/p/x", { writeRoots: ["/srv", "/home/u/p/"] }).answer, "allow");
});

test("checks both the requested name and its resolved path", () => {
  assert.equal(ask("read", "/home/u/.ssh/id_rsa", { literal: "/home/u/p/notes.txt" }).answer, "deny");
  assert.equal(ask("write", "/home/u/p/x", { literal: "/home/u/p/.git/hooks/pre-push" }).answer, "deny");
  assert.equal(ask("read", "/data/agent/auth.json", { agentHome: "/data/agent" }).answer, "deny");
  assert.equal(ask("write", "/data/agent/plugins/x/index.ts", { agentHome: "/data/agent" }).answer, "ask");
});

// field: F10
test("a tilde means a home only alone, before a slash or with an existing user name", () => {
  const homeOf = (user: string): string | undefined => (user === "bob" ? "/home/bob" : undefined);
  const absolute = (path: string): string => absolutePath(path, "/work", "/home/me", homeOf);
  for (const [path, expected] of [
    ["~", "/home/me"],
    ["~/", "/home/me"],
    ["~/a", "/home/me/a"],
    ["~me/a", "/home/me/a"],
    ["~bob/a", "/home/bob/a"],
    ["~bob", "/work/~bob"],
    ["~draft.txt", "/work/~draft.txt"],
    ["~$report.docx", "/work/~$report.docx"],
    ["~nobody/a", "/work/~nobody/a"],
    ["a/~/b", "/work/a/~/b"],
  ] as const)
    assert.equal(absolute(path), expected, path);
  assert.equal(absolutePath("~bob/a", "/work", "/home/me"), "/work/~bob/a");
});

// field: F10
test("refuses a disguised parent folder, but not names that only look odd", () => {
  for (const path of ["%2e%2e/x", "a/%2E./../x", "%252e%252e/x", "..%2fx", "\uff0e\uff0e/x", "..\\x", "a/.. /x"])
    assert.throws(() => absolutePath(path, "/work", "/home/me"), /disguises "\.\."/, path);
  for (const path of ["../x", "100%25.txt", "a%20b", "...", "..a/b", "a..", "%2e/x", "漢字..txt", "a\\b"])
    assert.ok(absolutePath(path, "/work", "/home/me").startsWith("/"), path);
});

test("reads a user's home from the system's user list", () => {
  const passwords = "root:x:0:0:root:/root:/bin/sh\nbob:x:1:1::/home/bob:/bin/sh\nodd:x:2:2::none:/bin/sh\n";
  assert.deepEqual(
    ["root", "bob", "odd", "eve"].map((user) => homeInPasswords(passwords, user)),
    ["/root", "/home/bob", undefined, undefined],
  );
});
