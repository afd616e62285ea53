import assert from "node:assert/strict";
import { test } from "node:test";
import { addressedTo } from "./addressed-to.ts";
import { ircSettings } from "./settings.ts";
import { withoutColours } from "./without-colours.ts";
import { withoutUndefined } from "hermes-agent/testing";

test("removes colour codes", () => {
  assert.equal(
    withoutColours("\u0002bold\u0002 \u000304,01red\u0003 \u0004ff0000hex\u000f plain"),
    "bold red hex plain",
  );
});

test("accepts a channel message that starts with the nickname", () => {
  const message = (text: string): string | undefined => addressedTo(["Hermes_", "hermes"], text);
  assert.deepEqual(
    ["hermes: hi", "HERMES, hi", "hermes_: hi", "@hermes hi", "@hermes: hi", "  hermes:hi", "hermes hi"].map(message),
    Array.from({ length: 7 }, () => "hi"),
  );
  assert.deepEqual(
    ["hermesbot: hi", "ask hermes: hi", "hi", "@hermesbot hi", ""].map(message),
    Array.from({ length: 5 }, () => undefined),
  );
});

test("reads settings from the environment, then the configuration; TLS depends on the port", () => {
  const of = (env: Record<string, string>, extra = {}) => ircSettings((name) => env[name], extra);
  assert.deepEqual(
    withoutUndefined(
      of({ IRC_SERVER: " irc.example ", IRC_CHANNEL: "team, #door  key" }, { server: "other", nickname: "helper" }),
    ),
    withoutUndefined({
      server: "irc.example",
      port: 6697,
      tls: true,
      nickname: "helper",
      channels: [{ name: "#team", key: "key" }, { name: "#door" }],
      serverPassword: undefined,
      accountPassword: undefined,
      requireMention: true,
      allowedUsers: [""],
      linesPerSecond: 1,
    }),
  );
  const ports = (
    [
      ["", ""],
      ["6667", ""],
      ["", "false"],
      ["6667", "true"],
      ["7000", ""],
    ] as const
  ).map(([IRC_PORT, IRC_USE_TLS]) => {
    const { port, tls } = of({ IRC_PORT, IRC_USE_TLS });
    return [port, tls];
  });
  assert.deepEqual(ports, [
    [6697, true],
    [6667, false],
    [6667, false],
    [6667, true],
    [7000, false],
  ]);
  assert.deepEqual(
    of({}, { server: "a", port: 6667, channel: "#b", use_tls: false, require_mention: false }).requireMention,
    false,
  );
});
