import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { commandAccess, mayRun, whoami } from "./command-access.ts";

const text = (user_id: string, chat_type: "dm" | "group" = "dm"): PlatformMessage => ({
  text: "/x",
  chat_id: "c",
  user_id,
  chat_type,
});

test("without admins every user may run every command; with admins, others have the listed commands and two more", () => {
  assert.deepEqual(commandAccess({}, text("ada")), { scope: "direct", tier: "everybody" });
  const extra = { allow_admin_from: ["ada"], user_allowed_commands: "/status, New" };
  assert.equal(commandAccess(extra, text("ada")).tier, "admin");
  const bob = commandAccess(extra, text("bob"));
  assert.deepEqual(
    ["help", "whoami", "status", "new", "approve", "stop"].map((name) => mayRun(bob, name)),
    [true, true, true, true, false, false],
  );
  assert.match(
    whoami(text("bob"), bob),
    /Your commands: \/help, \/whoami, \/status, \/new\. Only admins can approve\./,
  );
});

test("admins of direct chats are not admins of groups; direct chats without a list use the groups' list", () => {
  const extra = { allow_admin_from: "ada", group_allow_admin_from: "eve", group_user_allowed_commands: ["stop"] };
  assert.deepEqual(
    [
      commandAccess(extra, text("ada", "group")).tier,
      commandAccess(extra, text("eve", "group")).tier,
      commandAccess(extra, text("eve")).tier,
    ],
    ["user", "admin", "user"],
  );
  assert.equal(mayRun(commandAccess(extra, text("eve")), "stop"), true);
  assert.equal(commandAccess({ group_allow_admin_from: "eve" }, text("bob")).tier, "everybody");
});
