import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { asTyped, programName, takeCalledAs } from "./called-as.ts";

describe("determines how the program was called", () => {
  afterEach(() => takeCalledAs({}));
  const message = (typed: string, path = "/usr/bin"): string => {
    const env = { HERMES_CALLED_AS: typed, PATH: path };
    takeCalledAs(env);
    assert.equal("HERMES_CALLED_AS" in env, false, "child processes do not inherit the variable");
    return asTyped("hermes model: `hermes setup`. A hermes-agent in ~/hermes stays; so does hermes.");
  };

  test("shows next steps with the command that the user typed in a clone", () => {
    assert.equal(
      message("./hermes"),
      "./hermes model: `./hermes setup`. A hermes-agent in ~/hermes stays; so does hermes.",
    );
    assert.match(message("/home/me/my agent/hermes"), /^'\/home\/me\/my agent\/hermes' model/);
    assert.match(message("../it's/$&/hermes"), /^'\.\.\/it'\\''s\/\$&\/hermes' model/);
  });

  test("a launcher on PATH is called by its name alone", () => {
    assert.match(message("/opt/agent/hermes", "/usr/bin:/opt/agent"), /^hermes model/);
    assert.match(message(""), /^hermes model/);
  });
});

// field: C16
test("usage lines show the name alone, however the program was started", () => {
  for (const [typed, name] of [
    ["./hermes", "hermes"],
    ["/opt/agent/hermes", "hermes"],
    ["../bin/h", "h"],
    ["", "hermes"],
  ] as const) {
    takeCalledAs({ HERMES_CALLED_AS: typed, PATH: "/usr/bin" });
    assert.equal(programName(), name);
    assert.match(asTyped("Usage: hermes sessions show"), /^Usage: hermes /);
  }
  takeCalledAs({});
});
