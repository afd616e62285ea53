import assert from "node:assert/strict";
import { test } from "node:test";
import { looksLikeCredential } from "hermes-agent/terminal";
import { childEnvironment } from "./child-environment.ts";

test("commands get basic and configured variables, and never a credential", () => {
  const seen = childEnvironment(
    {
      PATH: "/bin",
      HOME: "/h",
      LC_ALL: "C",
      XDG_RUNTIME_DIR: "/r",
      http_proxy: "p",
      TERM: "xterm",
      OPENAI_API_KEY: "1",
      GH_TOKEN: "2",
      JAVA_HOME: "/j",
      FOO: "3",
      HERMES_HOME: "/x",
    },
    ["JAVA_HOME", "GH_TOKEN"],
  );
  assert.deepEqual(seen, {
    PATH: "/bin",
    HOME: "/h",
    LC_ALL: "C",
    XDG_RUNTIME_DIR: "/r",
    http_proxy: "p",
    TERM: "xterm",
    JAVA_HOME: "/j",
  });
});

test("recognises names of credentials, but not similar ordinary names", () => {
  for (const name of [
    "OPENAI_API_KEY",
    "GH_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "DB_PASSWORD",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "NPM_AUTHTOKEN",
    "APIKEY",
  ])
    assert.equal(looksLikeCredential(name), true, name);
  for (const name of ["PATH", "KEYBOARD", "TOKENIZERS_PARALLELISM", "LANG", "SSH_AUTH_SOCK", "MONKEYS"])
    assert.equal(looksLikeCredential(name), false, name);
});
