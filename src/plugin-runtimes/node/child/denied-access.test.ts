import assert from "node:assert/strict";
import { test } from "node:test";
import { deniedAccess } from "./denied-access.ts";

test("an access that Node's permissions refuse is reported with its target and the missing grant", () => {
  const refused = (permission: string, resource?: string) =>
    (
      deniedAccess(
        Object.assign(new Error("Access to this API has been restricted."), {
          code: "ERR_ACCESS_DENIED",
          permission,
          resource,
        }),
      ) as Error
    ).message;
  assert.equal(
    refused("FileSystemWrite", "/home/a/notes"),
    "This plugin is not your own and may not write /home/a/notes: its manifest does not list that folder in grants.write.",
  );
  assert.equal(
    refused("FileSystemRead", "/etc"),
    "This plugin is not your own and may not read /etc: its manifest does not list that folder in grants.read.",
  );
  assert.equal(refused("ChildProcess"), "This plugin is not your own and may not start programs.");
  assert.equal(refused("Moon"), "Access to this API has been restricted.");
  assert.equal(deniedAccess("text"), "text");
  const own = new Error("no");
  assert.equal(deniedAccess(own), own);
});
