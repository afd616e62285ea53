import assert from "node:assert/strict";
import { test } from "node:test";
import { authorise, hasAllowlist, type AccessRules } from "./authorize.ts";

const rules = (variables: { readonly [name: string]: string }, paired: readonly string[] = []): AccessRules => ({
  platform: "loopback-chat",
  variable: (name) => variables[name],
  paired: (user) => paired.includes(user),
  allPaired: () => paired,
});

// req: gateway.auth-order
test("checks the platform's rules, then pairings, then the global rules, and refuses everyone else", () => {
  const own = { LOOPBACK_CHAT_ALLOW_ALL_USERS: "true" };
  const list = { LOOPBACK_CHAT_ALLOWED_USERS: "bob, ada" };
  const all = { GATEWAY_ALLOW_ALL_USERS: "yes" };
  const shared = { GATEWAY_ALLOWED_USERS: "ada" };
  const table: readonly [
    variables: { readonly [name: string]: string },
    paired: readonly string[],
    allowed: boolean,
    rule: string,
  ][] = [
    [{}, [], false, "no rule allows this user"],
    [{ ...own, ...list, ...all, ...shared }, ["ada"], true, "LOOPBACK_CHAT_ALLOW_ALL_USERS"],
    [{ ...list, ...all, ...shared }, ["ada"], true, "LOOPBACK_CHAT_ALLOWED_USERS"],
    [{ ...all, ...shared }, ["ada"], true, "pairing"],
    [{ LOOPBACK_CHAT_ALLOWED_USERS: "bob" }, ["ada"], true, "pairing"],
    [{ ...all, ...shared }, [], true, "GATEWAY_ALLOW_ALL_USERS"],
    [{ LOOPBACK_CHAT_ALLOWED_USERS: "bob", ...all }, [], true, "GATEWAY_ALLOW_ALL_USERS"],
    [shared, [], true, "GATEWAY_ALLOWED_USERS"],
    [
      {
        LOOPBACK_CHAT_ALLOW_ALL_USERS: "no",
        LOOPBACK_CHAT_ALLOWED_USERS: "bob",
        GATEWAY_ALLOW_ALL_USERS: "0",
        GATEWAY_ALLOWED_USERS: "eve",
      },
      ["bob"],
      false,
      "no rule allows this user",
    ],
    [{ LOOPBACK_CHAT_ALLOWED_USERS: "*" }, [], true, "LOOPBACK_CHAT_ALLOWED_USERS"],
  ];
  for (const [variables, paired, allowed, rule] of table)
    assert.deepEqual(authorise({ user_id: "ada" }, rules(variables, paired)), { allowed, rule });
});

test("refuses a message without a user whatever the rules allow, and matches an address by its local part", () => {
  assert.equal(authorise({}, rules({ LOOPBACK_CHAT_ALLOW_ALL_USERS: "1" })).allowed, false);
  assert.equal(authorise({ user_id: "" }, rules({ GATEWAY_ALLOWED_USERS: "*" })).allowed, false);
  assert.equal(authorise({ user_id: "ada@example.org" }, rules({ GATEWAY_ALLOWED_USERS: "ada" })).allowed, true);
  assert.equal(authorise({ user_id: "ada" }, rules({ GATEWAY_ALLOWED_USERS: "ada@example.org" })).allowed, false);
  assert.equal(authorise({ user_id: "ada" }, { ...rules({ MINE: "ada" }), allowedUsersEnv: "MINE" }).rule, "MINE");
  assert.deepEqual(
    [
      hasAllowlist(rules({})),
      hasAllowlist(rules({ LOOPBACK_CHAT_ALLOWED_USERS: "bob" })),
      hasAllowlist(rules({ GATEWAY_ALLOWED_USERS: "bob" })),
    ],
    [false, true, true],
  );
});

test("a platform that identifies its senders needs no allowlist, and another id of a user counts too", () => {
  assert.equal(authorise({ user_id: "route" }, { ...rules({}), authenticated: true }).allowed, true);
  const list = rules({ LOOPBACK_CHAT_ALLOWED_USERS: "uuid-1" });
  assert.equal(authorise({ user_id: "+4930", user_id_alt: "uuid-1" }, list).allowed, true);
  assert.equal(authorise({ user_id: "+4930", user_id_alt: "uuid-2" }, list).allowed, false);
});
